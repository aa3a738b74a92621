import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { sqlOf, type Database } from '../src/database.ts';
import { updateStatuses } from '../src/messages/update-statuses.ts';
import { storeMessages } from '../src/messages/store-messages.ts';
import { openDatabase } from '../src/open-database.ts';
import { prepared } from '../src/prepared-statements.ts';
import { createTestDatabase, type TestDatabase } from './helpers/databases.ts';
import { createTenant, type Tenant } from './helpers/tenants.ts';

let db: TestDatabase;
let tenant: Tenant;
/** With a single connection, so that each statement meets the ones that were prepared before. */
let database: Database;

beforeAll(async () => {
  db = await createTestDatabase();
  tenant = await createTenant(db.database);
  database = await openDatabase({ url: db.url, poolSize: 1 });
});

afterAll(async () => {
  await database.close();
  await db.drop();
});

async function readPrepared(): Promise<{ name: string; executions: number }[]> {
  const { rows } = await sql<{ name: string; executions: number }>`
    select name, (generic_plans + custom_plans)::int as executions from pg_prepared_statements order by name
  `.execute(sqlOf(database));
  return rows;
}

/** Stores a message and delivers it, by the statements of the hot path. Returns the message as it is stored. */
async function deliverOne(): Promise<unknown> {
  const id = uuidv7();
  const draft = {
    ...{ id, organizationId: tenant.organizationId, environment: 'live' as const, sender: null },
    ...{ recipient: '+251911234567', text: 'Selam', encoding: 'gsm7' as const, segments: 1, metadata: {} },
    ...{ webhookUrl: null, createdAt: new Date(), validUntil: new Date(Date.now() + 3_600_000) },
  };
  expect(await storeMessages(sqlOf(database), [draft])).toMatchObject([{ outcome: 'stored' }]);
  const { found } = await updateStatuses(database, [
    {
      messageId: id,
      at: new Date(),
      transition: { kind: 'report', report: 'delivered', providerMessageId: null },
      event: { kind: 'report_received', details: {} },
    },
  ]);
  expect(found).toEqual([true]);
  return (await db.query<{ status: string }>('select status from messages where id = ?', [id]))[0]!.status;
}

test('a statement of a hot path is prepared once, and then executed by its name', async () => {
  for (let count = 0; count < 3; count += 1) expect(await deliverOne()).toBe('delivered');
  const statements = await readPrepared();
  expect(statements.map(({ name }) => name.replace(/_\d+$/, ''))).toEqual([
    'lock_messages',
    'store_messages',
    'update_statuses',
  ]);
  expect(statements.every(({ executions }) => executions === 3)).toBe(true);
});

test('prepared statements go on while a migration changes their tables', async () => {
  for (let count = 0; count < 10; count += 1) await deliverOne();
  await db.query('alter table messages add column of_a_later_release text default now()::text');
  await db.query('create index of_a_later_release on messages (of_a_later_release)');
  await db.query('drop index messages_open');
  for (let count = 0; count < 10; count += 1) expect(await deliverOne()).toBe('delivered');
});

test('two texts that begin alike are two statements, and a statement without the beginning is not prepared', async () => {
  const db1 = sqlOf(database);
  for (let count = 0; count < 2; count += 1) {
    expect((await sql`${prepared('twins')} select ${1}::int as one`.execute(db1)).rows).toEqual([{ one: 1 }]);
    expect((await sql`${prepared('twins')} select ${2}::int as two`.execute(db1)).rows).toEqual([{ two: 2 }]);
    await sql`select ${3}::int as three`.execute(db1);
  }
  const names = (await readPrepared()).map(({ name }) => name.replace(/\d+$/, ''));
  expect(names.filter((name) => name === 'twins_')).toHaveLength(2);
  expect(names).toHaveLength(5);
});

test('a prepared statement that fails can be executed again', async () => {
  const divide = (by: number) =>
    sql`${prepared('divide')} select 1 / ${by}::int as result`.execute(sqlOf(database));
  await expect(divide(0)).rejects.toThrow('division by zero');
  expect((await divide(1)).rows).toEqual([{ result: 1 }]);
});
