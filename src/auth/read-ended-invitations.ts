import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/**
 * Marks as read what was told of invitations that wait for no answer any more, in the transaction that ends them: an
 * invitation that was answered, cancelled or has expired is nothing to be looked at. Who told of one before has
 * committed, for both hold its row.
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
