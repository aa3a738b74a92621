import { accountErrors } from './error-catalogue/account-errors.ts';
import { credentialErrors } from './error-catalogue/credential-errors.ts';
import type { FieldErrorCode } from './error-catalogue/field-errors.ts';
import { organizationErrors } from './error-catalogue/organization-errors.ts';
import { requestErrors } from './error-catalogue/request-errors.ts';
import { sendingErrors } from './error-catalogue/sending-errors.ts';
import { serverErrors } from './error-catalogue/server-errors.ts';

/**
 * Every error code of the API, with its HTTP status, its causes and its cure. The pages in docs/errors/ and the API's own
 * pages below /errors, to which the `type` of each problem leads, are made from this catalogue.
 */
export const errorCatalogue = {
  ...requestErrors,
  ...credentialErrors,
  ...accountErrors,
  ...organizationErrors,
  ...sendingErrors,
  ...serverErrors,
};

/**
 * The values of the query parameter `error` when a browser is redirected and cannot read a response: after a sign-in
 * at a provider, and after the link of a mail. Providers add codes of their own (RFC 6749, 4.1.2.1).
 */
export const redirectErrors: Record<string, string> = {
  state_mismatch:
    'The sign-in started in another browser, is already finished, or took more than 10 minutes. Start again.',
  state_not_found: 'The response of the provider has no state. Start the sign-in again.',
  state_invalid: 'The sign-in state stored in the browser cannot be read. Start again.',
  invalid_callback_request: 'The response of the provider does not conform to OAuth.',
  no_code: 'The response of the provider has no authorization code.',
  invalid_code: 'The provider rejected its own authorization code. Start again.',
  issuer_missing: 'The response of the provider does not name its issuer.',
  issuer_mismatch: 'The response came from another issuer than expected.',
  nonce_binding_missing: 'The response of the provider cannot be matched to this sign-in. Start again.',
  oauth_provider_not_found: 'This sign-in provider is not configured.',
  unable_to_get_user_info: 'The provider does not say which user signed in.',
  no_callback_url: 'The sign-in has no callbackURL. Set one.',
  email_not_found: 'The provider returned no e-mail address. An account requires one.',
  email_does_not_match: 'The account at the provider has another e-mail address.',
  account_not_linked: 'An account with this address already exists. Sign in to it, then link the provider.',
  account_already_linked_to_different_user: 'Another user has already linked this account at the provider.',
  unable_to_link_account: 'The account at the provider cannot be linked.',
  signup_disabled: 'Sign-up is disabled on this server. Ask an administrator for an account.',
  unable_to_create_user: 'An internal error occurred and no account was created. Try again.',
  unable_to_create_session: 'An internal error occurred and nobody was signed in. Try again.',
  internal_server_error: 'An internal error occurred. Try again.',
  BANNED_USER: 'The account is banned. Nobody was signed in, and no account at the provider was linked.',
  INVALID_TOKEN: 'The link is wrong, was already used, or has expired. Request a new one.',
  TOKEN_EXPIRED: 'The link has expired. Request a new one.',
  USER_NOT_FOUND: 'The account of this link no longer exists.',
  INVALID_USER: 'The link is for another account than the one that is signed in.',
};

export type ErrorCode = keyof typeof errorCatalogue;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCatalogue, text);
}

/** The `title` of a problem, which is also the title of the code's page: `not_found` is “Not found”. */
export function titleOf(code: ErrorCode): string {
  return code.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());
}

export interface FieldError {
  /** The location of the field: `/body/to`, `/query/limit`, `/headers/idempotency-key`. */
  path: string;
  /** What is wrong with the field, or the code of the response if that is about one field. */
  code: FieldErrorCode | ErrorCode;
  message: string;
}

/** An error response that is meant for the caller. Every other error becomes a 500 without details. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: FieldError[];
  readonly headers: Record<string, string>;

  /**
   * @param code a row of the catalogue; it determines the HTTP status
   * @param detail what happened in this request and what to do, safe to show to the caller
   */
  constructor(
    code: ErrorCode,
    detail: string,
    options: { errors?: FieldError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
  }
}

/** The 404 for an id that does not exist and for an id of another organization: both are the same, byte for byte. */
export function notFound(): ApiError {
  return new ApiError('not_found', 'Not found.');
}
