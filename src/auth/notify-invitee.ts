import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';
import { invitationReceived } from '../notifications/notification-events.ts';
import { recordNotifications } from '../notifications/record-notifications.ts';

/**
 * Tells who is invited, in the transaction that stores the invitation. Only a user who has proven that the address is
 * his can be told here; others are once they prove it (`notifyPendingInvitations`).
 *
 * @param answer better-auth's to `invite-member`: the invitation
 */
export async function notifyInvitee(
  em: EntityManager,
  answer: Record<string, unknown>,
  now: Date,
): Promise<void> {
  const ofInvitation = sql`where id = ${answer['id']}`;
  // Locked although he may not have proven it: who is about to waits for this invitation, and then sees it; who has
  // begun to is waited for, and then seen to have.
  const invitee = sql`where email = (select lower(email) from invitations ${ofInvitation}) for share`;
  await tell(em.getKysely<unknown>(), invitee, ofInvitation, now);
}

/**
 * Tells a user, if his address is confirmed, of the invitations that wait for it: those that were sent before he had
 * confirmed it, or signed up. Of each he is told once, however often this runs. Takes place in the transaction around
 * it, or else in one of its own.
 */
export async function notifyPendingInvitations(database: Database, userId: string, now: Date): Promise<void> {
  const ofUser = sql`where id = ${userId}`;
  // What others are changing is passed over. If it is answered or cancelled, there is nothing to tell of; who sends it
  // again tells of it himself, and waits for this user already: to wait for him would be without end.
  const waiting = sql`
    where email = (select email from users ${ofUser}) and status = 'pending' and expires_at > ${now}
    for share skip locked
  `;
  const around = sqlOf(database);
  if (around.isTransaction) await tell(around, ofUser, waiting, now);
  else await around.transaction().execute((transaction) => tell(transaction, ofUser, waiting, now));
}

/** @param users, @param invitations which, from `where` on */
async function tell(
  db: Sql,
  users: RawBuilder<unknown>,
  invitations: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  const { rows } = await sql<Parameters<typeof invitationReceived>[0]>`
    with invitee as materialized (
      select id, email_verified from users ${users}
    ), invitation as materialized (
      select id, organization_id, role from invitations ${invitations}
    )
    select invitation.id, invitee.id as "inviteeId", organizations.id as "organizationId",
      organizations.name as "organizationName", invitation.role
    from invitee cross join invitation
    join organizations on organizations.id = invitation.organization_id
    where invitee.email_verified order by invitation.id
  `.execute(db);
  await recordNotifications(db, rows.map(invitationReceived), now);
}
