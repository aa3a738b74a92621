import type { Request, RequestHandler } from 'express';
import { ApiError } from '../errors.ts';
import type { Allowance, Limited } from './count-requests.ts';

/** Requests a minute. */
export interface RateLimits {
  caller: number;
  organization: number;
  /** Of one address to the endpoints that need no credentials: sign-in, sign-up, password reset. */
  unauthenticated: number;
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
    const limited = whoIsLimited(request, limits);
    if (limited.length === 0) return next();
    const { limit, remaining, resetSeconds } = await count(limited);
    response.set({
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(Math.max(0, remaining)),
      'RateLimit-Reset': String(resetSeconds),
    });
    if (remaining >= 0) return next();
    throw new ApiError(
      'rate_limited',
      `At most ${limit} requests a minute; try again in ${resetSeconds} s.`,
      {
        headers: { 'Retry-After': String(resetSeconds) },
      },
    );
  };
}

function whoIsLimited(request: Request, limits: RateLimits): Limited[] {
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
  if (operation.method !== 'POST' || !operation.path.startsWith('/api/auth/')) return [];
  return [{ subject: `address:${request.ip ?? ''}`, limit: limits.unauthenticated }];
}
