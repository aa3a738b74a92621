import { sql } from 'kysely';
import type { DispatchedRows } from '../dispatches/dispatched-rows.ts';
import { isSendingHeld } from '../sending-controls/sending-conditions.ts';

const isHeld = isSendingHeld({
  organizationId: 'messages.organization_id',
  environment: 'messages.environment',
});

/** Messages, as rows of dispatches. */
export const messageRows: DispatchedRows = {
  kind: 'messages',
  table: sql`messages`,
  assignable: sql`candidate.status = 'queued'`,
  open: sql`status in ('queued', 'accepted', 'sent')`,
  endByOthers: true,
  lastReason: sql`coalesce((
    select 'sending_held' from messages
    where messages.id = first_due.id and messages.status = 'queued' and ${isHeld}
  ), (
    select coalesce(details->>'reason', details->>'outcome') from message_events
    where message_id = first_due.id and kind in ('submission_answered', 'submission_doubtful')
    order by message_events.id desc limit 1
  ))`,
};
