/**
 * Every error code of the API, with its HTTP status and meaning. The catalogue page at /errors is generated from this
 * table; the `type` of each problem points to that page.
 */
export const errorCatalogue = {
  invalid_request: [400, 'The request breaks a rule of the interface; `errors` names each field.'],
  malformed_request: [400, 'The data received is not a valid HTTP request.'],
  expectation_failed: [417, 'The only supported expectation is 100-continue. Leave the Expect header out.'],
  malformed_body: [400, 'The body cannot be read in the encoding that Content-Type names.'],
  invalid_password: [400, 'The current password is wrong.'],
  password_too_short: [400, 'A password has at least 8 characters.'],
  password_too_long: [400, 'A password has at most 128 characters.'],
  invalid_token: [400, 'The link or token is wrong, was already used, or has expired. Request a new one.'],
  email_mismatch: [400, "The e-mail address is not the address of the session's user."],
  email_already_verified: [400, 'The e-mail address is already confirmed.'],
  mail_not_configured: [400, 'This server cannot send e-mail. The operator must set SMTP_URL.'],
  failed_to_unlink_last_account: [400, 'This is the only remaining way to sign in to this account.'],
  organization_required: [400, 'The user belongs to several organizations: set organizationId.'],
  unauthenticated: [401, 'The request has no valid API key, session or gateway token.'],
  api_key_revoked: [401, 'This API key has been revoked. Create a new one.'],
  api_key_expired: [401, 'This API key has expired. Create a new one or extend it.'],
  invalid_email_or_password: [401, 'The e-mail address or the password is wrong.'],
  banned: [403, 'This account is banned.'],
  permission_denied: [403, 'The caller lacks the permission that `detail` names.'],
  email_not_verified: [403, 'Confirm the e-mail address first: POST /api/auth/send-verification-email.'],
  sign_up_disabled: [403, 'Sign-up is disabled on this server. Ask an administrator for an account.'],
  session_not_fresh: [403, 'This requires a session that began within the last 24 hours. Sign in again.'],
  invalid_origin: [403, 'A browser sent this request from an origin that is not trusted.'],
  invalid_callback_url: [403, 'The callback URL must have a trusted origin.'],
  you_are_not_the_recipient_of_the_invitation: [403, 'The invitation is for another e-mail address.'],
  not_while_impersonating: [403, 'This is not allowed while impersonating a user. Stop impersonating first.'],
  you_cannot_impersonate_admins: [403, 'Administrators cannot be impersonated.'],
  invitation_limit_reached: [403, 'The organization has reached its limit of open invitations.'],
  organization_limit_reached: [403, 'The user has reached the limit of organizations they may own.'],
  organization_membership_limit_reached: [403, 'The organization has reached its limit of members.'],
  provider_not_found: [404, 'This sign-in provider is not configured.'],
  not_found: [404, 'The resource does not exist, or it belongs to another organization or user.'],
  rejects_expired: [
    410,
    'The rejected rows of this import have been deleted. They are kept until rejectsExpireAt.',
  ],
  method_not_allowed: [405, 'The path does not support this method; see the Allow header.'],
  payload_too_large: [413, 'The body is larger than this endpoint accepts.'],
  unsupported_media_type: [
    415,
    'Send application/json, application/x-www-form-urlencoded or multipart/form-data.',
  ],
  last_owner: [409, 'An organization must have at least one owner. Make someone else an owner first.'],
  last_administrator: [
    409,
    'The service must have at least one administrator who is not banned. Make someone else an administrator first.',
  ],
  invitation_accepted: [409, 'This invitation has already been accepted.'],
  invitation_rejected: [409, 'This invitation was rejected. Ask for a new one.'],
  invitation_canceled: [409, 'This invitation was cancelled. Ask for a new one.'],
  invitation_expired: [409, 'This invitation has expired. Ask for a new one.'],
  invalid_state: [409, 'The current state of the resource does not allow this action.'],
  idempotency_in_progress: [
    409,
    'The first request with this Idempotency-Key is still in progress; see Retry-After.',
  ],
  rate_limited: [429, 'Too many requests. Wait for the time in Retry-After.'],
  already_exists: [409, 'A resource with these values already exists.'],
  invalid_recipient: [422, 'The recipient is not a phone number that can receive messages.'],
  sender_not_approved: [422, 'The sender ID is not approved for this organization.'],
  recipient_opted_out: [422, 'The recipient is on the suppression list of the organization.'],
  sender_required: [
    422,
    'Get a default sender ID approved or, if the body has the field, set `from` to a sender ID.',
  ],
  keyword_reserved: [422, 'This keyword is reserved for opting out and opting in. Rules cannot use it.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used with another body in the last 24 hours.'],
  contact_list_empty: [422, 'The contact list has no members that can receive a message.'],
  unknown_contacts: [422, 'Some ids do not belong to contacts of this organization. Nothing was changed.'],
  webhook_url_not_allowed: [422, 'Webhook URLs must be public http(s) addresses.'],
  internal_error: [500, 'An internal error occurred. Give the request id to the operator.'],
  provider_unavailable: [503, 'The sign-in provider does not respond. Try again.'],
  unavailable: [
    503,
    'The service is temporarily unavailable, for example because its database is. Nothing was accepted. Try again.',
  ],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

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

export interface FieldError {
  /** The location of the field: `/body/to`, `/query/limit`, `/headers/idempotency-key`. */
  path: string;
  code: string;
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
    this.status = errorCatalogue[code][0];
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
  }
}

/** The 404 for an id that does not exist and for an id of another organization: both are the same, byte for byte. */
export function notFound(): ApiError {
  return new ApiError('not_found', 'Not found.');
}
