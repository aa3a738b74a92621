import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import type { Database } from '../../database.ts';
import { ApiError, notFound } from '../../errors.ts';
import type { LiveSession } from './find-session.ts';
import { hashSessionToken } from './session-token.ts';
import { Session } from './session.entity.ts';
import { User } from '../user.entity.ts';

/**
 * Ends a session that impersonates someone, and finds the administrator's own session. The impersonation ends first, so
 * that a later failure cannot prolong it.
 *
 * Errors: invalid_state, for a session that impersonates nobody; not_found, if the administrator no longer exists.
 *
 * @param ownToken the token of the administrator's own session; null if the browser has not kept it
 * @returns the administrator, and their own session if it is still valid
 */
export async function endImpersonation(
  database: Database,
  session: LiveSession,
  ownToken: string | null,
  now: Date,
): Promise<{ administrator: User; own: Session | null }> {
  if (session.impersonatedBy === null) {
    throw new ApiError('invalid_state', 'This session does not impersonate a user.');
  }
  const em = database.em.fork();
  await em.transactional(async (transaction) => {
    await transaction.nativeDelete(Session, { id: session.id });
    recordAuditEvent(
      transaction,
      {
        actor: { kind: 'user', id: session.userId },
        impersonatedBy: session.impersonatedBy,
        organizationId: null,
      },
      { action: 'user.impersonation_ended', subjectId: session.userId },
    );
  });
  const administrator = await em.findOne(User, { id: session.impersonatedBy });
  if (!administrator) throw notFound();
  const own =
    ownToken === null
      ? null
      : await em.findOne(Session, {
          token: hashSessionToken(ownToken),
          user: administrator.id,
          expiresAt: { $gt: now },
        });
  return { administrator, own };
}
