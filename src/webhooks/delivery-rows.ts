import { sql } from 'kysely';
import type { DispatchedRows } from '../dispatches/dispatched-rows.ts';

/** Webhook deliveries, as rows of dispatches. */
export const deliveryRows: DispatchedRows = {
  kind: 'webhooks',
  table: sql`webhook_deliveries`,
  // The webhook events of a message are sent in order: an event waits until the first attempt of each earlier one has
  // ended.
  assignable: sql`candidate.status = 'pending' and not exists (
    select from webhook_deliveries earlier
    where earlier.message_id = candidate.message_id
      and earlier.position < candidate.position and earlier.status = 'pending'
  )`,
  open: sql`status in ('pending', 'retrying')`,
  lastReason: sql`(
    select coalesce(error, 'HTTP ' || response_status) from webhook_attempts
    where delivery_id = first_due.id and duration_ms is not null order by number desc limit 1
  )`,
};
