/**
 * Every error code the API answers with, its HTTP status and what it means. The catalogue page at /errors,
 * to which the `type` of each problem points, is made of this table.
 */
export const errorCatalogue = {
  invalid_request: [400, 'The request breaks a rule of the interface; `errors` names each field.'],
  malformed_request: [400, 'What came is no HTTP request.'],
  malformed_body: [400, 'The body cannot be read in the encoding that Content-Type names.'],
  organization_required: [400, 'The session belongs to several organizations: name one as organizationId.'],
  unauthenticated: [401, 'No valid API key, session or gateway token came with the request.'],
  api_key_revoked: [401, 'This API key has been revoked. Make a new one.'],
  api_key_expired: [401, 'This API key has expired. Make a new one or extend it.'],
  permission_denied: [403, 'The caller lacks the permission that `detail` names.'],
  not_found: [404, 'There is no such thing, or it is not yours.'],
  method_not_allowed: [405, 'The path exists, the method does not; see the Allow header.'],
  payload_too_large: [413, 'The body is larger than this endpoint takes.'],
  unsupported_media_type: [
    415,
    'Send application/json, application/x-www-form-urlencoded or multipart/form-data.',
  ],
  invalid_recipient: [422, 'The recipient is no number that a message can be sent to.'],
  sender_not_approved: [422, 'The sender is not approved for this organization.'],
  sender_required: [422, 'Name a sender in `from`, or have a default sender approved.'],
  webhook_url_not_allowed: [422, 'Webhooks go to public http(s) addresses only.'],
  internal_error: [500, 'Something failed here. The request id lets the operator find it.'],
  unavailable: [503, 'The service cannot reach its database; nothing was accepted. Try again.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

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
