import { createHmac } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../errors.ts';
import { dayMs, type Allowance, type Limited } from './count-requests.ts';
import { networkOf } from './network-of.ts';

/** Requests a minute, unless it says otherwise. */
export interface RateLimits {
  caller: number;
  organization: number;
  /** Of one address, or IPv6 network of 64 bits, to the endpoints that need no credentials: sign-in, sign-up, password reset. */
  unauthenticated: number;
  /** Wrong passwords of one account from one address; also mails to it, and changes of its password. */
  account: number;
  /** Wrong passwords of one account from all addresses that have no session of it. */
  accountFromStrangers: number;
  /** Mails a day (UTC) to one e-mail address that anybody can ask for; invitations have limits of their own. */
  mailsToAddressPerDay: number;
}

/**
 * Holds callers to their limits, before their bodies are read: each key or session, its organization, and the
 * addresses of those who have not signed in. The gateway's callbacks and the health endpoint are not limited.
 *
 * Errors: rate_limited, with Retry-After; every answer carries the RateLimit headers.
 */
export function limitRate(
  count: (limited: Limited[]) => Promise<Allowance>,
  limits: RateLimits,
): RequestHandler {
  return async (request, response, next) => {
    const limited = limitedSubjects(request, limits);
    if (limited.length > 0) holdTo(await count(limited), response);
    next();
  };
}

/**
 * Holds those who flood an account with mails, from however many addresses. The account is named by the e-mail address
 * of the body, so this comes after validation; whether there is such an account makes no difference, nor can it be told
 * from what is stored. Of someone who has signed in it is their own: who finds a browser that was left open does not
 * guess on at the password it would take to stay. Signing in: auth/limit-sign-in.ts.
 *
 * Errors: rate_limited, with Retry-After.
 *
 * @param secret makes of the e-mail address the subject that is stored
 */
export function limitAccountRate(
  count: (limited: Limited[]) => Promise<Allowance>,
  limits: Pick<RateLimits, 'account' | 'mailsToAddressPerDay'>,
  secret: string,
): RequestHandler {
  const hashOf = (name: string) => createHmac('sha256', secret).update(name).digest('base64url');
  return async (request, response, next) => {
    const { operationId } = request.operation;
    const name = limitedByAccount[operationId]?.(request);
    if (name !== undefined) {
      // Each operation for itself: who is kept from signing in can still ask for a new password.
      const subject = `account:${operationId}:${hashOf(name)}`;
      holdTo(await count([{ subject, limit: limits.account }]), response);
    }
    if (mailing.has(operationId)) {
      // Counted after the other: what a minute's limit refuses uses up nothing of the day.
      const subject = `mails:to:${hashOf(byAddress(request))}`;
      holdTo(await count([{ subject, limit: limits.mailsToAddressPerDay, windowMs: dayMs }]), response);
    }
    next();
  };
}

/** What sends a mail to the e-mail address of the body; together they have the limit of a day. */
const mailing = new Set(['signUp', 'requestPasswordReset', 'sendVerificationEmail']);

const byAddress = ({ body }: Request) => (body as { email: string }).email.toLowerCase();

/** What sends a mail, or checks the password of someone who has signed in, and how each names the account. */
const limitedByAccount: Record<string, (request: Request) => string | undefined> = {
  requestPasswordReset: byAddress,
  sendVerificationEmail: byAddress,
  changePassword: ({ session }) => session?.userId,
};

/** Tells what is left in the RateLimit headers. Errors: rate_limited, with Retry-After. */
export function holdTo({ limit, remaining, resetSeconds, windowMs }: Allowance, response: Response): void {
  // Of several limits the answer tells the one of which least is left.
  const told = response.get('RateLimit-Remaining');
  if (told === undefined || remaining < Number(told)) {
    response.set({
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(Math.max(0, remaining)),
      'RateLimit-Reset': String(resetSeconds),
    });
  }
  if (remaining >= 0) return;
  throw new ApiError(
    'rate_limited',
    `At most ${limit} requests a ${windowMs === dayMs ? 'day' : 'minute'}; try again in ${resetSeconds} s.`,
    {
      headers: { 'Retry-After': String(resetSeconds) },
    },
  );
}

function limitedSubjects(request: Request, limits: RateLimits): Limited[] {
  const { apiKey, session, operation } = request;
  const ofOrganization = (id: string | null | undefined): Limited[] =>
    id ? [{ subject: `organization:${id}`, limit: limits.organization }] : [];
  if (apiKey) {
    return [{ subject: `key:${apiKey.id}`, limit: limits.caller }, ...ofOrganization(apiKey.organizationId)];
  }
  if (session) {
    const { activeOrganizationId, memberships } = session;
    const only = memberships.length === 1 ? memberships[0]!.organizationId : null;
    return [
      { subject: `session:${session.id}`, limit: limits.caller },
      ...ofOrganization(activeOrganizationId ?? only),
    ];
  }
  // Beside what is posted, the links of mails and providers: they carry a token, which is not to be guessed at.
  const isOpen = operation.permission === 'public' || operation.method === 'POST';
  if (!isOpen || !operation.path.startsWith('/api/auth/')) return [];
  return [{ subject: `address:${networkOf(request.ip)}`, limit: limits.unauthenticated }];
}
