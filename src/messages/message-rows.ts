import { sql } from 'kysely';
import type { DispatchedRows } from '../dispatches/dispatched-rows.ts';
import { isSendingCapped, isSendingHeld } from '../sending-controls/sending-conditions.ts';

const isHeld = isSendingHeld({
  organizationId: 'messages.organization_id',
  environment: 'messages.environment',
});

const isCapped = isSendingCapped({
  organizationId: 'messages.organization_id',
  environment: 'messages.environment',
  at: sql`now()`,
});

/** Messages, as rows of dispatches. */
export const messageRows: DispatchedRows = {
  kind: 'messages',
  table: sql`messages`,
  assignable: sql`candidate.status = 'queued'`,
  open: sql`status in ('queued', 'accepted', 'sent')`,
  endByOthers: true,
  lastReason: sql`coalesce((
    select case when ${isHeld} then 'sending_held'
      when ${isCapped} and messages.cap_counted is null and messages.attempts = 0 then 'sending_cap_reached' end
    from messages where messages.id = first_due.id and messages.status = 'queued'
  ), (
    select coalesce(details->>'reason', details->>'outcome') from message_events
    where message_id = first_due.id and kind in ('submission_answered', 'submission_doubtful')
    order by message_events.id desc limit 1
  ))`,
};
