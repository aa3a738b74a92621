import { v7 as uuidv7 } from 'uuid';
import { createNumberSealer } from '../../src/messages/sealer.ts';
import { createNumberHash } from '../../src/privacy/number-hash.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});

beforeEach(() => db.query('delete from number_hash_keys'));

afterAll(() => db.drop());

const number = '+251911234567';
const hashWith = (pepper: string, previousPepper?: string) =>
  createNumberHash(db.database, createNumberSealer({ pepper: pepper.repeat(32), previousPepper }));

test('every process hashes a number alike, also with a pepper that was changed', async () => {
  const hash = await hashWith('a')(number);
  expect(await hashWith('a')(number)).toBe(hash);
  expect(await hashWith('b', 'a'.repeat(32))(number)).toBe(hash);
});

test('processes that need the key at the same time make one', async () => {
  const hashes = await Promise.all(Array.from({ length: 5 }, () => hashWith('a')(number)));
  expect(new Set(hashes).size).toBe(1);
});

test('while nobody was erased, a lost pepper costs nothing: the key is made anew', async () => {
  await hashWith('a')(number);
  expect(await hashWith('b')(number)).toBe(await hashWith('b')(number));
});

test('once somebody was erased, a lost pepper is an error and not a new key, which would forget the opt-outs', async () => {
  const hash = await hashWith('a')(number);
  const { organizationId } = await createTenant(db.database);
  await db.query(
    `insert into erasures (id, organization_id, number_hash, status, requested_by, created_at, completed_at)
      values (?, ?, decode(?, 'hex'), 'completed', ?, now(), now())`,
    [uuidv7(), organizationId, hash, uuidv7()],
  );
  await expect(hashWith('b')(number)).rejects.toThrow('SECURITY_CODE_PREVIOUS_PEPPER');
  expect(await hashWith('a')(number)).toBe(hash);
});
