import { sql } from 'kysely';
import { sqlOf, type Sql } from '../src/database.ts';
import { openBenchDatabase } from './fill-messages.ts';

const groups = 40;
const groupSize = 200;

const state = `status text not null, due_at timestamptz(3) not null, attempts smallint not null,
  outcome_unknown boolean not null, dispatch_id uuid, error_code text, updated_at timestamptz(3)`;
const content = `organization_id uuid not null, environment text not null, sender text not null, recipient text not null,
  text text not null, encoding text not null, segments smallint not null, metadata jsonb not null,
  created_at timestamptz(3) not null, valid_until timestamptz(3) not null`;
const open = `where status in ('queued', 'accepted', 'sent')`;
const updates = [
  `dispatch_id = gen_random_uuid()`,
  `attempts = 1, outcome_unknown = true, due_at = now() + interval '75 s'`,
  `status = 'accepted', outcome_unknown = false, due_at = now() + interval '2 days'`,
  `status = 'sent', updated_at = now()`,
  `status = 'delivered', updated_at = now()`,
];

interface Layout {
  name: string;
  schema: string;
  insert: string;
  update: (change: string) => string;
}

const newRows = `select gen_random_uuid() as id, '019aa000-0000-7000-8000-000000000001'::uuid as organization_id,
  'live' as environment, 'SHOP' as sender, '+2519' || (10000000 + i + $1)::text as recipient,
  'Message ' || i || ' of the bench' as text, 'gsm7' as encoding, 1 as segments, '{}'::jsonb as metadata,
  now() as created_at, now() + interval '2 days' as valid_until from generate_series(1, ${groupSize}) i`;
const contentColumns =
  'id, organization_id, environment, sender, recipient, text, encoding, segments, metadata, created_at, valid_until';
const newState = `'queued', now(), 0, false`;

const oneRow = (name: string, indexes: string): Layout => ({
  name,
  schema: `create table messages (id uuid primary key, ${content}, ${state}) with (fillfactor = 75);
    create index on messages (organization_id, environment, id);
    create index on messages (dispatch_id) ${open};
    create index on messages (id) where dispatch_id is null and status = 'queued'; ${indexes}`,
  insert: `insert into messages (${contentColumns}, status, due_at, attempts, outcome_unknown)
    select *, ${newState} from (${newRows}) rows returning id`,
  update: (change) => `update messages set ${change} where id = any($1::uuid[])`,
});
const byStatus = 'create index on messages (organization_id, environment, status, id);';
const bySender = `create index on messages (organization_id, environment, recipient, status, id);
  create index on messages (organization_id, environment, sender, status, id);`;
const bySenderOnly = `create index on messages (organization_id, environment, recipient, id);
  create index on messages (organization_id, environment, sender, id);`;

const layouts: Layout[] = [
  oneRow('one row, as it is', byStatus + bySender),
  oneRow('one row, sender and recipient without status', byStatus + bySenderOnly),
  oneRow('one row, without sender and recipient', byStatus),
  oneRow('one row, without any of the three', ''),
  {
    name: 'message and state',
    schema: `create table messages (id uuid primary key, ${content});
      create index on messages (organization_id, environment, id);
      create index on messages (organization_id, environment, recipient, id);
      create index on messages (organization_id, environment, sender, id);
      create table states (id uuid primary key, organization_id uuid not null, environment text not null, ${state}) with (fillfactor = 75);
      create index on states (organization_id, environment, status, id);
      create index on states (dispatch_id) ${open};
      create index on states (id) where dispatch_id is null and status = 'queued';`,
    insert: `with content as (insert into messages (${contentColumns}) ${newRows} returning *)
      insert into states (id, organization_id, environment, status, due_at, attempts, outcome_unknown)
      select id, organization_id, environment, ${newState} from content returning id`,
    update: (change) => `update states set ${change} where id = any($1::uuid[])`,
  },
];
/**
 * Compares layouts of the message's row by WAL and time: each message is inserted, assigned, claimed, and changes its
 * status three times, in groups of 200. Timelines and counts, which are the same in every layout, are left out.
 */
export async function rowLayoutsBench(): Promise<void> {
  for (const layout of layouts) {
    const { database, stop } = await openBenchDatabase();
    try {
      const { bytes, microseconds } = await measureLayout(sqlOf(database), layout);
      const figures = `${bytes.toFixed(0)} bytes of WAL, ${microseconds.toFixed(0)} µs a message`;
      process.stdout.write(`${layout.name.padEnd(50)} ${figures}\n`);
    } finally {
      await stop();
    }
  }
}

async function measureLayout(db: Sql, layout: Layout): Promise<{ bytes: number; microseconds: number }> {
  const execute = (text: string) => sql.raw<{ id: string }>(text).execute(db);
  await execute(layout.schema);
  const before = await readWalBytes(db);
  const startedAt = performance.now();
  for (let group = 0; group < groups; group += 1) {
    const { rows } = await execute(layout.insert.replace('$1', String(group * groupSize)));
    const ids = `'{${rows.map(({ id }) => id).join()}}'`;
    for (const change of updates) await execute(layout.update(change).replace('$1', ids));
  }
  const messages = groups * groupSize;
  return {
    microseconds: ((performance.now() - startedAt) * 1000) / messages,
    bytes: ((await readWalBytes(db)) - before) / messages,
  };
}

async function readWalBytes(db: Sql): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes
  `.execute(db);
  return Number(rows[0]!.bytes);
}
