import type { ErrorCode, Problem } from './generated/types.ts';

/** The base of the errors that a call can end with, so that one `instanceof` finds all of them. */
export class SmsError extends Error {
  override name = 'SmsError';
}

/** A field that the service refused: where it is (`/body/to`), a stable code, and a message for people. */
export type FieldError = NonNullable<Problem['errors']>[number];

/** The service answered with an error (RFC 9457). */
export class SmsApiError extends SmsError {
  override name = 'SmsApiError';
  /** The HTTP status. */
  readonly status: number;
  /**
   * The stable code of the error. It is `http_error` for an answer that does not come from the service, for example
   * from a proxy in front of it. Newer servers may have codes that this version of the client does not list.
   */
  readonly code: ErrorCode | 'http_error' | (string & {});
  /** What happened in this request and what to do. */
  readonly detail: string;
  /** Identifies the request in the operator's log; null if the answer does not say it. */
  readonly requestId: string | null;
  /** The page that explains the code; null if the answer does not come from the service. */
  readonly type: string | null;
  /** The fields that the service refused; empty for errors that are not about fields. */
  readonly errors: FieldError[];
  /** How long to wait before the request is repeated; null if the answer does not say it. */
  readonly retryAfterSeconds: number | null;

  /**
   * @param status the HTTP status
   * @param problem the body of the answer, as far as it is one of the service
   * @param retryAfterSeconds the time in Retry-After
   */
  constructor(status: number, problem: Partial<Problem>, retryAfterSeconds: number | null = null) {
    const { code = 'http_error', requestId = null, type = null, errors = [] } = problem;
    const detail = problem.detail ?? `The server answered with status ${status}.`;
    const fields = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
    const origin = requestId === null ? code : `${code}, request ${requestId}`;
    super(`${detail}${fields === '' ? '' : ` ${fields}.`} (${origin})`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.requestId = requestId;
    this.type = type;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No complete answer arrived: the server cannot be reached, the connection broke, or the time was over. */
export class SmsConnectionError extends SmsError {
  override name = 'SmsConnectionError';
  /** Whether the server may have received the request and acted on it. */
  readonly mayHaveArrived: boolean;

  constructor(message: string, options: { mayHaveArrived: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.mayHaveArrived = options.mayHaveArrived;
  }
}

/** The awaited state was not reached in the given time. */
export class SmsTimeoutError extends SmsError {
  override name = 'SmsTimeoutError';
}
