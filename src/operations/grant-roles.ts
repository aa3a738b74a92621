import { sql } from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';

/** The roles of the processes. They cannot sign in: an operator makes users that are members of one. */
export const processRoles = ['sms_api', 'sms_worker'] as const;

type ProcessRole = (typeof processRoles)[number];

/** What is given for a table in place of everything that changes rows. */
const exceptions: Record<string, Partial<Record<ProcessRole, string[]>>> = {
  mikro_orm_migrations: { sms_api: ['select'], sms_worker: ['select'] },
  // What happened cannot be changed later.
  audit_events: { sms_api: ['select', 'insert'], sms_worker: ['select', 'insert'] },
  // A worker signs nobody in: it cannot read hashes of passwords and recovery codes, nor secrets of apps, nor add keys.
  accounts: { sms_worker: [] },
  two_factors: { sms_worker: [] },
  recovery_codes: { sms_worker: [] },
  passkeys: { sms_worker: [] },
  // It removes what has expired, and reads no token for that. PostgreSQL locks rows only for who may update a column.
  ...Object.fromEntries(
    ['sessions', 'verifications', 'known_devices', 'security_events'].map((table) => [
      table,
      {
        sms_worker: [
          table === 'sessions'
            ? 'select (id, user_id, expires_at, impersonated_by)'
            : 'select (id, expires_at)',
          'update (expires_at)',
          'delete',
        ],
      },
    ]),
  ),
};

/**
 * Makes the roles of the processes, and gives them what they need and nothing else: no table, no DDL, no TRUNCATE. It may
 * be repeated, and must be after migrations that make tables. It runs as the owner of the tables.
 */
export async function grantRoles(database: Database): Promise<void> {
  const db = sqlOf(database);
  for (const role of processRoles) await makeRole(db, role);
  await db.transaction().execute(async (transaction) => {
    const { rows: tables } = await sql<{ name: string; isWalled: boolean }>`
      select relname as name, relrowsecurity as "isWalled" from pg_class
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by relname
    `.execute(transaction);
    for (const role of processRoles) {
      await sql`grant usage on schema public to ${sql.ref(role)}`.execute(transaction);
      await sql`grant usage, select on all sequences in schema public to ${sql.ref(role)}`.execute(
        transaction,
      );
      for (const { name, isWalled } of tables) {
        const rights = exceptions[name]?.[role] ?? ['select', 'insert', 'update', 'delete'];
        await sql`revoke all on ${sql.table(name)} from ${sql.ref(role)}`.execute(transaction);
        if (rights.length > 0) {
          await sql`grant ${sql.raw(rights.join(', '))} on ${sql.table(name)} to ${sql.ref(role)}`.execute(
            transaction,
          );
        }
        if (isWalled) await openWall(transaction, name, role);
      }
    }
  });
}

/** Roles belong to the server: another database's call may have made the role, or be at it. */
async function makeRole(db: Sql, role: ProcessRole): Promise<void> {
  await sql`
    do $$ begin
      if not exists (select from pg_roles where rolname = ${sql.lit(role)}) then
        create role ${sql.ref(role)} nologin;
      end if;
    exception when duplicate_object or unique_violation then null;
    end $$
  `.execute(db);
  await sql`
    do $$ begin
      if not pg_has_role(${sql.lit(role)}, 'sms_tenant', 'set') then
        grant sms_tenant to ${sql.ref(role)};
      end if;
    exception when unique_violation then null;
    end $$
  `.execute(db);
}

/** Outside work for organizations, a process sees all rows, as the owner does; within it, the role sms_tenant counts. */
async function openWall(db: Sql, table: string, role: ProcessRole): Promise<void> {
  const policy = sql.ref(`of_${role}`);
  await sql`drop policy if exists ${policy} on ${sql.table(table)}`.execute(db);
  await sql`
    create policy ${policy} on ${sql.table(table)} to ${sql.ref(role)} using (true) with check (true)
  `.execute(db);
}
