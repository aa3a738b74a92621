import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { readEndedNotifications } from '../notifications/read-notifications.ts';

/**
 * Marks the notifications of closed invitations as read, in the transaction that closes them: an invitation that was
 * answered, was cancelled or has expired needs no attention. The transaction that created the notification has already
 * committed, because both lock the row of the invitation.
 */
export async function readEndedInvitations(db: Sql, ids: string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const ended = sql`
    select users.id as user_id, invitations.id::text as occurrence
    from invitations join users on users.email = lower(invitations.email)
    where invitations.id = any(${ids}::uuid[]) and invitations.status <> 'pending'
  `;
  await readEndedNotifications(db, 'invitation_received', ended, now);
}
