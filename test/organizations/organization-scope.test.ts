import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { entities } from '../../mikro-orm.config.ts';
import { sqlOf, type Database } from '../../src/database.ts';
import { countSegments } from '../../src/messages/segments.ts';
import { storeMessages } from '../../src/messages/store-messages.ts';
import { Message } from '../../src/messages/message.entity.ts';
import { stayWithin, asTenant, asTenants } from '../../src/organizations/organization-scope.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let database: Database;
let ours: Tenant;
let theirs: Tenant;
let ourMessage: string;
let theirMessage: string;

beforeAll(async () => {
  db = await createTestDatabase();
  database = db.database;
  ours = await createTenant(database);
  theirs = await createTenant(database);
  await Promise.all([ours.createKey(), theirs.createKey()]);
  ourMessage = await storeMessage(ours);
  theirMessage = await storeMessage(theirs);
});

afterAll(() => db.drop());

async function storeMessage({ organizationId, sender }: Tenant, as = [organizationId]): Promise<string> {
  const id = uuidv7();
  const createdAt = new Date();
  const draft = {
    ...{ id, organizationId, sender, createdAt, validUntil: createdAt, environment: 'live' as const },
    ...{ recipient: '+251911234567', text: 'Selam', ...countSegments('Selam') },
    ...{ metadata: {}, webhookUrl: null },
  };
  await asTenants(database, as, (connection) => storeMessages(connection, [draft]));
  return id;
}

const live = (tenant: Tenant) => ({
  organizationId: tenant.organizationId,
  visibleEnvironments: ['live'] as const,
});

describe('the first wall', () => {
  const owned = entities.filter((entity) => 'organization' in entity.meta.filters);

  test.each(owned.map((entity) => [entity.meta.className, entity] as const))(
    'a query of %s that names no organization is an error',
    async (...[, entity]) => {
      const em = database.em.fork();
      await expect(em.find(entity as typeof Message, {})).rejects.toThrow('No arguments provided for filter');
      await expect(em.count(entity as typeof Message, {})).rejects.toThrow(
        'No arguments provided for filter',
      );
    },
  );

  test('entities are seen of the organization in scope, and of its environments', async () => {
    const found = await asTenant(database, live(ours), (em) => em.find(Message, {}));
    expect(found.map(({ id }) => id)).toEqual([ourMessage]);
    const inTest = { ...live(ours), visibleEnvironments: ['test'] as const };
    expect(await asTenant(database, inTest, (em) => em.find(Message, {}))).toEqual([]);
  });
});

describe('the second wall', () => {
  /** The tables of which tenants also read the rows of the platform, and change none. */
  const readOfPlatform = ['content_rules', 'sending_controls'];

  test('each table belongs to organizations and is walled, or the tenants role cannot touch it', async () => {
    const tables = await db.query<{ name: string; walled: boolean; reachable: boolean }>(`
      select c.relname as name,
        c.relrowsecurity and exists (
          select from pg_policy p join pg_roles r on r.oid = any (p.polroles)
          where p.polrelid = c.oid and r.rolname = 'sms_tenant' and p.polcmd = '*' and p.polpermissive
        ) and (select count(*) from pg_policy p where p.polrelid = c.oid) = 1 as walled,
        has_table_privilege('sms_tenant', c.oid, 'select, insert, update, delete, truncate') as reachable
      from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
      order by c.relname
    `);
    expect(tables.length).toBeGreaterThan(10);
    // The exceptions have tests of their own: the next two.
    expect(tables.filter(({ walled, reachable }) => walled !== reachable).map(({ name }) => name)).toEqual(
      readOfPlatform,
    );
    const owned = entities.filter((entity) => 'organization' in entity.meta.filters);
    expect(
      tables.filter(({ walled, name }) => walled || readOfPlatform.includes(name)).map(({ name }) => name),
    ).toEqual(owned.map((entity) => entity.meta.tableName).sort());
  });

  test('of the controls of sending, an organization reads its own and those of the platform, and changes none', async () => {
    await db.query(
      `insert into sending_controls (id, organization_id, updated_at)
        values (gen_random_uuid(), null, now()), (gen_random_uuid(), ?, now()), (gen_random_uuid(), ?, now())`,
      [ours.organizationId, theirs.organizationId],
    );
    const read = await asTenants(database, [ours.organizationId], async (sqlDb) =>
      sql<{ owner: string | null }>`select organization_id as owner from sending_controls`.execute(sqlDb),
    );
    expect(new Set(read.rows.map(({ owner }) => owner))).toEqual(new Set([null, ours.organizationId]));
    await expect(
      asTenants(database, [ours.organizationId], async (sqlDb) =>
        sql`update sending_controls set held_at = null`.execute(sqlDb),
      ),
    ).rejects.toThrow('permission denied');
  });

  test('of the rules about texts, an organization reads its own and those of the platform, and changes none', async () => {
    await db.query(
      `insert into content_rules (id, organization_id, kind, "values", terms, reason, created_at, updated_at)
        select gen_random_uuid(), owner, 'contains', '{x}', '{" x "}', 'x', now(), now()
        from unnest(array[null, ?::uuid, ?::uuid]) owner`,
      [ours.organizationId, theirs.organizationId],
    );
    const read = await asTenants(database, [ours.organizationId], async (sqlDb) =>
      sql<{ owner: string | null }>`select organization_id as owner from content_rules`.execute(sqlDb),
    );
    expect(new Set(read.rows.map(({ owner }) => owner))).toEqual(new Set([null, ours.organizationId]));
    await expect(
      asTenants(database, [ours.organizationId], async (sqlDb) =>
        sql`delete from content_rules`.execute(sqlDb),
      ),
    ).rejects.toThrow('permission denied');
    await db.query('delete from content_rules');
  });

  test('the role owns nothing and can neither sign in nor leave row-level security', async () => {
    const [role] = await db.query(`
      select rolcanlogin, rolsuper, rolbypassrls, rolcreaterole,
        exists (select from pg_class where relowner = pg_roles.oid) as owns
      from pg_roles where rolname = 'sms_tenant'
    `);
    expect(role).toEqual({
      rolcanlogin: false,
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      owns: false,
    });
  });

  test.each(['messages', 'message_events', 'api_keys', 'sender_ids'])(
    'a statement on %s that forgets its condition sees and changes the rows of the organization in scope only',
    async (table) => {
      const all = await db.query(`select from ${table}`);
      const seen = await asTenants(database, [ours.organizationId], async (connection) => {
        const { rows } = await sql<{ organization_id: string }>`
          select organization_id from ${sql.table(table)}`.execute(connection);
        return rows;
      });
      expect(seen.length).toBeGreaterThan(0);
      expect(seen.length).toBeLessThan(all.length);
      expect(new Set(seen.map((row) => row.organization_id))).toEqual(new Set([ours.organizationId]));
    },
  );

  test('changes of another organization find no row', async () => {
    const counts = await asTenants(database, [ours.organizationId], async (connection) => {
      const updated = await sql`update messages set sender = 'STOLEN' where id = ${theirMessage}`.execute(
        connection,
      );
      const deleted = await sql`delete from messages where id = ${theirMessage}`.execute(connection);
      return [updated.numAffectedRows, deleted.numAffectedRows];
    });
    expect(counts).toEqual([0n, 0n]);
  });

  test('a row cannot be written for another organization, nor handed to it', async () => {
    await expect(storeMessage(theirs, [ours.organizationId])).resolves.toEqual(expect.any(String));
    expect(
      await db.query(`select id from messages where organization_id = '${theirs.organizationId}'`),
    ).toEqual([{ id: theirMessage }]);
    const handOver = asTenants(database, [ours.organizationId], (connection) =>
      sql`update messages set organization_id = ${theirs.organizationId} where id = ${ourMessage}`.execute(
        connection,
      ),
    );
    await expect(handOver).rejects.toThrow('row-level security');
  });

  test('what is left of a transaction that has looked across organizations sees the organization in scope only', async () => {
    const seen = await sqlOf(database)
      .transaction()
      .execute(async (connection) => {
        const read = async () => (await sql`select from messages`.execute(connection)).rows.length;
        const before = await read();
        await stayWithin(connection, [ours.organizationId]);
        return { before, after: await read() };
      });
    const count = async (condition: string) => (await db.query(`select from messages ${condition}`)).length;
    expect(seen).toEqual({
      before: await count(''),
      after: await count(`where organization_id = '${ours.organizationId}'`),
    });
    expect(seen.after).toBeLessThan(seen.before);
  });

  test('a transaction that names no organization sees nothing', async () => {
    const rows = await asTenants(database, [], (connection) => sql`select from messages`.execute(connection));
    expect(rows.rows).toEqual([]);
  });

  test('what is no organization’s cannot be reached at all', async () => {
    for (const table of [
      'users',
      'sessions',
      'accounts',
      'verifications',
      'dispatches',
      'redrives',
      'number_hash_keys',
      'rate_limit_counters',
      'sending_rates',
    ]) {
      const read = asTenants(database, [ours.organizationId], (connection) =>
        sql`select from ${sql.table(table)}`.execute(connection),
      );
      await expect(read).rejects.toThrow('permission denied');
    }
  });

  test('the walls end with their transaction: a connection goes back to the pool as it came', async () => {
    for (let round = 0; round < 20; round += 1) {
      await asTenant(database, live(ours), (em) => em.find(Message, {}));
      await asTenant(database, live(ours), () => Promise.reject(new Error('undone'))).catch(() => null);
    }
    const [role] = await db.query<{ role: string; organizations: string }>(
      `select current_user as role, current_setting('app.organization_ids', true) as organizations`,
    );
    expect(role).toEqual({ role: 'sms', organizations: '' });
  });
});

/** Who may leave the walls, and why; every other file works within an organization. */
const beyondTheWalls: Record<string, string> = {
  'admin.ts': 'a command of the operator',
  'analytics/fold-counts.ts': 'the worker, counts of all organizations at once',
  'analytics/roll-up-days.ts': 'the worker, days of all organizations that are behind',
  'api-keys/find-api-key.ts': 'finds out whose a key is',
  'api-keys/record-key-use.ts': 'keys of all organizations at once',
  'audit/name-actors.ts': 'those who acted may be no members: administrators, and people who left',
  'audit/list-all-audit-events.ts': 'for administrators',
  'auth/account-transaction.ts': 'people and memberships',
  'auth/auth-database.ts': 'better-auth keeps people and memberships',
  'auth/sessions/end-impersonation.ts': 'people, not organizations',
  'auth/mails/end-reset-links.ts': 'people, not organizations',
  'auth/sessions/find-session.ts': 'finds out who calls',
  'auth/guard-organization.ts': 'holds better-auth to the memberships',
  'auth/access/limit-sign-in.ts': 'people, not organizations',
  'auth/lock-user.ts': 'people, not organizations',
  'auth/sessions/note-device.ts': 'people, not organizations',
  'auth/sessions/prolong-session.ts': 'people, not organizations',
  'auth/refuse-banned-link.ts': 'people, not organizations',
  'auth/remove-expired.ts': 'people, not organizations',
  'auth/passkeys/passkey-routes.ts': 'people, not organizations',
  'auth/security-events/list-security-events.ts': 'people, not organizations',
  'auth/security-events/record-security-event.ts': 'people, not organizations',
  'auth/sessions/user-sessions.ts': 'people, not organizations',
  'auth/two-factor/change-two-factor.ts': 'people, not organizations',
  'auth/two-factor/check-password.ts': 'people, not organizations',
  'auth/two-factor/check-second-factor.ts': 'people, not organizations',
  'auth/two-factor/reseal-two-factors.ts': 'a command of the operator, people',
  'contacts/import/remove-expired-rejects.ts': 'the worker, imports of all organizations by their age',
  'bulk-sms/run-batch/advance-batch.ts': 'the worker, finds out whose a batch is',
  'bulk-sms/run-batch/send-page.ts': 'the worker, by batch',
  'backups/settle-after-restore.ts': 'makes all work in progress safe after a restore',
  'bulk-sms/measure-running-batches.ts': 'metrics, of all organizations',
  'dispatches/measure-backlog.ts': 'metrics, of all organizations',
  'gateway/receive-report.ts': 'reads the traces of messages that the gateway names',
  'webhooks/measure-dead-deliveries.ts': 'metrics, of all organizations',
  'operations/check-start.ts': 'migrations',
  'operations/grant-roles.ts': 'roles, as the owner of the tables',
  'operations/measure-pool.ts': 'reads only the counts of the pool',
  'operations/readiness.ts': 'asks only whether the database responds',
  'database.ts': 'defines it',
  'dispatches/find-started.ts': 'dispatches are of several organizations',
  'dispatches/complete-dispatches.ts': 'dispatches are of several organizations',
  'dispatches/start-dispatches.ts': 'dispatches are of several organizations',
  'dispatches/sweep.ts': 'dispatches are of several organizations',
  'dispatches/claim-overdue.ts': 'what is overdue, of all organizations',
  'idempotency/remove-expired-keys.ts': 'the worker, keys of all organizations at once',
  'inbound/keywords/reserve-shared-keyword.ts':
    'finds with whom an organization shares a short code, before it goes within',
  'inbound/handle-message.ts': 'the worker, finds out whose a message is',
  'inbound/list-unrouted-messages.ts': 'for administrators',
  'inbound/process-due-inbound.ts': 'the worker, by dispatch',
  'inbound/receive-inbound.ts': 'the gateway, before it is known whose a message is',
  'messages/are-all-queued.ts': 'the worker, by dispatch',
  'messages/cancel-queued-messages.ts': 'the worker, by batch',
  'messages/list-failed-messages.ts': 'for administrators',
  'messages/reseal-messages.ts': 'a command of the operator, for all organizations',
  'messages/update-statuses.ts': 'reports and outcomes, by the ids of a dispatch',
  'messages/submission/submit-due-messages.ts': 'the worker, by dispatch',
  'notifications/list-notifications.ts': 'what one person was told, also as a person',
  'notifications/notification-feed.ts': 'what persons were told, by the organizations they are members of',
  'notifications/read-notifications.ts': 'what one person was told, also as a person',
  'organizations/expire-invitations.ts': 'better-auth keeps people and memberships',
  'content-rules/create-content-rule.ts': 'for administrators',
  'content-rules/delete-content-rule.ts': 'for administrators',
  'content-rules/list-content-rules.ts': 'for administrators',
  'content-rules/update-content-rule.ts': 'for administrators',
  'organizations/find-unknown-organizations.ts': 'for administrators',
  'organizations/find-invitation.ts': 'finds out who invites a person',
  'organizations/lock-member-role.ts': 'people and memberships',
  'organizations/get-own-member.ts': 'people and memberships',
  'organizations/list-all-organizations.ts': 'for administrators',
  'organizations/limit-organizations.ts': 'counts the organizations of a person',
  'organizations/list-invitations.ts': 'what other organizations offer a person',
  'organizations/notify-invitee.ts': 'what all organizations that wait for a person offer them',
  'organizations/organization-scope.ts': 'defines the walls',
  'organizations/require-organization.ts': 'for administrators',
  'privacy/erasure-page.ts': 'the worker, finds out whose an erasure is',
  'privacy/export-person.ts': 'administrators export what belongs to no organization',
  'privacy/list-erasures.ts': 'administrators list their own erasures',
  'privacy/request-erasure.ts': 'administrators erase what belongs to no organization',
  'privacy/number-hash.ts': 'the key of the hashes, which belongs to the platform',
  'privacy/retention-page.ts': 'the worker, goes within the organization at once',
  'rate-limits/count-requests.ts': 'counts before it is known for whom',
  'schedules/run-due-occurrences.ts': 'the worker, finds out whose a schedule is',
  'security-codes/watch/change-watch.ts': 'for administrators',
  'security-codes/watch/get-watch.ts': 'for administrators',
  'security-codes/watch/list-alarms.ts': 'for administrators',
  'security-codes/watch/measure-alarms.ts': 'metrics, of all organizations',
  'security-codes/watch/release-alarm.ts': 'for administrators',
  'security-codes/watch/watch-conversion.ts': 'the worker, codes of all organizations at once',
  'security-codes/expire-due-codes.ts': 'the worker, by dispatch',
  'webhooks/administer-deliveries.ts': 'administrators look across organizations',
  'redrives/cancel-redrive.ts': 'for administrators',
  'redrives/fail-redrive-on-permanent-error.ts': 'the worker, for administrators',
  'redrives/list-redrives.ts': 'for administrators',
  'redrives/redrive-page.ts': 'the worker, for administrators',
  'redrives/request-redrive.ts': 'for administrators',
  'sender-ids/list-all-sender-ids.ts': 'for administrators',
  'sender-ids/review-sender-id.ts': 'administrators review those of all organizations',
  'sending-controls/change-sending-controls.ts': 'for administrators',
  'sending-controls/get-sending-controls.ts': 'for administrators',
  'sending-controls/remove-ended-counts.ts': 'removes the ended counts of all',
  'streams/find-admitted.ts': 'finds out who may still read',
  'webhooks/attempts/attempt-due-deliveries.ts': 'the worker, by dispatch',
};

test('only the files listed here touch the database beyond an organization', async () => {
  const source = new URL('../../src/', import.meta.url);
  const files = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const outside = files.filter((name) =>
    /\bsqlOf\(|\.em\b(?!\()|acrossOrganizations/.test(
      readFileSync(new URL(name, source), 'utf8').replace(/^import.*$/gm, ''),
    ),
  );
  expect(outside.sort()).toEqual(Object.keys(beyondTheWalls).sort());
});
