import { createHmac } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ApiError, errorCatalogue } from '../../errors.ts';
import { inputOf } from '../../http/contract/input-of.ts';
import { dayMs, type RequestCounter } from '../../rate-limits/count-requests.ts';
import { enforceLimit, limitPerDay } from '../../rate-limits/limit-rate.ts';

/** Limits of invitations per day (UTC). */
export interface InvitationLimits {
  /** To one e-mail address, from all inviters together. */
  toAddress: number;
  /** By one person, to all organizations together. */
  byPerson: number;
}

/**
 * Keeps invitations from being used as a mail relay: inviters must have confirmed their own address, if mails are sent
 * at all, and have daily limits. All processes share the counters. This runs before the transaction that stores the
 * invitation, because counting inside it would need a second connection. A refused invitation sends no mail, so it does
 * not count for the address: otherwise any account could keep an address from being invited.
 *
 * Errors: email_not_verified; rate_limited, with Retry-After.
 *
 * @param options.mailsGoOut whether mails are sent; if not, nothing is relayed, and no address can be confirmed
 * @param options.secret the key of the HMAC of the e-mail address, which is stored as the subject
 */
export function limitInvitations(options: {
  counter: RequestCounter;
  limits: InvitationLimits;
  mailsGoOut: boolean;
  secret: string;
}): RequestHandler {
  const { counter, limits, mailsGoOut, secret } = options;
  return async (request, response, next) => {
    const { operation, session } = request;
    if (operation.operationId === 'inviteMember' && session) {
      if (mailsGoOut && !session.emailVerified) {
        throw new ApiError('email_not_verified', errorCatalogue.email_not_verified.meaning);
      }
      const byPerson = {
        subject: `invitations:by:${session.userId}`,
        limit: limits.byPerson,
        windowMs: dayMs,
      };
      enforceLimit(await counter.count([byPerson]), response);
      const email = inputOf(request, 'inviteMember').body.email.toLowerCase();
      const address = createHmac('sha256', secret).update(email).digest('base64url');
      // Counted after the person's limit: invitations refused for a person do not use up the limit of the address.
      const toAddress = { subject: `invitations:to:${address}`, limit: limits.toAddress };
      await limitPerDay(counter, toAddress, response);
    }
    next();
  };
}
