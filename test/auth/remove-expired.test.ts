import { pino } from 'pino';
import { removeExpired } from '../../src/auth/remove-expired.ts';
import { startExpiryCleanUp } from '../../src/expiry-clean-up.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { until } from '../helpers/until.ts';

const userId = '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa';

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  await db.query(
    `insert into users (id, name, email, created_at, updated_at) values (?, 'A', 'a@example.com', now(), now())`,
    [userId],
  );
});
afterAll(() => db.drop());
beforeEach(async () => {
  await db.query('delete from sessions');
  await db.query('delete from verifications');
  await db.query('delete from security_events');
});

/** So many of each that were over so many hours ago; of each that is not over the hours are below zero. */
async function store(count: number, hoursAgo: number): Promise<void> {
  await db.query(
    `insert into sessions (id, user_id, token, expires_at, created_at, updated_at)
     select gen_random_uuid(), ?, gen_random_uuid()::text, now() - make_interval(hours => ?), now(), now()
     from generate_series(1, ?)`,
    [userId, hoursAgo, count],
  );
  await db.query(
    `insert into verifications (id, identifier, value, expires_at, created_at, updated_at)
     select gen_random_uuid(), 'x', 'x', now() - make_interval(hours => ?), now(), now() from generate_series(1, ?)`,
    [hoursAgo, count],
  );
  await db.query(
    `insert into security_events (id, user_id, at, kind, expires_at)
     select gen_random_uuid(), ?, now(), 'signed_in', now() - make_interval(hours => ?) from generate_series(1, ?)`,
    [userId, hoursAgo, count],
  );
}

async function left(): Promise<number[]> {
  const rows = await db.query<{ count: string }>(
    `select count(*) from sessions union all select count(*) from verifications
     union all select count(*) from security_events`,
  );
  return rows.map(({ count }) => Number(count));
}

test('what is over goes, in portions, and what is not stays', async () => {
  await store(25, 2);
  await store(3, -2);
  await removeExpired(db.database, { rowsAtOnce: 10 });
  expect(await left()).toEqual([3, 3, 3]);
});

test('what has only just run out stays, for clocks differ', async () => {
  await store(1, 0);
  await removeExpired(db.database);
  expect(await left()).toEqual([1, 1, 1]);
});

test('several workers do it beside each other, and wait for nobody', async () => {
  await store(50, 2);
  const held = db.database.em.fork();
  await held.begin();
  await held.execute('select id from sessions order by id limit 1 for update');
  await Promise.all([1, 2, 3].map(() => removeExpired(db.database, { rowsAtOnce: 7 })));
  expect(await left()).toEqual([1, 0, 0]);
  await held.rollback();
  await removeExpired(db.database);
  expect(await left()).toEqual([0, 0, 0]);
});

test('a worker that starts does it at once, and stops when it is told', async () => {
  await store(5, 2);
  const cleanUp = startExpiryCleanUp({ database: db.database, log: pino({ level: 'silent' }) });
  await until('a clean-up', async () => (await left()).every((count) => count === 0) || undefined);
  await cleanUp.stop();
  expect(await left()).toEqual([0, 0, 0]);
});
