import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { parseApiKey, secretsMatch } from '../api-keys/api-key.ts';
import type { StoredApiKey } from '../api-keys/find-api-key.ts';
import { ApiError } from '../errors.ts';
import type { LiveSession } from './find-session.ts';
import { isPermission } from './permissions.ts';

/**
 * Finds out who calls, before anything else of the request is read: an API key (header, cookie, bearer) or a
 * session (cookie, bearer). What a key may do is decided here; what a session may do depends on the
 * organization it acts for, which `authorize.ts` finds out.
 *
 * Errors: unauthenticated, banned, api_key_revoked, api_key_expired, permission_denied, invalid_origin.
 */
export function authenticate(
  findApiKey: (publicId: string) => Promise<StoredApiKey | null>,
  readSession: (request: Request) => Promise<LiveSession | null>,
  gatewayToken: string,
  noteKeyUse: (keyId: string) => void,
): RequestHandler {
  return async (request, _response, next) => {
    const { permission } = request.operation;
    if (permission === 'public') return next();
    if (permission === 'gateway') {
      checkGatewayToken(request, gatewayToken);
      return next();
    }
    if (permission === 'optional-session') {
      request.session = await readSession(request);
      return next();
    }
    if (permission === 'session' || permission === 'admin') {
      request.session = await requireSession(request, readSession);
      if (permission === 'admin' && request.session.role !== 'admin') {
        throw new ApiError('permission_denied', 'This is for administrators of the service.');
      }
      return next();
    }
    const given = presentedKey(request);
    if (given === undefined) {
      request.session = await requireSession(request, readSession);
      return next();
    }
    const key = await requireKey(given, findApiKey);
    if (!key.permissions.has(permission)) {
      throw new ApiError(
        'permission_denied',
        isPermission(permission)
          ? `The API key lacks the permission ${permission}.`
          : 'This needs a session: no API key may do it.',
      );
    }
    noteKeyUse(key.id);
    request.apiKey = key;
    next();
  };
}

async function requireSession(
  request: Request,
  readSession: (request: Request) => Promise<LiveSession | null>,
): Promise<LiveSession> {
  const session = await readSession(request);
  if (session) return session;
  throw new ApiError('unauthenticated', 'Send an API key in the header X-API-Key, or sign in.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

async function requireKey(
  given: string,
  findApiKey: (publicId: string) => Promise<StoredApiKey | null>,
): Promise<StoredApiKey> {
  const parsed = parseApiKey(given);
  const stored = parsed && (await findApiKey(parsed.publicId));
  if (
    !parsed ||
    !stored ||
    stored.environment !== parsed.environment ||
    !secretsMatch(stored.secretHash, parsed.secretHash)
  ) {
    throw new ApiError(
      'unauthenticated',
      'The API key is not valid. Compare it with the one you were given.',
      {
        headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
      },
    );
  }
  if (stored.revokedAt) throw new ApiError('api_key_revoked', 'This API key has been revoked.');
  if (stored.expiresAt && stored.expiresAt.getTime() <= Date.now()) {
    throw new ApiError('api_key_expired', 'This API key has expired.');
  }
  return stored;
}

/** Header before cookie before bearer: the more explicit carrier wins when several are sent. */
function presentedKey(request: Request): string | undefined {
  const header = request.get('X-API-Key');
  if (header) return header;
  const cookie = /(?:^|;\s*)apiKeyCookie=([^;]*)/.exec(request.get('Cookie') ?? '')?.[1];
  if (cookie !== undefined) return cookie;
  // A bearer token that looks like a key is one; any other is a session's.
  return /^Bearer +(sms_\S*)$/i.exec(request.get('Authorization') ?? '')?.[1];
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
