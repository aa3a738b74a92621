import { ApiError, errorCatalogue, isErrorCode, notFound, type ErrorCode } from '../errors.ts';
import { ownerRequiredConstraint } from '../organizations/member.entity.ts';
import { administratorRequiredConstraint } from './user.entity.ts';

/** The codes of better-auth that correspond to a code of the catalogue. Every other code is used in lower case. */
const translated: Record<string, ErrorCode> = {
  UNAUTHORIZED: 'unauthenticated',
  FAILED_TO_GET_SESSION: 'unauthenticated',
  BANNED_USER: 'banned',
  VALIDATION_ERROR: 'invalid_request',
  TOKEN_EXPIRED: 'invalid_token',
  USER_NOT_FOUND: 'not_found',
  MEMBER_NOT_FOUND: 'not_found',
  ACCOUNT_NOT_FOUND: 'not_found',
  ORGANIZATION_NOT_FOUND: 'not_found',
  INVITATION_NOT_FOUND: 'not_found',
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: 'not_found',
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: 'not_found',
  NO_ACTIVE_ORGANIZATION: 'organization_required',
  USER_ALREADY_EXISTS: 'already_exists',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'already_exists',
  ORGANIZATION_ALREADY_EXISTS: 'already_exists',
  ORGANIZATION_SLUG_ALREADY_TAKEN: 'already_exists',
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'already_exists',
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 'already_exists',
  SOCIAL_ACCOUNT_ALREADY_LINKED: 'already_exists',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: 'last_owner',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER: 'last_owner',
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION: 'email_not_verified',
  EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION: 'email_not_verified',
  VERIFICATION_EMAIL_NOT_ENABLED: 'mail_not_configured',
  RESET_PASSWORD_DISABLED: 'mail_not_configured',
  EMAIL_PASSWORD_SIGN_UP_DISABLED: 'sign_up_disabled',
  MISSING_OR_NULL_ORIGIN: 'invalid_origin',
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: 'invalid_origin',
  INVALID_REDIRECT_URL: 'invalid_callback_url',
  INVALID_ERROR_CALLBACK_URL: 'invalid_callback_url',
  INVALID_NEW_USER_CALLBACK_URL: 'invalid_callback_url',
};

/** The codes for errors whose code is not in the catalogue, and for errors without a code. */
const byStatus: Record<number, ErrorCode> = {
  400: 'invalid_request',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  409: 'invalid_state',
};

/**
 * Turns an error response of better-auth into an API error. Its message is kept if it describes the request. Nothing of
 * a 5xx is kept.
 *
 * @param status the HTTP status of its response
 * @param body its body: `{code, message}` in upper snake case, or nothing
 */
export function toAccountError(status: number, body: { code?: unknown; message?: unknown } | null): ApiError {
  if (status >= 500) return new ApiError('internal_error', errorCatalogue.internal_error.meaning);
  const theirs = typeof body?.code === 'string' ? body.code : '';
  const code =
    translated[theirs] ?? ownCode(theirs) ?? refusal(theirs) ?? byStatus[status] ?? 'invalid_request';
  if (code === 'not_found') return notFound();
  const words = typeof body?.message === 'string' && ownCode(theirs) === undefined ? body.message : '';
  return new ApiError(
    code,
    /\w/.test(words) && !words.includes('[object') ? words : errorCatalogue[code].meaning,
  );
}

function ownCode(theirs: string): ErrorCode | undefined {
  const code = theirs.toLowerCase();
  return isErrorCode(code) ? code : undefined;
}

/** better-auth sends YOU_ARE_NOT_ALLOWED_TO_… with the statuses 400, 401 and 403, always for the same reason. */
function refusal(theirs: string): ErrorCode | undefined {
  return theirs.startsWith('YOU_ARE_NOT_ALLOWED_TO_') ? 'permission_denied' : undefined;
}

/**
 * Turns an error of PostgreSQL below better-auth into an API error, by SQLSTATE (PostgreSQL documentation, appendix A):
 * a conflict with a concurrent request, which better-auth's check before the write cannot see, or a malformed id. Any
 * other error is returned unchanged.
 */
export function toConstraintError(thrown: unknown): unknown {
  for (let cause = thrown; typeof cause === 'object' && cause !== null; cause = (cause as Error).cause) {
    const { code, constraint } = cause as { code?: unknown; constraint?: unknown };
    if (code === '22P02') return notFound();
    if (code === '23505') return new ApiError('already_exists', errorCatalogue.already_exists.meaning);
    if (code === '23514' && constraint === ownerRequiredConstraint)
      return new ApiError('last_owner', errorCatalogue.last_owner.meaning);
    if (code === '23514' && constraint === administratorRequiredConstraint)
      return new ApiError('last_administrator', errorCatalogue.last_administrator.meaning);
  }
  return thrown;
}
