import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { resealMessages } from '../../src/messages/reseal-messages.ts';
import { createSecretSealer, createTextSealer, type SealingKey } from '../../src/messages/sealer.ts';
import { securityCodePepper as oldPepper, startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

const newPepper = 'the-new-pepper-of-at-least-32-characters';
const secret = 'a-secret-of-16-chars';
const both = {
  text: createTextSealer({ pepper: newPepper, previousPepper: oldPepper }),
  secret: createSecretSealer({ pepper: newPepper, previousPepper: oldPepper }),
};
const onlyNew = {
  text: createTextSealer({ pepper: newPepper }),
  secret: createSecretSealer({ pepper: newPepper }),
};

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

afterEach(() => db.query('truncate messages cascade'));

let recipients = 0;

/** Sends messages, every second one with a webhook that has a secret, and a security code. */
async function send(messages: number): Promise<void> {
  for (let index = 0; index < messages; index += 1) {
    const webhook = { url: 'https://8.8.8.8/', secret };
    const json = { to: '0911234567', text: 'Selam', ...(index % 2 === 0 && { webhook }) };
    expect((await api.call('POST', '/api/v1/messages', { key, json })).status).toBe(202);
  }
  const to = `+2519300${String((recipients += 1)).padStart(5, '0')}`;
  expect((await api.call('POST', '/api/v1/security-codes/send', { key, json: { to } })).status).toBe(202);
}

/** The stored values, unsealed: fails if the new pepper cannot read one of them. */
async function readWithNewPepper(): Promise<{ secrets: string[]; texts: string[] }> {
  const rows = await db.query<{ id: string; text: string | null; secret: string | null }>(
    `select id, encode(sealed_text, 'base64') as text, encode(sealed_webhook_secret, 'base64') as secret
     from messages order by id`,
  );
  return {
    secrets: rows.flatMap((row) =>
      row.secret === null ? [] : onlyNew.secret.unseal(tenant.organizationId, row.secret),
    ),
    texts: rows.flatMap((row) => (row.text === null ? [] : onlyNew.text.unseal(row.id, row.text))),
  };
}

test('what was sealed with the previous pepper is sealed with the new one, once', async () => {
  await send(6);
  await expect(readWithNewPepper()).rejects.toThrow(/authenticate/);
  expect(await resealMessages(db.database, both, () => undefined)).toEqual({ resealed: 4, unreadable: 0 });
  expect(await readWithNewPepper()).toEqual({
    secrets: [secret, secret, secret],
    texts: [expect.stringMatching(/^Your code is \d{6}$/)],
  });
  expect(await resealMessages(db.database, both, () => undefined)).toEqual({ resealed: 0, unreadable: 0 });
});

test('keys are changed in turn: what the pepper or an older key has sealed names the first key afterwards', async () => {
  await send(4);
  const [a, b] = ['a', 'b'].map((id) => ({ id, secret: id.repeat(32) })) as [SealingKey, SealingKey];
  for (const keys of [[a], [b, a]]) {
    const secrets = { pepper: oldPepper, keys };
    const sealers = { text: createTextSealer(secrets), secret: createSecretSealer(secrets) };
    expect(await resealMessages(db.database, sealers, () => undefined)).toEqual({
      resealed: 3,
      unreadable: 0,
    });
    const [{ other }] = (await db.query<{ other: number }>(
      `select count(*)::int as other from messages, unnest(array[sealed_text, sealed_webhook_secret]) as value
       where substr(value, 1, 3) <> convert_to(?, 'utf8')`,
      [`\u0001\u0001${keys[0]!.id}`],
    )) as [{ other: number }];
    expect(other).toBe(0);
  }
});

test('a text that was submitted meanwhile stays gone', async () => {
  await send(0);
  const [{ id }] = (await db.query<{ id: string }>('select id from messages')) as [{ id: string }];
  const lock = db.database.em.fork();
  await lock.begin();
  await lock.execute('update messages set sealed_text = null where id = ?', [id]);
  const resealing = resealMessages(db.database, both, () => undefined);
  const waiting = async (): Promise<boolean> =>
    (await db.query(`select from pg_locks where not granted`)).length > 0;
  while (!(await waiting()));
  await lock.commit();
  await resealing;
  expect(await db.query('select sealed_text as text from messages')).toEqual([{ text: null }]);
});

test('a value that neither pepper can read stays as it is, and is counted', async () => {
  await send(1);
  const strangers = {
    text: createTextSealer({ pepper: newPepper, previousPepper: 'x'.repeat(32) }),
    secret: createSecretSealer({ pepper: newPepper, previousPepper: 'x'.repeat(32) }),
  };
  const before = await db.query('select id, sealed_text, sealed_webhook_secret from messages order by id');
  expect(await resealMessages(db.database, strangers, () => undefined)).toEqual({
    resealed: 0,
    unreadable: 2,
  });
  expect(await db.query('select id, sealed_text, sealed_webhook_secret from messages order by id')).toEqual(
    before,
  );
});

test('the command seals again, and refuses to run without a previous pepper or a key', async () => {
  await send(2);
  const reseal = (environment: Record<string, string>) =>
    promisify(execFile)(process.execPath, ['src/reseal.ts'], {
      env: { ...process.env, DATABASE_URL: db.url, SECURITY_CODE_PEPPER: newPepper, ...environment },
    });
  const { stdout } = await reseal({ SECURITY_CODE_PREVIOUS_PEPPER: oldPepper });
  expect(stdout).toMatch(/2 messages are sealed with the new pepper now/);
  expect((await readWithNewPepper()).secrets).toEqual([secret]);
  const keyed = await reseal({ SEALING_KEYS: `2026:${'k'.repeat(32)}` });
  expect(keyed.stdout).toMatch(/2 messages are sealed with the key 2026 now/);
  await expect(reseal({ SECURITY_CODE_PREVIOUS_PEPPER: '' })).rejects.toMatchObject({ code: 2 });
});
