import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { parseApiKey, secretsMatch } from '../api-keys/api-key.ts';
import type { StoredApiKey } from '../api-keys/find-api-key.ts';
import { ApiError, errorCatalogue } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { bearerOf } from './bearer.ts';
import type { LiveSession } from './find-session.ts';
import { isPermission } from './permissions.ts';
import type { PresentedSession } from './session-cookies.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      /** Set where an API key was presented. */
      apiKey?: StoredApiKey;
      /** Set where a session was presented. */
      session?: LiveSession | null;
      /** What was presented to be that session, and whether or not it is one. */
      presentedSession?: PresentedSession | null;
      /** Set on every operation that acts for an organization. */
      principal: Principal;
    }
  }
}

type FindApiKey = (publicId: string) => Promise<StoredApiKey | null>;
type ReadSession = (request: Request) => Promise<LiveSession | null>;

/**
 * Finds out who calls, before anything else of the request is read: an API key or a session.
 *
 * Of several credentials one counts, and nothing that the request does is done with another. What the request says
 * itself goes before what a browser adds: key in the header, bearer token, session in a cookie if it lasts, key in a
 * cookie. The first that is there decides: if it is wrong, the request is refused, and if it is good, the others are
 * as if they had not been sent, whomever they name.
 *
 * What a key may do is decided here; what a session may do depends on the organization it acts for, which
 * `authorize.ts` finds out.
 *
 * Errors: unauthenticated, banned, api_key_revoked, api_key_expired, permission_denied, invalid_origin,
 * not_while_impersonating.
 */
export function authenticate(dependencies: {
  findApiKey: FindApiKey;
  readSession: ReadSession;
  /** Throws where another site makes a browser send its cookies. */
  refuseCrossSite: (request: Request) => void;
  gatewayToken: string;
  recordKeyUse: (keyId: string) => void;
}): RequestHandler {
  const { findApiKey, readSession, refuseCrossSite, gatewayToken, recordKeyUse } = dependencies;
  const readCaller = async (
    request: Request,
  ): Promise<{ key?: StoredApiKey; session?: LiveSession | null }> => {
    const explicit = explicitKey(request);
    if (explicit) return { key: await requireKey(explicit, findApiKey) };
    const session = await readSession(request);
    const inCookie = cookieKey(request);
    if (session || inCookie === undefined || bearerOf(request.headers) !== undefined) return { session };
    refuseCrossSite(request);
    return { key: await requireKey(inCookie, findApiKey) };
  };
  return async (request, _response, next) => {
    const { permission } = request.operation;
    if (permission === 'public') return next();
    if (permission === 'gateway') {
      checkGatewayToken(request, gatewayToken);
      return next();
    }
    if (permission === 'optional-session') {
      const explicit = explicitKey(request);
      if (explicit) await requireKey(explicit, findApiKey);
      request.session = explicit ? null : await readSession(request);
      return next();
    }
    const { key, session } = await readCaller(request);
    if (!key) {
      request.session = requireSession(session ?? null);
      checkPerson(request.session, request);
      return next();
    }
    // Only a key that is valid is told that it does not matter.
    if (!isPermission(permission)) throw needsSession();
    if (!key.permissions.has(permission)) {
      throw new ApiError('permission_denied', `The API key lacks the permission ${permission}.`);
    }
    recordKeyUse(key.id);
    request.apiKey = key;
    next();
  };
}

/** What is asked of a person as such, whichever organization he acts for. */
function checkPerson(session: LiveSession, { operation }: Request): void {
  if (session.impersonatedBy !== null && operation.isRefusedWhileImpersonating) {
    throw new ApiError('not_while_impersonating', errorCatalogue.not_while_impersonating[1]);
  }
  // Someone who is made administrator while he is impersonated does not lend that to who impersonates him.
  const isAdministrator = session.role === 'admin' && session.impersonatedBy === null;
  if (operation.permission === 'admin' && !isAdministrator) {
    throw new ApiError('permission_denied', 'This is for administrators of the service.');
  }
}

function needsSession(): ApiError {
  return new ApiError('permission_denied', 'This needs a session: no API key may do it.');
}

function requireSession(session: LiveSession | null): LiveSession {
  if (session) return session;
  throw new ApiError('unauthenticated', 'Send an API key in the header X-API-Key, or sign in.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

async function requireKey(given: string, findApiKey: FindApiKey): Promise<StoredApiKey> {
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

/** The key that the request itself says: in the header, else as bearer token, where what looks like a key is one. */
export function explicitKey(request: Request): string | undefined {
  const inHeader = request.get('X-API-Key');
  if (inHeader) return inHeader;
  const bearer = bearerOf(request.headers);
  return bearer !== undefined && /^sms_/i.test(bearer) ? bearer : undefined;
}

/** The key that a browser sends by itself, whoever made it call; quotes around it are none of it (RFC 6265, 4.1.1). */
function cookieKey(request: Request): string | undefined {
  const value = /(?:^|;\s*)apiKeyCookie=([^;]*)/.exec(request.get('Cookie') ?? '')?.[1]?.trim();
  return value?.replace(/^"(.*)"$/, '$1');
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
