import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { isAllowedAddress } from '../../api-keys/allowed-addresses.ts';
import { parseApiKey, secretsMatch } from '../../api-keys/api-key.ts';
import type { StoredApiKey } from '../../api-keys/find-api-key.ts';
import { ApiError, errorCatalogue } from '../../errors.ts';
import type { Principal } from '../../principal.ts';
import { bearerOf } from '../sessions/bearer.ts';
import type { LiveSession } from '../sessions/find-session.ts';
import { isPermission } from '../permissions.ts';
import type { PresentedSession } from '../sessions/session-cookies.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      /** Set if an API key was presented. */
      apiKey?: StoredApiKey;
      /** Set if a session was presented. */
      session?: LiveSession | null;
      /** The token that was presented as a session, whether or not it is valid. */
      presentedSession?: PresentedSession | null;
      /** Set on every operation that acts for an organization. */
      principal: Principal;
    }
  }
}

type FindApiKey = (publicId: string) => Promise<StoredApiKey | null>;
type ReadSession = (request: Request) => Promise<LiveSession | null>;

/**
 * Identifies the caller, an API key or a session, before anything else in the request is read.
 *
 * If a request has several credentials, exactly one is used. Credentials set by the client come before those added by a
 * browser: key in the header, bearer token, live session in a cookie, key in a cookie. The first one that is present
 * decides: if it is wrong, the request is refused; if it is valid, the others are ignored, even if they belong to
 * another caller.
 *
 * The permissions of a key are checked here. The permissions of a session depend on the organization it acts for, which
 * `authorize.ts` determines.
 *
 * Errors: unauthenticated, banned, api_key_revoked, api_key_expired, address_not_allowed, permission_denied,
 * invalid_origin, not_while_impersonating.
 */
export function authenticate(dependencies: {
  findApiKey: FindApiKey;
  readSession: ReadSession;
  /** Throws if another site caused the browser to send its cookies. */
  refuseCrossSite: (request: Request) => void;
  gatewayTokens: readonly string[];
  recordKeyUse: (keyId: string) => void;
}): RequestHandler {
  const { findApiKey, readSession, refuseCrossSite, gatewayTokens, recordKeyUse } = dependencies;
  const isGatewayToken = gatewayTokenCheck(gatewayTokens);
  const readCaller = async (
    request: Request,
  ): Promise<{ key?: StoredApiKey; session?: LiveSession | null }> => {
    const explicit = explicitKey(request);
    if (explicit) return { key: await requireKey(explicit, request, findApiKey) };
    const session = await readSession(request);
    const inCookie = cookieKey(request);
    if (session || inCookie === undefined || bearerOf(request.headers) !== undefined) return { session };
    refuseCrossSite(request);
    return { key: await requireKey(inCookie, request, findApiKey) };
  };
  return async (request, _response, next) => {
    const { permission } = request.operation;
    if (permission === 'public') return next();
    if (permission === 'gateway') {
      if (isGatewayToken(request.query['token'])) return next();
      throw new ApiError('unauthenticated', 'The gateway token is missing or wrong.');
    }
    if (permission === 'optional-session') {
      const explicit = explicitKey(request);
      if (explicit) await requireKey(explicit, request, findApiKey);
      request.session = explicit ? null : await readSession(request);
      return next();
    }
    const { key, session } = await readCaller(request);
    if (!key) {
      request.session = requireSession(session ?? null);
      checkPerson(request.session, request);
      return next();
    }
    // This error is returned for valid keys only.
    if (!isPermission(permission)) throw needsSession();
    if (!key.permissions.has(permission)) {
      throw new ApiError('permission_denied', `The API key lacks the permission ${permission}.`);
    }
    recordKeyUse(key.id);
    request.apiKey = key;
    next();
  };
}

/** The checks of a person that do not depend on the organization they act for. */
function checkPerson(session: LiveSession, { operation }: Request): void {
  if (session.impersonatedBy !== null && operation.isRefusedWhileImpersonating) {
    throw new ApiError('not_while_impersonating', errorCatalogue.not_while_impersonating.meaning);
  }
  // A user who becomes an administrator while impersonated does not pass that role on to the impersonator.
  const isAdministrator = session.role === 'admin' && session.impersonatedBy === null;
  if (operation.permission === 'admin' && !isAdministrator) {
    throw new ApiError('permission_denied', 'This operation is only for administrators of the service.');
  }
}

function needsSession(): ApiError {
  return new ApiError('permission_denied', 'This operation requires a session. API keys cannot use it.');
}

function requireSession(session: LiveSession | null): LiveSession {
  if (session) return session;
  throw new ApiError('unauthenticated', 'Send an API key in the header X-API-Key, or sign in.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

async function requireKey(given: string, { ip }: Request, findApiKey: FindApiKey): Promise<StoredApiKey> {
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
      'The API key is not valid. Compare it with the key that you received.',
      {
        headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
      },
    );
  }
  if (stored.revokedAt) throw new ApiError('api_key_revoked', 'This API key has been revoked.');
  if (stored.expiresAt && stored.expiresAt.getTime() <= Date.now()) {
    throw new ApiError('api_key_expired', 'This API key has expired.');
  }
  if (!isAllowedAddress(stored.allowedRanges, ip)) {
    throw new ApiError('address_not_allowed', `This API key may not be used from ${ip ?? 'this address'}.`);
  }
  return stored;
}

/** The key that the client set: in the header, or as a bearer token that has the form of a key. */
export function explicitKey(request: Request): string | undefined {
  const inHeader = request.get('X-API-Key');
  if (inHeader) return inHeader;
  const bearer = bearerOf(request.headers);
  return bearer !== undefined && /^sms_/i.test(bearer) ? bearer : undefined;
}

/**
 * The key in a cookie, which a browser sends by itself, whichever site caused the request. Surrounding quotes are not
 * part of the key (RFC 6265, 4.1.1). A cookie without a value is not present, like a header without one.
 */
function cookieKey(request: Request): string | undefined {
  const value = /(?:^|;\s*)apiKeyCookie=([^;]*)/.exec(request.get('Cookie') ?? '')?.[1]?.trim();
  return value?.replace(/^"(.*)"$/, '$1') || undefined;
}

/**
 * Returns the function that compares a value with the gateway's tokens, in a time that does not depend on their
 * characters: all of them are compared, whichever matches.
 *
 * @param expected the current token and, while it is changed, the previous one
 */
export function gatewayTokenCheck(expected: readonly string[]): (given: unknown) => boolean {
  // The digests have the same length, so that the comparison does not reveal the length of a token either.
  const expectedHashes = expected.map(sha256);
  return (given) => {
    if (typeof given !== 'string') return false;
    const hash = sha256(given);
    return expectedHashes.filter((expectedHash) => secretsMatch(hash, expectedHash)).length > 0;
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
