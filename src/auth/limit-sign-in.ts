import { createHmac } from 'node:crypto';
import type { RequestHandler } from 'express';
import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { RequestCounter } from '../rate-limits/count-requests.ts';
import { holdTo, type RateLimits } from '../rate-limits/limit-rate.ts';
import { networkOf } from '../rate-limits/network-of.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      /** Told of a sign-in that succeeded, before it is answered: it is no guess. */
      onSignedIn?: () => Promise<void>;
    }
  }
}

/** Addresses of its sessions that an account is known by at most. */
const knownAddresses = 1000;

/**
 * Bounds how often a stranger guesses at the password of an account, and does not lock its owner out. Only failures
 * count: an attempt is counted before the password is looked at, so that many at once are held too, and taken back when
 * it succeeds. Each address has a limit for each account; all addresses that the account does not know have a larger
 * one together. An account knows the addresses from which it has a session that lasts. Why:
 * docs/decisions/sign-in-limits.md.
 *
 * Whether there is such an account makes no difference, nor can it be told from what is stored. This comes after
 * validation, for the account is named in the body.
 *
 * Errors: rate_limited, with Retry-After.
 *
 * @param options.secret makes of e-mail address and network the subjects that are stored
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
    const email = (request.body as { email: string }).email.toLowerCase();
    const network = networkOf(request.ip);
    const fromHere = { subject: subjectOf(email, network), limit: limits.account };
    const fromStrangers = { subject: subjectOf(email), limit: limits.accountFromStrangers };
    // One after the other: what one address is refused uses up nothing of what all strangers have together.
    holdTo(await counter.count([fromHere]), response);
    const isKnown = (await findNetworks(database, email, now())).has(network);
    if (!isKnown) holdTo(await counter.count([fromStrangers]), response);
    request.onSignedIn = () => counter.giveBack(isKnown ? [fromHere] : [fromHere, fromStrangers]);
    next();
  };
}

/** Finds the networks from which a person has signed in, in sessions that last; not those of who impersonates them. */
async function findNetworks(database: Database, email: string, now: Date): Promise<Set<string>> {
  const { rows } = await sql<{ address: string }>`
    select distinct s.ip_address as address from users u join sessions s on s.user_id = u.id
    where u.email = ${email} and s.expires_at > ${now} and s.impersonated_by is null and s.ip_address <> ''
    limit ${knownAddresses}
  `.execute(sqlOf(database));
  return new Set(rows.map(({ address }) => networkOf(address)));
}
