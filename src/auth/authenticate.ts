import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { parseApiKey, secretsMatch } from '../api-keys/api-key.ts';
import type { StoredApiKey } from '../api-keys/find-api-key.ts';
import { ApiError } from '../errors.ts';
import type { Principal } from './principal.ts';

/**
 * The one place that makes a principal and holds the operation's `x-permission` against it, before anything
 * else of the request is read.
 *
 * Errors: unauthenticated, api_key_revoked, api_key_expired, permission_denied.
 */
export function authenticate(
  findApiKey: (publicId: string) => Promise<StoredApiKey | null>,
  gatewayToken: string,
): RequestHandler {
  return async (request, _response, next) => {
    const { permission } = request.operation;
    if (permission === 'public') return next();
    if (permission === 'gateway') {
      checkGatewayToken(request, gatewayToken);
      return next();
    }
    const principal = await makePrincipal(request, findApiKey);
    if (!principal.permissions.has(permission)) {
      throw new ApiError('permission_denied', `The API key lacks the permission ${permission}.`);
    }
    request.principal = principal;
    next();
  };
}

async function makePrincipal(
  request: Request,
  findApiKey: (publicId: string) => Promise<StoredApiKey | null>,
): Promise<Principal> {
  const given = presentedKey(request);
  if (given === undefined) {
    throw new ApiError('unauthenticated', 'Send an API key, for instance in the header X-API-Key.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  const parsed = parseApiKey(given);
  const stored = parsed && (await findApiKey(parsed.publicId));
  if (
    !parsed ||
    !stored ||
    stored.environment !== parsed.environment ||
    !secretsMatch(stored.secretHash, parsed.secretHash)
  ) {
    throw new ApiError('unauthenticated', 'The API key is not valid. Compare it with the one you were given.', {
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    });
  }
  if (stored.revokedAt) throw new ApiError('api_key_revoked', 'This API key has been revoked.');
  if (stored.expiresAt && stored.expiresAt.getTime() <= Date.now()) {
    throw new ApiError('api_key_expired', 'This API key has expired.');
  }
  return {
    kind: 'api_key',
    organizationId: stored.organizationId,
    environment: stored.environment,
    permissions: stored.permissions,
  };
}

/** Header before cookie before bearer: the more explicit carrier wins when several are sent. */
function presentedKey(request: Request): string | undefined {
  const header = request.get('X-API-Key');
  if (header) return header;
  const cookie = /(?:^|;\s*)apiKeyCookie=([^;]*)/.exec(request.get('Cookie') ?? '')?.[1];
  if (cookie !== undefined) return cookie;
  return /^Bearer +(\S+)$/i.exec(request.get('Authorization') ?? '')?.[1];
}

function checkGatewayToken(request: Request, expected: string): void {
  const { token } = request.query;
  // Digests of equal length, so that the comparison tells nothing of the token's length either.
  if (typeof token === 'string' && secretsMatch(sha256(token), sha256(expected))) return;
  throw new ApiError('unauthenticated', 'The gateway token is missing or wrong.');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
