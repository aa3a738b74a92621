import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type RawBuilder } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { startPostgres } from '../scripts/embedded/postgres.ts';
import { sqlOf, type Database, type Sql } from '../src/database.ts';
import { openDatabase } from '../src/open-database.ts';

/** A number that receives one message in a hundred. */
export const hotRecipient = '+251911000000';

/** Opens a new database for the bench, without a schema, with enough memory for many rows. */
export async function openBenchDatabase(): Promise<{ database: Database; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sms-bench-'));
  const postgres = await startPostgres({
    dataDir,
    settings: {
      ...{ shared_buffers: '1GB', maintenance_work_mem: '1GB', max_wal_size: '8GB' },
      // The data are temporary.
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
    },
    log: () => undefined,
  });
  const database = await openDatabase({ url: postgres.url, poolSize: 4 });
  return {
    database,
    stop: async () => {
      await database.close();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Organizations {
  /** Has four of five messages. */
  large: string;
  /** Has one of two thousand. */
  medium: string;
  /** One of the organizations that share the rest: too many for the planner to have statistics for each. */
  small: string;
}

/**
 * Stores messages of a year, in the order of their creation. 96 of 100 are delivered, half of them within three
 * seconds. `cancelled` and the sender OLD were last used long ago. One message in a hundred goes to the number of a
 * probe. The large organization sends some messages in batches, one a day, with one campaign a month.
 */
export async function fillMessages(database: Database, count: number): Promise<Organizations> {
  const db = sqlOf(database);
  const [large, medium] = [uuidv7(), uuidv7()];
  const others = Array.from({ length: 5000 }, () => uuidv7());
  await makeOrganizations(db, [large, medium, ...others]);
  const batches = await makeBatches(db, large);
  await fillYear(db, count, {
    organization: sql`case when luck < 0.8 then ${large} when luck < 0.8005 then ${medium}
      else ${oneOf(others)} end::uuid`,
    batch: sql`case when luck < 0.3
      then (${batches}::uuid[])[1 + n::bigint * ${batches.length - 1}::int / ${count}::int] end`,
  });
  return { large, medium, small: others[0]! };
}

/** Stores messages of a year, of a number of organizations that have about as many each. Returns the organizations. */
export async function fillMessagesEvenly(
  database: Database,
  count: number,
  organizations: number,
): Promise<string[]> {
  const db = sqlOf(database);
  const ids = Array.from({ length: organizations }, () => uuidv7());
  await makeOrganizations(db, ids);
  await fillYear(db, count, { organization: sql`${oneOf(ids)}::uuid`, batch: sql`null::uuid` });
  return ids;
}

function oneOf(ids: string[]): RawBuilder<unknown> {
  return sql`(${ids}::uuid[])[1 + (luck * 100000000)::int % ${ids.length}::int]`;
}

async function makeOrganizations(db: Sql, ids: string[]): Promise<void> {
  await sql`insert into organizations (id, name, slug, created_at)
    select id, 'Acme', id::text, now() from unnest(${ids}::uuid[]) id`.execute(db);
  await sql`insert into sender_ids (id, organization_id, value, status, is_default, use_case, sample_message, created_at)
    select gen_random_uuid(), id, 'A' || right(id::text, 12), 'approved', true, '', '', now() from unnest(${ids}::uuid[]) id`.execute(
    db,
  );
}

/** @param of the organization and the batch of a message, by its number `n` and its random `luck` */
async function fillYear(
  db: Sql,
  count: number,
  of: { organization: RawBuilder<unknown>; batch: RawBuilder<unknown> },
): Promise<void> {
  // An index that is built afterwards takes a tenth of the time.
  const definitions = await indexDefinitions(db);
  for (const { name } of definitions) await sql`drop index ${sql.ref(name)}`.execute(db);
  const startedAt = performance.now();
  const chunk = Math.min(count, 500_000);
  for (let first = 1; first <= count; first += chunk) {
    await sql`
      with drawn as materialized (
        select n, random() as luck, random() as other_luck, random() as third_luck,
          uuidv7(make_interval(secs => 31536000.0 * (n - ${count}::int) / ${count}::int - 60)) as id
        from generate_series(${first}::int, ${Math.min(count, first + chunk - 1)}::int) n
      ), fated as (
        select *, uuid_extract_timestamp(id) as at,
          case when n <= 100 then 'cancelled' when n > ${count}::int - 200 then 'queued' when n > ${count}::int - 600 then 'accepted'
            when other_luck > 0.97 then 'failed' else 'delivered' end as status
        from drawn
      )
      insert into messages (
        id, organization_id, environment, sender, recipient, text, encoding, segments, status, error_code, metadata,
        created_at, accepted_at, sent_at, delivered_at, valid_until, attempts, dispatch_id, bulk_batch_id
      )
      select id,
        ${of.organization},
        case when other_luck < 0.02 then 'test' else 'live' end,
        case when n <= 500 then 'OLD' when third_luck < 0.1 then 'ACME-INFO' else 'ACME' end,
        case when third_luck > 0.99 then ${hotRecipient}
          else '+2519' || lpad((third_luck * 1000000)::int::text, 8, '0') end,
        'Your parcel has arrived at our office in Bole. Come and fetch it with the code on your receipt.',
        'gsm7', 1, status,
        case when status = 'failed' then case when third_luck < 0.8 then 'undelivered' else 'dlr_timeout' end end,
        '{"orderId":"A-1001"}', at, at, at,
        case when status = 'delivered' then at + exp(random_normal(8, 1.2)) * interval '1 ms' end,
        at + interval '3 days', 1, id,
        ${of.batch}
      from fated order by n
    `.execute(db);
  }
  print(`filled in ${seconds(startedAt)}`);
  for (const { definition } of definitions) await sql.raw(definition).execute(db);
  await sql`vacuum analyze messages`.execute(db);
  print(`indexed; ${seconds(startedAt)} in total\n`);
}

async function makeBatches(db: Sql, organizationId: string): Promise<string[]> {
  const [campaigns, batches] = [12, 365].map((count) => Array.from({ length: count }, () => uuidv7())) as [
    string[],
    string[],
  ];
  await sql`insert into campaigns (id, organization_id, name, status, created_at, updated_at)
    select id, ${organizationId}, 'Campaign', 'active', now(), now() from unnest(${campaigns}::uuid[]) id`.execute(
    db,
  );
  await sql`insert into bulk_batches (id, organization_id, environment, campaign_id, contact_list_id, text, sender, status,
      created_by_kind, created_by_id, created_at)
    select id, ${organizationId}, 'live', (${campaigns}::uuid[])[1 + (n - 1) * 12 / 365], gen_random_uuid(), 'Selam', 'ACME',
      'completed', 'user', gen_random_uuid(), now()
    from unnest(${batches}::uuid[]) with ordinality as batch(id, n)`.execute(db);
  return batches;
}

async function indexDefinitions(db: Sql): Promise<{ name: string; definition: string }[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'messages' and indexname <> 'messages_pkey' order by indexname
  `.execute(db);
  return rows;
}

function seconds(startedAtMs: number): string {
  return `${((performance.now() - startedAtMs) / 1000).toFixed(0)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
