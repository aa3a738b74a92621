/**
 * What the roles of the processes may do. That the API needs no more is shown by test/docs/operation-examples.test.ts,
 * and that the activities of workers need no more by test/workflows: they run with these rights.
 */
import { sql } from 'kysely';
import { rollUpDays } from '../../src/analytics/roll-up-days.ts';
import { foldCounts } from '../../src/analytics/fold-counts.ts';
import { removeExpired } from '../../src/auth/remove-expired.ts';
import { removeExpiredRejects } from '../../src/contacts/import/remove-expired-rejects.ts';
import { sqlOf, type Database } from '../../src/database.ts';
import { removeExpiredKeys } from '../../src/idempotency/remove-expired-keys.ts';
import { checkDatabaseAtStart } from '../../src/operations/check-start.ts';
import { grantRoles, processRoles } from '../../src/operations/grant-roles.ts';
import { asTenants } from '../../src/organizations/organization-scope.ts';
import { createTestDatabase, openAs, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let tenant: Tenant;
const opened = {} as Record<(typeof processRoles)[number], Awaited<ReturnType<typeof openAs>>>;

beforeAll(async () => {
  db = await createTestDatabase();
  tenant = await createTenant(db.database);
  await createTenant(db.database);
  for (const role of processRoles) opened[role] = await openAs(db, role);
});

afterAll(async () => {
  for (const { close } of Object.values(opened)) await close();
  await db.drop();
});

const run = (database: Database, statement: string) => sql.raw(statement).execute(sqlOf(database));

const refusedToBoth = [
  'create table stolen (id int)',
  'drop table messages',
  'alter table messages disable row level security',
  'alter table messages add column x int',
  'truncate messages',
  'create role intruder',
  'delete from audit_events',
  `update audit_events set action = 'x'`,
  `insert into mikro_orm_migrations (name) values ('x')`,
];

const refusedToWorkers = [
  'select password from accounts',
  'select sealed_secret from two_factors',
  'select code_hash from recovery_codes',
  'select token from sessions',
  'update sessions set user_id = user_id',
  'select identifier from verifications',
];

test.each([
  ...processRoles.flatMap((role) => refusedToBoth.map((statement) => [role, statement] as const)),
  ...refusedToWorkers.map((statement) => ['sms_worker', statement] as const),
])('%s may not: %s', async (role, statement) => {
  await expect(run(opened[role].database, statement)).rejects.toThrow(/permission denied|must be owner/);
});

test.each(processRoles)(
  '%s sees all rows outside work for organizations, and within it those of the tenant',
  async (role) => {
    const { database } = opened[role];
    const count = async (rows: Promise<{ rows: unknown[] }>) => (await rows).rows.length;
    expect(await count(run(database, 'select from organizations'))).toBe(2);
    const within = asTenants(database, [tenant.organizationId], (connection) =>
      sql`select from organizations`.execute(connection),
    );
    expect(await count(within)).toBe(1);
  },
);

test.each(processRoles)('a process with the rights of %s starts', async (role) => {
  await expect(checkDatabaseAtStart(opened[role].database)).resolves.toBeUndefined();
});

test('the loops of a worker need no more rights', async () => {
  const { database } = opened.sms_worker;
  await db.query(
    `insert into users (id, name, email, created_at, updated_at)
     values (gen_random_uuid(), 'x', 'x@example.com', now(), now())`,
  );
  await db.query(
    `insert into sessions (id, user_id, token, expires_at, created_at, updated_at)
     select gen_random_uuid(), id, 'x', now() - interval '1 day', now(), now() from users`,
  );
  await removeExpired(database);
  await removeExpiredRejects(database, {});
  expect(await db.query('select from sessions')).toEqual([]);
  expect(await foldCounts(database)).toMatch(/^(done|more)$/);
  expect(await rollUpDays(database, new Date())).toMatch(/^(done|more)$/);
  expect(await removeExpiredKeys(database, new Date())).toBe(0);
});

test('it may be repeated, and keeps what it gave', async () => {
  await grantRoles(db.database);
  await expect(run(opened.sms_api.database, 'select from messages')).resolves.toMatchObject({ rows: [] });
});

test('no role owns a table, signs in, or passes row-level security', async () => {
  const roles = await db.query(
    `select rolname from pg_roles where rolname in ('sms_api', 'sms_worker')
     and (rolcanlogin or rolsuper or rolbypassrls or rolcreaterole or rolcreatedb
       or exists (select from pg_class where relowner = pg_roles.oid))`,
  );
  expect(roles).toEqual([]);
});
