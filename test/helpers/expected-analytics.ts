import { timeOfBucket } from '../../src/analytics/delivery-time.ts';
import { bucketOf } from './counted.ts';
import type { TestDatabase } from './databases.ts';

interface StoredMessage {
  date: string | null;
  sender: string;
  campaign: string | null;
  errorCode: string | null;
  status: 'queued' | 'accepted' | 'sent' | 'delivered' | 'failed' | 'cancelled';
  segments: number;
  ms: number | null;
}

/**
 * What analytics of an organization are to contain, by reading each of its messages: for days of its time zone, as
 * PostgreSQL knows the zone. Lists have the order of the response for totals that differ.
 */
export async function expectAnalytics(
  db: Pick<TestDatabase, 'query'>,
  organizationId: string,
  { from, to, timezone }: { from: string; to: string; timezone: string },
): Promise<object> {
  const messages = await db.query<StoredMessage>(
    `select * from (
      select to_char(messages.created_at at time zone ?, 'YYYY-MM-DD') as date, messages.sender, messages.status, segments,
        error_code as "errorCode", campaign_id as campaign,
        (extract(epoch from delivered_at - messages.created_at) * 1000)::float8 as ms
      from messages left join bulk_batches on bulk_batches.id = bulk_batch_id where messages.organization_id = ?
    ) message where date between ? and ?`,
    [timezone, organizationId, from, to],
  );
  const groups = (key: (message: StoredMessage) => string | null) =>
    new Map(
      [...Map.groupBy(messages, key)].filter(
        (entry): entry is [string, StoredMessage[]] => entry[0] !== null,
      ),
    );
  const senders = [...groups((message) => message.sender)];
  const campaigns = [...groups((message) => message.campaign)];
  const codes = [...groups((message) => message.errorCode)];
  return {
    totals: { ...summarize(messages), ...timesOf(messages) },
    daily: [...groups((message) => message.date)]
      .map(([date, ofDay]) => ({ date, ...summarize(ofDay), ...timesOf(ofDay) }))
      .sort((one, other) => (one.date < other.date ? -1 : 1)),
    senders: byName(senders.map(([sender, some]) => ({ sender, ...summarize(some), ...timesOf(some) }))),
    campaigns: byName(campaigns.map(([campaignId, some]) => ({ campaignId, ...summarize(some) }))),
    errorCodes: byName(codes.map(([errorCode, some]) => ({ errorCode, messages: some.length }))),
  };
}

/** Rows in an order that does not depend on how many messages each has. */
export function byName<Row extends object>(rows: Row[]): Row[] {
  return rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

function summarize(messages: StoredMessage[]): object {
  const of = (status: StoredMessage['status']): number =>
    messages.filter((message) => message.status === status).length;
  const [delivered, failed] = [of('delivered'), of('failed')];
  return {
    messages: messages.length,
    segments: messages.reduce((sum, message) => sum + message.segments, 0),
    ...{ queued: of('queued'), accepted: of('accepted'), sent: of('sent'), delivered, failed },
    cancelled: of('cancelled'),
    deliveryRate:
      delivered + failed === 0 ? null : Math.round((delivered / (delivered + failed)) * 10_000) / 10_000,
  };
}

function timesOf(messages: StoredMessage[]): object {
  const buckets = messages
    .flatMap(({ ms }) => (ms === null ? [] : [bucketOf(ms)]))
    .toSorted((one, other) => one - other);
  const quantile = (share: number) => timeOfBucket(buckets[Math.ceil(buckets.length * share) - 1] ?? null);
  return { medianDeliveryMs: quantile(0.5), p95DeliveryMs: quantile(0.95) };
}
