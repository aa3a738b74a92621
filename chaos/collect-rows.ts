import type { Pool } from 'pg';
import type { StoredRows, Totals } from './evidence.ts';

const statements: Record<keyof StoredRows, string> = {
  messages: `
    select id, metadata ->> 'token' as token, status, error_code as "errorCode", segments,
      webhook_url as "webhookUrl", accepted_at as "acceptedAt", sent_at as "sentAt", bulk_batch_id as "batchId"
    from messages order by id`,
  events: `select message_id as "messageId", kind, status, details from message_events order by message_id, id`,
  deliveries: `select id, message_id as "messageId", event, position, status from webhook_deliveries`,
  attempts: `
    select delivery_id as "deliveryId", number, response_status as "responseStatus", error,
      duration_ms as "durationMs"
    from webhook_attempts order by delivery_id, number`,
  codes: `select id, status, attempts from security_codes`,
  schedules: `
    select id, status, created_count as created, failed_count as failed, missed_count as missed,
      skipped_count as skipped,
      (select coalesce(json_agg(message_id), '[]') from schedule_runs
        where schedule_id = message_schedules.id and message_id is not null) as "messageIds"
    from message_schedules`,
  batches: `
    select id, status, total,
      (select count(*)::int from bulk_recipients where batch_id = bulk_batches.id) as recipients,
      (select count(*)::int from bulk_recipients
        where batch_id = bulk_batches.id and message_id is null and refusal is null) as forgotten,
      (select count(*)::int from messages where bulk_batch_id = bulk_batches.id) as messages
    from bulk_batches`,
  inbound: `
    select provider_message_id as "providerMessageId", status,
      (select count(*)::int from messages where answers_inbound_id = inbound_messages.id) as replies
    from inbound_messages`,
};

/** Reads what is stored about the run. */
export async function collectRows(database: Pool): Promise<StoredRows> {
  const rows: Partial<Record<keyof StoredRows, unknown[]>> = {};
  for (const [name, statement] of Object.entries(statements)) {
    rows[name as keyof StoredRows] = (await database.query(statement)).rows;
  }
  return rows as unknown as StoredRows;
}

/**
 * Counts the messages as analytics do, but by reading each.
 *
 * @param environment of the key that reads the analytics. Replies to messages from phones are always live.
 */
export async function countMessages(database: Pool, environment: 'test' | 'live'): Promise<Totals> {
  const { rows } = await database.query<Totals>(
    `
    select count(*)::int as messages, coalesce(sum(segments), 0)::int as segments,
      count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'accepted')::int as accepted,
      count(*) filter (where status = 'sent')::int as sent,
      count(*) filter (where status = 'delivered')::int as delivered,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'cancelled')::int as cancelled
    from messages where environment = $1`,
    [environment],
  );
  return rows[0]!;
}
