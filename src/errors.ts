/**
 * Every error code the API answers with, its HTTP status and what it means. The catalogue page at /errors,
 * to which the `type` of each problem points, is made of this table.
 */
export const errorCatalogue = {
  invalid_request: [400, 'The request breaks a rule of the interface; `errors` names each field.'],
  malformed_request: [400, 'What came is no HTTP request.'],
  expectation_failed: [417, 'Of what a request may expect, there is 100-continue only. Leave Expect out.'],
  malformed_body: [400, 'The body cannot be read in the encoding that Content-Type names.'],
  invalid_password: [400, 'The current password is another one.'],
  password_too_short: [400, 'A password has at least 8 characters.'],
  password_too_long: [400, 'A password has at most 128 characters.'],
  invalid_token: [400, 'The link or token is wrong, was used before, or has expired. Ask for a new one.'],
  email_mismatch: [400, "This is not the session's e-mail address."],
  email_already_verified: [400, 'The e-mail address is confirmed already.'],
  mail_not_configured: [400, 'This server sends no mail. Its operator sets SMTP_URL.'],
  failed_to_unlink_last_account: [400, 'This is the last way to sign in to this account.'],
  organization_required: [400, 'The session belongs to several organizations: name one as organizationId.'],
  unauthenticated: [401, 'No valid API key, session or gateway token came with the request.'],
  api_key_revoked: [401, 'This API key has been revoked. Make a new one.'],
  api_key_expired: [401, 'This API key has expired. Make a new one or extend it.'],
  invalid_email_or_password: [401, 'No account has this e-mail address and password.'],
  banned: [403, 'This account is banned.'],
  permission_denied: [403, 'The caller lacks the permission that `detail` names.'],
  email_not_verified: [403, 'Confirm the e-mail address first: POST /api/auth/send-verification-email.'],
  sign_up_disabled: [403, 'Nobody makes an account for themselves here. Ask an administrator for one.'],
  session_not_fresh: [403, 'This needs a session of the last 24 hours. Sign in again.'],
  invalid_origin: [403, 'A browser sent this from an origin that is not trusted.'],
  invalid_callback_url: [403, 'One may be sent back to trusted origins only.'],
  you_are_not_the_recipient_of_the_invitation: [403, 'The invitation is for another e-mail address.'],
  not_while_impersonating: [403, 'Nobody does this in the name of another. Stop impersonating first.'],
  you_cannot_impersonate_admins: [403, 'Administrators cannot be impersonated.'],
  invitation_limit_reached: [403, 'The organization has as many open invitations as it may have.'],
  organization_limit_reached: [403, 'The user owns as many organizations as a user may make.'],
  organization_membership_limit_reached: [403, 'The organization has as many members as it may have.'],
  provider_not_found: [404, 'This sign-in provider is not configured.'],
  not_found: [404, 'There is no such thing, or it is not yours.'],
  rejects_expired: [
    410,
    'The rows that an import did not take are gone; it says until when in rejectsExpireAt.',
  ],
  method_not_allowed: [405, 'The path exists, the method does not; see the Allow header.'],
  payload_too_large: [413, 'The body is larger than this endpoint takes.'],
  unsupported_media_type: [
    415,
    'Send application/json, application/x-www-form-urlencoded or multipart/form-data.',
  ],
  last_owner: [409, 'An organization keeps at least one owner. Make someone else owner first.'],
  last_administrator: [
    409,
    'The service keeps at least one administrator who is not banned. Make someone else administrator first.',
  ],
  invitation_accepted: [409, 'This invitation has been accepted already.'],
  invitation_rejected: [409, 'This invitation was rejected. Ask for a new one.'],
  invitation_canceled: [409, 'This invitation was cancelled. Ask for a new one.'],
  invitation_expired: [409, 'This invitation has expired. Ask for a new one.'],
  invalid_state: [409, 'The resource is not in a state in which this is possible.'],
  idempotency_in_progress: [
    409,
    'The first request with this Idempotency-Key is still under way; see Retry-After.',
  ],
  rate_limited: [429, 'Too many requests; wait as long as Retry-After says.'],
  already_exists: [409, 'There is one already.'],
  invalid_recipient: [422, 'The recipient is no number that a message can be sent to.'],
  sender_not_approved: [422, 'The sender is not approved for this organization.'],
  recipient_opted_out: [422, 'The recipient is on the suppression list of the organization.'],
  sender_required: [422, 'Name a sender in `from`, or have a default sender approved.'],
  keyword_reserved: [422, 'This word ends or begins sending by itself, so no rule can have it.'],
  idempotency_key_reused: [422, 'This Idempotency-Key came with another body in the last 24 hours.'],
  contact_list_empty: [422, 'The contact list has no members that a text could go to.'],
  unknown_contacts: [422, 'Some ids are no contacts of this organization; nothing was changed.'],
  webhook_url_not_allowed: [422, 'Webhooks go to public http(s) addresses only.'],
  internal_error: [500, 'Something failed here. The request id lets the operator find it.'],
  provider_unavailable: [503, 'The sign-in provider does not answer. Try again.'],
  unavailable: [
    503,
    'The service cannot do it now, as when its database is out of reach; nothing was accepted. Try again.',
  ],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

/**
 * What a browser is sent back with as `error` in the address, where there is no answer to read: at the end of a
 * sign-in at a provider, and of the link of a mail. Beside these, providers have codes of their own (RFC 6749, 4.1.2.1).
 */
export const redirectErrors: Record<string, string> = {
  state_mismatch:
    'The sign-in was begun in another browser, is over, or took more than 10 minutes. Begin again.',
  state_not_found: 'The provider sent nobody back that it was sent. Begin the sign-in again.',
  state_invalid: 'What the browser has kept of the sign-in cannot be read. Begin again.',
  invalid_callback_request: 'What the provider sent back breaks the rules of OAuth.',
  no_code: 'The provider sent no code back.',
  invalid_code: 'The provider does not know the code that it sent. Begin again.',
  issuer_missing: 'The provider does not say who it is.',
  issuer_mismatch: 'The answer came from another provider than was asked.',
  nonce_binding_missing: 'The sign-in at the provider cannot be told from another one. Begin again.',
  oauth_provider_not_found: 'This sign-in provider is not configured.',
  unable_to_get_user_info: 'The provider does not say who has signed in.',
  no_callback_url: 'The sign-in does not say where it is to end. Name a callbackURL.',
  email_not_found: 'The provider tells no e-mail address, without which there is no account.',
  email_does_not_match: 'The account at the provider has another e-mail address.',
  account_not_linked: 'There is an account with this address. Sign in to it, then link the provider.',
  account_already_linked_to_different_user: 'Someone else has linked this account at the provider.',
  unable_to_link_account: 'The account at the provider cannot be linked.',
  signup_disabled: 'Nobody makes an account for themselves here. Ask an administrator for one.',
  unable_to_create_user: 'Something failed here; no account was made. Try again.',
  unable_to_create_session: 'Something failed here; nobody was signed in. Try again.',
  internal_server_error: 'Something failed here. Try again.',
  INVALID_TOKEN: 'The link is wrong, was used before, or has expired. Ask for a new one.',
  TOKEN_EXPIRED: 'The link has expired. Ask for a new one.',
  USER_NOT_FOUND: 'The account of this link is gone.',
  INVALID_USER: 'The link is for another account than the one that is signed in.',
};

export type ErrorCode = keyof typeof errorCatalogue;

export interface FieldError {
  /** Where the field is: `/body/to`, `/query/limit`, `/headers/idempotency-key`. */
  path: string;
  code: string;
  message: string;
}

/** An answer other than success that the caller is meant to see; everything else becomes a bare 500. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: FieldError[];
  readonly headers: Record<string, string>;

  /**
   * @param code a row of the catalogue; it decides the HTTP status
   * @param detail what happened this time and what to do, safe to show to the caller
   */
  constructor(
    code: ErrorCode,
    detail: string,
    options: { errors?: FieldError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.status = errorCatalogue[code][0];
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
  }
}

/** The 404 that is the same, byte for byte, for an id that does not exist and one of another organization. */
export function notFound(): ApiError {
  return new ApiError('not_found', 'There is no such resource.');
}
