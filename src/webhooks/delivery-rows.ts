import { sql } from 'kysely';
import type { DispatchedRows } from '../dispatches/dispatched-rows.ts';

/**
 * Whether a delivery (aliased `candidate`) may be attempted for the first time: the first attempt of each earlier event
 * of its message has ended.
 *
 * The status is not a condition of the search. If it were, the planner might read all pending deliveries, rather than
 * the few of one message: it expects few of them while a plan is kept that was made when there were few.
 */
export const isNextOfMessage = sql`(
  select coalesce(bool_and(earlier.status <> 'pending'), true) from webhook_deliveries earlier
  where earlier.message_id = candidate.message_id and earlier.position < candidate.position
)`;

/** Webhook deliveries, as rows of dispatches. */
export const deliveryRows: DispatchedRows = {
  kind: 'webhooks',
  table: sql`webhook_deliveries`,
  assignable: sql`candidate.status = 'pending' and ${isNextOfMessage}`,
  open: sql`status in ('pending', 'retrying')`,
  endByOthers: false,
  lastReason: sql`(
    select coalesce(error, 'HTTP ' || response_status) from webhook_attempts
    where delivery_id = first_due.id and duration_ms is not null order by number desc limit 1
  )`,
};
