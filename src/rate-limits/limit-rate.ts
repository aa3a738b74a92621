import { createHmac } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../errors.ts';
import { dayMs, type Allowance, type Counted, type Limited, type RequestCounter } from './count-requests.ts';
import { networkOf } from './network-of.ts';

/** Requests per minute, unless the field says otherwise. */
export interface RateLimits {
  caller: number;
  organization: number;
  /**
   * From one address, or IPv6 network of 64 bits, to the endpoints without credentials: sign-in, sign-up, password
   * reset.
   */
  unauthenticated: number;
  /** Wrong passwords for one account from one address; also mails to the account, and changes of its password. */
  account: number;
  /** Wrong passwords for one account from all addresses without a session of it. */
  accountFromStrangers: number;
  /** Mails a day (UTC) to one e-mail address that anybody can ask for; invitations have limits of their own. */
  mailsToAddressPerDay: number;
}

/**
 * Applies the rate limits before the body is read: to each key or session, to its organization, and to the addresses of
 * callers who have not signed in. The gateway's callbacks and the health endpoint are not limited.
 *
 * Errors: rate_limited, with Retry-After. Every response has the RateLimit headers.
 */
export function limitRate(
  count: (counted: Counted) => Promise<Allowance>,
  limits: RateLimits,
): RequestHandler {
  return async (request, response, next) => {
    const counted = whatToCount(request, limits);
    if (counted) enforceLimit(await count(counted), response);
    next();
  };
}

/**
 * Limits the mails to an account, from any number of addresses. The e-mail address in the body names the account, so
 * this runs after validation. The limit is the same whether or not the account exists, and the stored counters do not
 * reveal it. For a signed-in user the account is their own: someone who finds an unattended browser cannot keep
 * guessing the password, which they would need to keep access. Sign-in has its own limits: auth/access/limit-sign-in.ts.
 *
 * Errors: rate_limited, with Retry-After.
 *
 * @param secret the key of the HMAC of the e-mail address, which is stored as the subject
 */
export function limitAccountRate(
  counter: RequestCounter,
  limits: Pick<RateLimits, 'account' | 'mailsToAddressPerDay'>,
  secret: string,
): RequestHandler {
  const hashOf = (name: string) => createHmac('sha256', secret).update(name).digest('base64url');
  return async (request, response, next) => {
    const { operationId } = request.operation;
    const name = limitedByAccount[operationId]?.(request);
    if (name !== undefined) {
      // Each operation has its own count: someone who cannot sign in can still request a new password.
      const subject = `account:${operationId}:${hashOf(name)}`;
      enforceLimit(await counter.count([{ subject, limit: limits.account }]), response);
    }
    if (mailing.has(operationId)) {
      // Counted after the other: what a minute's limit refuses uses up nothing of the day.
      const subject = `mails:to:${hashOf(byAddress(request))}`;
      await limitPerDay(counter, { subject, limit: limits.mailsToAddressPerDay }, response);
    }
    next();
  };
}

/**
 * Counts a use of a day's limit. A request that is refused, by this limit or for any other reason, sends no mail, so it
 * does not count: otherwise any stranger could use up the limit of an address without a single mail.
 *
 * Errors: rate_limited, with Retry-After.
 */
export async function limitPerDay(
  counter: RequestCounter,
  limited: Pick<Limited, 'subject' | 'limit'>,
  response: Response,
): Promise<void> {
  const ofDay = { ...limited, windowMs: dayMs };
  const allowance = await counter.count([ofDay]);
  response.once('close', () => {
    if (response.statusCode >= 400) void counter.giveBack([ofDay]);
  });
  enforceLimit(allowance, response);
}

/** What sends a mail to the e-mail address of the body; together they have the limit of a day. */
const mailing = new Set(['signUp', 'requestPasswordReset', 'sendVerificationEmail']);

const byAddress = ({ body }: Request) => (body as { email: string }).email.toLowerCase();

const ofSession = ({ session }: Request) => session?.userId;

/** The operations that send a mail or check the password of a signed-in user, with the account of each request. */
const limitedByAccount: Record<string, (request: Request) => string | undefined> = {
  requestPasswordReset: byAddress,
  sendVerificationEmail: byAddress,
  changePassword: ofSession,
  enableTwoFactor: ofSession,
  confirmTwoFactor: ofSession,
  disableTwoFactor: ofSession,
  renewRecoveryCodes: ofSession,
};

/** Sets the RateLimit headers. Errors: rate_limited, with Retry-After. */
export function enforceLimit(
  { limit, remaining, resetSeconds, windowMs }: Allowance,
  response: Response,
): void {
  // If there are several limits, the headers describe the one with the fewest uses left.
  const reported = response.get('RateLimit-Remaining');
  if (reported === undefined || remaining < Number(reported)) {
    response.set({
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(Math.max(0, remaining)),
      'RateLimit-Reset': String(resetSeconds),
    });
  }
  if (remaining >= 0) return;
  throw new ApiError(
    'rate_limited',
    `At most ${limit} requests per ${windowMs === dayMs ? 'day' : 'minute'} are allowed. Try again in ${resetSeconds} s.`,
    {
      headers: { 'Retry-After': String(resetSeconds) },
    },
  );
}

function whatToCount(request: Request, limits: RateLimits): Counted | undefined {
  const { apiKey, session, operation } = request;
  const ofOrganization = (id: string | null | undefined): Limited | undefined =>
    id ? { subject: `organization:${id}`, limit: limits.organization } : undefined;
  if (apiKey) {
    return [{ subject: `key:${apiKey.id}`, limit: limits.caller }, ofOrganization(apiKey.organizationId)];
  }
  if (session) {
    const { activeOrganizationId, memberships } = session;
    const only = memberships.length === 1 ? memberships[0]!.organizationId : null;
    return [
      { subject: `session:${session.id}`, limit: limits.caller },
      ofOrganization(activeOrganizationId ?? only),
    ];
  }
  // In addition to POST requests, this limits the links of mails and providers, so that their tokens cannot be guessed.
  const isOpen = operation.permission === 'public' || operation.method === 'POST';
  if (!isOpen || !operation.path.startsWith('/api/auth/')) return undefined;
  return [{ subject: `address:${networkOf(request.ip)}`, limit: limits.unauthenticated }];
}
