import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { invitationReceived } from '../notifications/notification-events.ts';
import { recordNotifications } from '../notifications/record-notifications.ts';

/**
 * Tells who is invited, in the transaction that stores the invitation. Only a user who has proven that the address is
 * his can be told here; whoever signs up later finds the invitation by the mail, and in the list of his invitations.
 *
 * @param answer better-auth's to `invite-member`: the invitation
 */
export async function tellInvited(
  em: EntityManager,
  answer: Record<string, unknown>,
  now: Date,
): Promise<void> {
  const db = em.getKysely<unknown>();
  const { rows } = await sql<Parameters<typeof invitationReceived>[0]>`
    select invitations.id, users.id as "inviteeId", organizations.id as "organizationId",
      organizations.name as "organizationName", invitations.role
    from invitations
    join organizations on organizations.id = invitations.organization_id
    join users on users.email = lower(invitations.email) and users.email_verified
    where invitations.id = ${answer['id']}
  `.execute(db);
  await recordNotifications(db, rows.map(invitationReceived), now);
}
