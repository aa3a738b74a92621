import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../database.ts';
import { environments } from '../principal.ts';

/** The periods of the rules, in days; null: kept. */
export type RetentionPeriods = Record<
  'textDays' | 'numberDays' | 'inboundDays' | 'webhookBodyDays',
  number | null
>;

/** What is counted of the discarded rows. */
export type Counter = 'messageTexts' | 'messageNumbers' | 'inboundMessages' | 'webhookBodies';

/** A part of each day's work: rows of one table, in the order of their ids, along an index. */
export interface RetentionStep {
  name: string;
  period: keyof RetentionPeriods;
  counter: Counter;
  table: string;
  /** The condition that, together with the organization, selects a part of an index. */
  within: RawBuilder<unknown>;
  /** Discards what it may of these rows, and returns the number of changed ones. Of batches: null. */
  discard: ((db: Sql, ids: string[], before: Date) => Promise<number>) | null;
}

/** Messages whose text or number may go. Of others, something is still to be sent or reported. */
const isFinal = sql`status in ('delivered', 'failed', 'cancelled')`;

/** The same rule as `maskNumber`, for a column. */
export function maskedColumn(column: string): RawBuilder<string> {
  const number = sql.ref(column);
  return sql`case when length(${number}) < 7 then repeat('*', length(${number}))
    else left(${number}, 4) || repeat('*', length(${number}) - 6) || right(${number}, 2) end`;
}

/** Steps for live and test separately: the indexes begin with organization and environment. */
const ofEach = (step: Omit<RetentionStep, 'within'>, more = sql`true`): RetentionStep[] =>
  environments.map((environment) => ({
    ...step,
    name: `${step.name}:${environment}`,
    within: sql`environment = ${environment} and ${more}`,
  }));

/** In the order in which a day does them. */
export const retentionSteps: readonly RetentionStep[] = [
  ...ofEach({
    name: 'message_texts',
    period: 'textDays',
    counter: 'messageTexts',
    table: 'messages',
    discard: discardTexts,
  }),
  ...ofEach({
    name: 'message_numbers',
    period: 'numberDays',
    counter: 'messageNumbers',
    table: 'messages',
    discard: maskNumbers,
  }),
  ...ofEach(
    {
      name: 'bulk_recipients',
      period: 'numberDays',
      counter: 'messageNumbers',
      table: 'bulk_batches',
      discard: null,
    },
    sql`status in ('completed', 'cancelled', 'failed')`,
  ),
  ...ofEach({
    name: 'schedules',
    period: 'numberDays',
    counter: 'messageNumbers',
    table: 'message_schedules',
    discard: maskSchedules,
  }),
  {
    name: 'inbound_messages',
    period: 'inboundDays',
    counter: 'inboundMessages',
    table: 'inbound_messages',
    within: sql`true`,
    discard: discardInbound,
  },
  ...['delivered', 'dead'].flatMap((status) =>
    ofEach(
      {
        name: `webhook_bodies:${status}`,
        period: 'webhookBodyDays',
        counter: 'webhookBodies',
        table: 'webhook_deliveries',
        discard: discardBodies,
      },
      sql`status = ${status}`,
    ),
  ),
];

async function run(db: Sql, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(db)).numAffectedRows ?? 0n);
}

/** The stored text of a security code never contains the code, and stays. */
function discardTexts(db: Sql, ids: string[]): Promise<number> {
  return run(
    db,
    sql`
    with page as (
      select id from messages
      where id = any(${ids}::uuid[]) and ${isFinal} and text <> '' and not one_time_text
      order by id for no key update
    )
    update messages set text = '' from page where messages.id = page.id`,
  );
}

async function maskNumbers(db: Sql, ids: string[]): Promise<number> {
  await sql`
    update security_codes set recipient = ${maskedColumn('recipient')}
    where message_id = any(${ids}::uuid[]) and status <> 'pending' and recipient not like '%*%'
  `.execute(db);
  return run(
    db,
    sql`
    with page as (
      select id from messages where id = any(${ids}::uuid[]) and ${isFinal} and recipient not like '%*%'
      order by id for no key update
    )
    update messages set recipient = ${maskedColumn('recipient')} from page where messages.id = page.id`,
  );
}

/**
 * Masks up to `limit` recipients of a batch behind a position, and discards the fields of their contacts. Batches that
 * have ended never read them again.
 */
export async function maskRecipients(
  db: Sql,
  { id, after, limit }: { id: string; after: number; limit: number },
): Promise<{ examined: number; last: number | null; changed: number }> {
  const { rows } = await sql<{ examined: number; last: number | null; changed: number }>`
    with page as (
      select position from bulk_recipients where batch_id = ${id} and position > ${after}
      order by position limit ${limit}
    ), changed as (
      update bulk_recipients set recipient = ${maskedColumn('recipient')}, fields = null
      where batch_id = ${id} and position > ${after} and position <= (select max(position) from page)
        and recipient not like '%*%'
      returning 1
    )
    select (select count(*)::int from page) as examined, (select max(position) from page) as last,
      (select count(*)::int from changed) as changed
  `.execute(db);
  return rows[0]!;
}

function maskSchedules(db: Sql, ids: string[], before: Date): Promise<number> {
  return run(
    db,
    sql`
    update message_schedules set recipient = ${maskedColumn('recipient')}, text = ''
    where id = any(${ids}::uuid[]) and status in ('completed', 'cancelled')
      and coalesce(last_run_at, created_at) < ${before} and recipient not like '%*%'`,
  );
}

function discardInbound(db: Sql, ids: string[]): Promise<number> {
  return run(
    db,
    sql`
    with page as (
      select id from inbound_messages
      where id = any(${ids}::uuid[]) and status in ('processed', 'failed', 'unmatched') and sender not like '%*%'
      order by id for no key update
    )
    update inbound_messages set text = '', sender = ${maskedColumn('sender')}
    from page where inbound_messages.id = page.id`,
  );
}

async function discardBodies(db: Sql, ids: string[]): Promise<number> {
  await sql`
    update webhook_attempts set response_body = null
    where delivery_id = any(${ids}::uuid[]) and response_body is not null
  `.execute(db);
  return run(
    db,
    sql`
    with page as (
      select id from webhook_deliveries
      where id = any(${ids}::uuid[]) and status in ('delivered', 'dead') and body <> ''
      order by id for no key update
    )
    update webhook_deliveries set body = '' from page where webhook_deliveries.id = page.id`,
  );
}
