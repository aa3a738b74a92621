import { createHmac } from 'node:crypto';
import type { RequestHandler } from 'express';
import { tablesOf, type Database } from '../../database.ts';
import { inputOf } from '../../http/contract/input-of.ts';
import type { RequestCounter } from '../../rate-limits/count-requests.ts';
import { enforceLimit, type RateLimits } from '../../rate-limits/limit-rate.ts';
import { networkOf } from '../../rate-limits/network-of.ts';
import type { Session } from '../sessions/session.entity.ts';
import type { User } from '../user.entity.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      /** Called after a successful sign-in, before the response: the attempt no longer counts as a guess. */
      onSignedIn?: () => Promise<void>;
    }
  }
}

/** The maximum number of addresses that are read from an account's sessions. */
const knownAddresses = 1000;

/**
 * Limits how often a stranger can guess the password of an account, without locking out its owner. Only failures count:
 * an attempt is counted before the password is checked, so that concurrent attempts are limited too, and the count is
 * undone if the attempt succeeds. Each address has a limit per account. All addresses that the account does not know
 * share a larger limit. An account knows the addresses from which it has a live session. Reasons:
 * docs/decisions/sign-in-limits.md.
 *
 * The limit is the same whether or not the account exists, and the stored counters do not reveal it. This runs after
 * validation, because the body names the account.
 *
 * Errors: rate_limited, with Retry-After.
 *
 * @param options.secret the key of the HMAC of e-mail address and network, which is stored as the subject
 */
export function limitSignIn(options: {
  database: Database;
  counter: RequestCounter;
  limits: Pick<RateLimits, 'account' | 'accountFromStrangers'>;
  secret: string;
  now: () => Date;
}): RequestHandler {
  const { database, counter, limits, secret, now } = options;
  const subjectOf = (...names: string[]) =>
    `account:signIn:${createHmac('sha256', secret).update(names.join('\n')).digest('base64url')}`;
  return async (request, response, next) => {
    if (request.operation.operationId !== 'signIn') return next();
    const email = inputOf(request, 'signIn').body.email.toLowerCase();
    const network = networkOf(request.ip);
    const fromHere = { subject: subjectOf(email, network), limit: limits.account };
    const fromStrangers = { subject: subjectOf(email), limit: limits.accountFromStrangers };
    // One after the other: attempts refused for one address do not use up the shared limit of all strangers.
    enforceLimit(await counter.count([fromHere]), response);
    const isKnown = (await findNetworks(database, email, now())).has(network);
    if (!isKnown) enforceLimit(await counter.count([fromStrangers]), response);
    request.onSignedIn = () => counter.giveBack(isKnown ? [fromHere] : [fromHere, fromStrangers]);
    next();
  };
}

/** Finds the networks of a person's live sessions, without the sessions of an administrator who impersonates them. */
async function findNetworks(database: Database, email: string, now: Date): Promise<Set<string>> {
  const sessions = await tablesOf<typeof User | typeof Session>(database.em)
    .selectFrom('User')
    .innerJoin('Session', 'Session.user', 'User.id')
    .select('Session.ipAddress')
    .distinct()
    .where('User.email', '=', email)
    .where('Session.expiresAt', '>', now)
    .where('Session.impersonatedBy', 'is', null)
    .where('Session.ipAddress', '<>', '')
    .limit(knownAddresses)
    .execute();
  return new Set(sessions.map(({ ipAddress }) => networkOf(ipAddress!)));
}
