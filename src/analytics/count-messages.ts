import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import type { ScopedEntityManager } from '../organizations/organization-scope.ts';
import { timeOfBucket } from './delivery-time.ts';
import type { ReportRange } from './report-range.ts';

/**
 * The number of messages, in total and by their status now: `messages` is the sum of the six statuses. The delivery
 * rate is the share of delivered messages among those with a known outcome: 0 to 1; null while no outcome is known.
 */
export type Counts = Omit<Schemas['AnalyticsTotals'], keyof DeliveryTimes>;

/** The time from creation to delivery, within 2 %; null if nothing was delivered. */
type DeliveryTimes = Pick<Schemas['AnalyticsTotals'], 'medianDeliveryMs' | 'p95DeliveryMs'>;

/**
 * Counts of the messages that were created within a range, by each dimension that a report shows: one row for every
 * day, and the others ordered by the number of messages, highest first.
 */
export type MessageCounts = Omit<Schemas['Analytics'], 'from' | 'to' | 'timezone'>;

/**
 * Counts messages without reading them: from the sums of days that are rolled up, from the counts of each quarter of an
 * hour for the other days, and from the changes that are not folded in yet. It is one statement with one snapshot, in
 * which each change is in exactly one of these. The other days are read one after the other, each as a range of the
 * primary key, and reduced to a few rows; all are added up for every dimension.
 *
 * Delivery times of a year are some hundred thousand rows, which are added up as int and float8: a sum of bigint is
 * numeric, and takes half as long again. Float8 is exact up to 2^53.
 */
export async function countMessages(
  em: ScopedEntityManager,
  { organizationId, visibleEnvironments }: Pick<Principal, 'organizationId' | 'visibleEnvironments'>,
  range: ReportRange,
  sender?: string,
): Promise<MessageCounts> {
  const { dates, bounds } = range;
  const starts = sql`${bounds.map((bound) => bound.toISOString())}::timestamptz[]`;
  const ofReport = sql`organization_id = ${organizationId} and environment = any (${[...visibleEnvironments]}::text[])
      ${sender === undefined ? sql`` : sql`and sender = ${sender}`}`;
  const ofDay = sql`${ofReport} and slot >= first_slot and slot < next_slot`;
  const ofRange = sql`${ofReport} and slot >= ${bounds[0]!} and slot < ${bounds.at(-1)!}`;
  const { rows } = await sql<{ counts: CountRow[] | null; times: TimeRow[] | null }>`
    with days as (
      select first_slot, next_slot, day, organization_id is not null as is_rolled_up
      from unnest(${starts}, (${starts})[2:]) with ordinality as day(first_slot, next_slot, day)
      left join (select * from rolled_up_days where organization_id = ${organizationId}) rolled_up_days
        using (first_slot, next_slot)
      where next_slot is not null
    ), counted_by_day as (
      select day, counted.* from days cross join lateral (
        select sender, bulk_batch_id, error_code, ${sums} from message_counts where ${ofDay} group by 1, 2, 3
      ) counted
      where not is_rolled_up
      union all
      select day, sender, bulk_batch_id, error_code, ${counters}
      from days join message_day_counts on ${ofReport} and slot = first_slot where is_rolled_up
      union all
      select width_bucket(slot, ${starts}), sender, bulk_batch_id, error_code, ${counters}
      from message_count_deltas where ${ofRange}
    ), summed as (
      select grouping(day, sender, bulk_batch_id, error_code) as level, day, sender, bulk_batch_id, error_code, ${sums}
      from counted_by_day
      group by grouping sets ((), (day), (sender), (bulk_batch_id), (error_code))
    ), by_campaign as (
      select bulk_batches.campaign_id, campaigns.name, ${sums}
      from summed
      join bulk_batches on bulk_batches.id = summed.bulk_batch_id
      join campaigns on campaigns.id = bulk_batches.campaign_id
      where level = ${levels.batch}
      group by 1, 2
    ), timed_by_day as (
      select day, timed.* from days cross join lateral (
        select sender, bucket, sum(messages)::int as messages from delivery_time_counts where ${ofDay} group by 1, 2
      ) timed
      where not is_rolled_up
      union all
      select day, sender, bucket, messages
      from days join delivery_time_day_counts on ${ofReport} and slot = first_slot where is_rolled_up
      union all
      select width_bucket(slot, ${starts}), sender, bucket, messages from delivery_time_deltas where ${ofRange}
    ), bucketed as (
      select grouping(day, sender) as level, day, sender, bucket, sum(messages)::float8 as messages
      from timed_by_day
      group by grouping sets ((bucket), (day, bucket), (sender, bucket))
      having sum(messages) <> 0
    ), ranked as (
      select level, day, sender, bucket, sum(messages) over (part order by bucket) as up_to, sum(messages) over part as total
      from bucketed window part as (partition by level, day, sender)
    ), quantiles as (
      select day, sender, min(bucket) filter (where up_to * 100 >= total * 50) as median,
        min(bucket) filter (where up_to * 100 >= total * 95) as p95
      from ranked group by level, day, sender
    )
    select
      (select json_agg(line) from (
        select level, day, sender, null::uuid as campaign_id, null as name, error_code, ${counters}
        from summed where level <> ${levels.batch} and segments is not null
        union all
        select ${levels.batch}, null, null, campaign_id, name, null, ${counters} from by_campaign
      ) line) as counts,
      (select json_agg(quantiles) from quantiles) as times
  `.execute(em.getKysely());
  const { counts, times } = rows[0]!;
  return toReport(dates, counts ?? [], times ?? []);
}

const counterNames = ['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled', 'segments'] as const;
const counters = sql.raw(counterNames.join(', '));
const sums = sql.raw(counterNames.map((name) => `sum(${name}) as ${name}`).join(', '));

/**
 * Which dimension a row of counts belongs to: `grouping(day, sender, bulk_batch_id, error_code)` has a bit for each
 * column that the row is not grouped by.
 */
const levels = { total: 0b1111, day: 0b0111, sender: 0b1011, batch: 0b1101, errorCode: 0b1110 };

type CountRow = Record<(typeof counterNames)[number], number> & {
  level: number;
  day: number | null;
  sender: string | null;
  campaign_id: string | null;
  name: string | null;
  error_code: string | null;
};

/** The row of a day or of a sender; the row of all messages has neither. */
interface TimeRow {
  day: number | null;
  sender: string | null;
  median: number | null;
  p95: number | null;
}

function toReport(dates: string[], rows: CountRow[], times: TimeRow[]): MessageCounts {
  const of = (level: number) => rows.filter((row) => row.level === level);
  const days = new Map(of(levels.day).map((row) => [row.day, row]));
  const timesOf = (day: number | null, sender: string | null): DeliveryTimes => {
    const row = quantiles.get(JSON.stringify([day, sender]));
    return {
      medianDeliveryMs: timeOfBucket(row?.median ?? null),
      p95DeliveryMs: timeOfBucket(row?.p95 ?? null),
    };
  };
  const quantiles = new Map(times.map((row) => [JSON.stringify([row.day, row.sender]), row]));
  const senders = of(levels.sender).map((row) => ({
    sender: row.sender!,
    ...toCounts(row),
    ...timesOf(null, row.sender),
  }));
  const campaigns = of(levels.batch).map((row) => ({
    campaignId: row.campaign_id!,
    name: row.name!,
    ...toCounts(row),
  }));
  const errorCodes = of(levels.errorCode)
    .filter((row) => row.error_code !== '')
    .map((row) => ({ errorCode: row.error_code!, messages: toCounts(row).messages }));
  return {
    totals: { ...toCounts(of(levels.total)[0]), ...timesOf(null, null) },
    // Days are numbered from 1.
    daily: dates.map((date, index) => ({
      date,
      ...toCounts(days.get(index + 1)),
      ...timesOf(index + 1, null),
    })),
    senders: senders.filter(hasMessages).sort(byMessages((row) => row.sender)),
    campaigns: campaigns.filter(hasMessages).sort(byMessages((row) => row.name + row.campaignId)),
    errorCodes: errorCodes.filter(hasMessages).sort(byMessages((row) => row.errorCode)),
  };
}

function toCounts(row: CountRow | undefined): Counts {
  const {
    queued = 0,
    accepted = 0,
    sent = 0,
    delivered = 0,
    failed = 0,
    cancelled = 0,
    segments = 0,
  } = row ?? {};
  const messages = queued + accepted + sent + delivered + failed + cancelled;
  const known = delivered + failed;
  const deliveryRate = known === 0 ? null : Math.round((delivered / known) * 10_000) / 10_000;
  return { messages, segments, queued, accepted, sent, delivered, failed, cancelled, deliveryRate };
}

/** A row that all its messages have left, through deletion or a change of error code, exists until it is folded. */
function hasMessages({ messages }: { messages: number }): boolean {
  return messages > 0;
}

function byMessages<Row extends { messages: number }>(name: (row: Row) => string) {
  return (one: Row, other: Row): number =>
    other.messages - one.messages || (name(one) < name(other) ? -1 : 1);
}
