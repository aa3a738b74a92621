import { bucketGrowth } from '../../src/analytics/delivery-time.ts';
import type { TestDatabase } from './databases.ts';

const keys = 'organization_id, environment, slot, sender, bulk_batch_id, error_code';
const counters = ['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled', 'segments'];
const slot = `to_timestamp(floor(extract(epoch from created_at) / 900) * 900)`;

/** The bucket of a delivery time, which the triggers compute in SQL (migrations/). */
export function bucketOf(milliseconds: number): number {
  return Math.ceil(Math.log(Math.max(milliseconds, 1)) / Math.log(bucketGrowth));
}

/** The sums of rolled-up days that differ from the counts of their slots, and those that belong to no such day. */
function wrongDays(name: 'message' | 'delivery_time', groups: string, sums: string[]): string {
  const summed = `select organization_id, environment, first_slot as slot, ${groups},
    ${sums.map((each) => `sum(${each}) as ${each}`).join(', ')}
    from rolled_up_days join ${name}_counts using (organization_id)
    where slot >= first_slot and slot < next_slot group by 1, 2, 3, ${groups}`;
  const kept = `select organization_id, environment, slot, ${groups}, ${sums.join(', ')} from ${name}_day_counts`;
  return `select to_json(one) as line from (${summed} except all ${kept}) one
    union all select to_json(other) from (${kept} except all ${summed}) other`;
}

/**
 * Compares the stored counts of all messages with a count of the messages themselves, and the sums of days with the
 * counts, in one snapshot. Returns the differences; all lists are empty if there are none.
 */
export async function findMiscounts(
  db: Pick<TestDatabase, 'query'>,
): Promise<{ counts: object[]; times: object[]; days: object[] }> {
  const [row] = await db.query<{
    counts: object[] | null;
    days: object[] | null;
    delivered: { key: string; ms: number }[] | null;
    times: { key: string; bucket: number; messages: number }[] | null;
  }>(`
    with kept as (
      select ${keys}, ${counters.map((name) => `sum(${name}) as ${name}`).join(', ')}
      from (
        select ${keys}, ${counters.join(', ')} from message_counts
        union all select ${keys}, ${counters.join(', ')} from message_count_deltas
      ) both_tables
      group by ${keys} having ${counters.map((name) => `sum(${name}) <> 0`).join(' or ')}
    ), counted as (
      select organization_id, environment, ${slot} as slot, sender,
        coalesce(bulk_batch_id, '00000000-0000-0000-0000-000000000000') as bulk_batch_id,
        coalesce(error_code, '') as error_code,
        ${counters
          .slice(0, -1)
          .map((name) => `count(*) filter (where status = '${name}') as ${name}`)
          .join(', ')},
        sum(segments) as segments
      from messages group by 1, 2, 3, 4, 5, 6
    )
    select
      (select json_agg(differing) from (
        (select 'kept' as side, * from (select * from kept except all select * from counted) one)
        union all (select 'counted', * from (select * from counted except all select * from kept) other)
      ) differing) as counts,
      (select json_agg(json_build_object(
        'key', concat_ws('|', organization_id, environment, ${slot}, sender),
        'ms', extract(epoch from delivered_at - created_at) * 1000
      )) from messages where delivered_at is not null) as delivered,
      (select json_agg(time) from (
        select concat_ws('|', organization_id, environment, slot, sender) as key, bucket, sum(messages)::int as messages
        from (
          select organization_id, environment, slot, sender, bucket, messages from delivery_time_counts
          union all select organization_id, environment, slot, sender, bucket, messages from delivery_time_deltas
        ) both_tables
        group by 1, 2 having sum(messages) <> 0
      ) time) as times,
      (select json_agg(line) from (
        ${wrongDays('message', 'sender, bulk_batch_id, error_code', counters)}
        union all ${wrongDays('delivery_time', 'sender, bucket', ['messages'])}
      ) wrong) as days
  `);
  const expected = new Map<string, number>();
  for (const { key, ms } of row!.delivered ?? []) {
    const name = `${key}|${bucketOf(ms)}`;
    expected.set(name, (expected.get(name) ?? 0) + 1);
  }
  const times: object[] = [];
  for (const { key, bucket, messages } of row!.times ?? []) {
    const name = `${key}|${bucket}`;
    if (expected.get(name) !== messages) times.push({ name, kept: messages, counted: expected.get(name) });
    expected.delete(name);
  }
  for (const [name, counted] of expected) times.push({ name, kept: undefined, counted });
  return { counts: row!.counts ?? [], times, days: row!.days ?? [] };
}

export const exact = { counts: [], times: [], days: [] };
