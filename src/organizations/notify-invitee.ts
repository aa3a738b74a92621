import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';
import { invitationReceived } from '../notifications/notification-events.ts';
import { recordNotifications } from '../notifications/record-notifications.ts';

/**
 * Notifies the invited user, in the transaction that stores the invitation. Only a user with a confirmed address can be
 * notified here. Others are notified when they confirm their address (`notifyPendingInvitations`).
 *
 * @param answer the response of better-auth to `invite-member`: the invitation
 */
export async function notifyInvitee(
  em: EntityManager,
  answer: Record<string, unknown>,
  now: Date,
): Promise<void> {
  const ofInvitation = sql`where id = ${answer['id']}`;
  // The user is locked even if the address is not confirmed. A confirmation that starts later waits for this invitation
  // and then sees it. A confirmation that started earlier is waited for, and its result is then seen here.
  const invitee = sql`where email = (select lower(email) from invitations ${ofInvitation}) for share`;
  await notify(em.getKysely<unknown>(), invitee, ofInvitation, now);
}

/**
 * Notifies a user whose address is confirmed of their pending invitations: those that were sent before they confirmed
 * the address or signed up. Each invitation is notified once, however often this runs. Runs in the surrounding
 * transaction, or otherwise in its own.
 */
export async function notifyPendingInvitations(database: Database, userId: string, now: Date): Promise<void> {
  const ofUser = sql`where id = ${userId}`;
  // Invitations locked by other transactions are skipped. If one is answered or cancelled, no notification is needed.
  // If one is sent again, that transaction notifies the user. It already waits for this user's row, so waiting for it
  // here would be a deadlock.
  const waiting = sql`
    where email = (select email from users ${ofUser}) and status = 'pending' and expires_at > ${now}
    for share skip locked
  `;
  const around = sqlOf(database);
  if (around.isTransaction) await notify(around, ofUser, waiting, now);
  else await around.transaction().execute((transaction) => notify(transaction, ofUser, waiting, now));
}

/** @param users, @param invitations the conditions that select them, from `where` on */
async function notify(
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
