import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/**
 * Marks the notifications of closed invitations as read, in the transaction that closes them: an invitation that was
 * answered, was cancelled or has expired needs no attention. The transaction that created the notification has already
 * committed, because both lock the row of the invitation.
 */
export async function readEndedInvitations(db: Sql, ids: string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update notifications set read_at = ${now}
    from invitations join users on users.email = lower(invitations.email)
    where invitations.id = any(${ids}::uuid[]) and invitations.status <> 'pending'
      and notifications.user_id = users.id and notifications.kind = 'invitation_received'
      and notifications.occurrence = invitations.id::text and notifications.read_at is null
  `.execute(db);
}
