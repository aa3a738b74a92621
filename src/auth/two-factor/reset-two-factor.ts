import { validate as isUuid } from 'uuid';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import type { Database } from '../../database.ts';
import { ApiError, notFound } from '../../errors.ts';
import { inAccountTransaction } from '../account-transaction.ts';
import type { Administrator } from '../administrator.ts';
import { lockUser } from '../lock-user.ts';
import type { Mailer } from '../mails/mailer.ts';
import { recordSecurityEvent, type Client } from '../security-events/record-security-event.ts';
import { deleteSessions } from '../sessions/user-sessions.ts';
import { deleteTwoFactor } from './change-two-factor.ts';

/**
 * Turns two-factor sign-in off for a user who has lost their app and their recovery codes, and ends their sessions:
 * whoever has the phone may have one of them. The audit event, and the entry in the list of the user, are of the same
 * commit; a mail tells the user.
 *
 * Nobody can do it to themselves: a stolen session of an administrator would otherwise turn their second factor off.
 *
 * Errors: permission_denied, for the administrator's own account; not_found; invalid_state, if it is off.
 */
export async function resetTwoFactor(
  dependencies: { database: Database; mailer: Mailer | null; now: () => Date },
  administrator: Administrator,
  { userId, client }: { userId: string; client: Client },
): Promise<void> {
  const { database, now } = dependencies;
  if (!isUuid(userId)) throw notFound();
  const { id: administratorId } = administrator.actor;
  if (userId.toLowerCase() === administratorId) {
    throw new ApiError(
      'permission_denied',
      'Another administrator resets the two-factor sign-in of your own account.',
    );
  }
  await inAccountTransaction(database, async (em) => {
    if ((await lockUser(database, userId)) === null) throw notFound();
    if (!(await deleteTwoFactor(database, em, userId))) {
      throw new ApiError('invalid_state', 'Two-factor sign-in of this user is off.');
    }
    await deleteSessions(database, { userId });
    recordAuditEvent(
      em,
      { ...administrator, organizationId: null },
      { action: 'user.two_factor_reset', subjectId: userId },
    );
    const event = { userId, kind: 'two_factor_reset', client, administratorId } as const;
    await recordSecurityEvent(dependencies, event, now());
  });
}
