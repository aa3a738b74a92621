import { createHmac } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ApiError, errorCatalogue } from '../errors.ts';
import { dayMs, type Allowance, type Limited } from '../rate-limits/count-requests.ts';
import { holdTo } from '../rate-limits/limit-rate.ts';

/** Invitations a day (UTC). */
export interface InvitationLimits {
  /** To one e-mail address, by all inviters together. */
  toAddress: number;
  /** By one person, into all organizations together. */
  byPerson: number;
}

/**
 * Keeps invitations from being a mail relay: who invites has confirmed their own address, where mails go out at all,
 * and is held to limits a day. The counters are of all processes. This comes before the transaction that stores the
 * invitation, for counting in it would take a second connection.
 *
 * Errors: email_not_verified; rate_limited, with Retry-After.
 *
 * @param options.mailsGoOut whether mails leave the service; if not, nothing is relayed, and no address can be confirmed
 * @param options.secret makes of the e-mail address the subject that is stored
 */
export function limitInvitations(options: {
  count: (limited: Limited[]) => Promise<Allowance>;
  limits: InvitationLimits;
  mailsGoOut: boolean;
  secret: string;
}): RequestHandler {
  const { count, limits, mailsGoOut, secret } = options;
  return async ({ operation, session, body }, response, next) => {
    if (operation.operationId === 'inviteMember' && session) {
      if (mailsGoOut && !session.emailVerified) {
        throw new ApiError('email_not_verified', errorCatalogue.email_not_verified[1]);
      }
      const byPerson = {
        subject: `invitations:by:${session.userId}`,
        limit: limits.byPerson,
        windowMs: dayMs,
      };
      holdTo(await count([byPerson]), response);
      const email = (body as { email: string }).email.toLowerCase();
      const address = createHmac('sha256', secret).update(email).digest('base64url');
      // Counted after the other: what one person is refused uses up nothing of the address.
      const toAddress = { subject: `invitations:to:${address}`, limit: limits.toAddress, windowMs: dayMs };
      holdTo(await count([toAddress]), response);
    }
    next();
  };
}
