import { Pool, errors } from 'undici';
import type { Dispatcher } from 'undici';
import { readAnswer } from './kannel-answers.ts';
import { createTurns } from './turns.ts';
import type { DoubtfulReason, SubmissionOutcome, UnavailableReason } from './kannel-answers.ts';

export type { DoubtfulReason, SubmissionOutcome, UnavailableReason } from './kannel-answers.ts';

export type GatewayOptions = {
  /** The sendsms URL of Kannel or the simulator. A query in it is kept and sent with each request. */
  url: string;
  username: string;
  password: string;
  /** Returns the dlr-url of a message, which contains Kannel's escapes: see createDeliveryReportUrl. */
  deliveryReportUrl: (messageId: string) => string;
  /** How long the response may take after the request is sent; also how long a request may wait for a connection. */
  timeoutMs: number;
  /**
   * The maximum number of connections. Each has one request at a time. Organizations take turns for them, so the many
   * submissions of one do not delay those of another.
   */
  connections: number;
  /** How long establishing a connection may take. */
  connectTimeoutMs?: number;
};

export type Submission = {
  messageId: string;
  organizationId: string;
  /** The sender ID. */
  from: string;
  /** The recipient, E.164 with its plus. */
  to: string;
  text: string;
  /** Determined by the rules that count the segments, so that the gateway sends what was billed. */
  encoding: 'gsm7' | 'ucs2';
};

export type Gateway = {
  /** Submits once, without retries. Never rejects: a gateway error is an outcome. */
  submit(submission: Submission): Promise<SubmissionOutcome>;
  /** Waits for the requests in progress (at most timeoutMs each), then closes the connections. */
  close(): Promise<void>;
};

/** All report types: delivered, undelivered, buffered, accepted by the SMSC, rejected by the SMSC. */
const DLR_MASK = 31;
/** Kannel's codes for the two codings into which it converts UTF-8. */
const CODING = { gsm7: '0', ucs2: '2' } as const;
const ANSWER_BODY_LIMIT_BYTES = 1024;
/**
 * Well below the 60 s after which smsbox closes an idle connection (gwlib/http.c, HTTP_SERVER_TIMEOUT), so that no
 * request is written to a connection that is being closed: its outcome would be unknown.
 */
const KEEP_ALIVE_TIMEOUT_MS = 4_000;

/**
 * Creates the client of a gateway that supports Kannel's sendsms (Kannel User's Guide, "Using the HTTP interface to
 * send SMS messages"). It uses GET, which every version of Kannel and every compatible gateway supports.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const url = new URL(options.url);
  const pool = new Pool(url.origin, {
    connections: options.connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // A server's Keep-Alive hint may shorten this time but never extend it.
    keepAliveMaxTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connect: { timeout: options.connectTimeoutMs ?? Math.min(options.timeoutMs, 5_000) },
    // SubmissionAttempt enforces the only deadline: for the whole response, not between its bytes.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const connections = createTurns(options.connections);
  let closed: Promise<void> | undefined;

  return {
    submit(submission) {
      return new Promise((resolve) => {
        const attempt = new SubmissionAttempt({
          timeoutMs: options.timeoutMs,
          resolve,
          freeConnection: connections.leave,
        });
        connections.take(submission.organizationId, () => {
          if (attempt.isCompleted) return false;
          pool.dispatch({ method: 'GET', path: sendsmsPath(url, options, submission) }, attempt);
          return true;
        });
      });
    },
    close: () => (closed ??= pool.close()),
  };
}

/**
 * Creates the function that returns a message's dlr-url, in which Kannel replaces its escapes: `%d` the report's type,
 * `%i` the SMSC's id, `%F` the SMSC's id of the message, `%p` the recipient.
 *
 * @param baseUrl the URL at which the gateway reaches the API, without a trailing slash
 */
export function createDeliveryReportUrl(given: {
  baseUrl: string;
  token: string;
}): (messageId: string) => string {
  const endpoint = `${given.baseUrl.replace(/\/+$/, '')}/api/v1/gateway/dlr`;
  const token = literalInPattern(given.token);
  return (messageId) =>
    `${endpoint}?messageId=${literalInPattern(messageId)}&token=${token}` +
    '&status=%d&smscId=%i&providerMessageId=%F&to=%p';
}

/**
 * Returns the get-url for Kannel's sms-service group: `%p` the sender, `%P` the receiving number, `%b` the text (`%a`,
 * which Kannel's examples use, collapses spaces and line breaks), `%T` the time in Unix seconds. `%I` is bearerbox's id
 * of the message, which stays the same when the callback is repeated. Kannel has the SMSC's id, `%F`, only for reports,
 * and a message without an id cannot be distinguished from the next one with the same text.
 */
export function createMobileOriginatedUrl(given: { baseUrl: string; token: string }): string {
  return (
    `${given.baseUrl.replace(/\/+$/, '')}/api/v1/gateway/mo?token=${literalInPattern(given.token)}` +
    '&from=%p&to=%P&text=%b&smscId=%i&providerMessageId=%I&timestamp=%T'
  );
}

/**
 * Percent-encodes a value for a Kannel pattern. Kannel would read the `%C` of `%C3` as its escape; it replaces a
 * doubled percent sign with a single one.
 */
function literalInPattern(value: string): string {
  return encodeURIComponent(value).replaceAll('%', '%%');
}

function sendsmsPath(url: URL, options: GatewayOptions, submission: Submission): string {
  const parameters = new URLSearchParams(url.search);
  parameters.set('username', options.username);
  parameters.set('password', options.password);
  parameters.set('from', submission.from);
  parameters.set('to', submission.to);
  parameters.set('text', submission.text);
  parameters.set('charset', 'UTF-8');
  parameters.set('coding', CODING[submission.encoding]);
  parameters.set('dlr-mask', String(DLR_MASK));
  parameters.set('dlr-url', options.deliveryReportUrl(submission.messageId));
  return `${url.pathname}?${parameters.toString()}`;
}

/**
 * Follows one request through undici to its outcome. The call of onRequestStart decides between `unavailable` and
 * `doubtful`: undici makes it immediately before it writes the request to a socket. A failure before this call
 * certainly did not reach the gateway. A failure after it may have reached the gateway, whatever its code.
 */
class SubmissionAttempt implements Dispatcher.DispatchHandler {
  readonly #resolve: (outcome: SubmissionOutcome) => void;
  #freeConnection: () => void;
  readonly #deadline: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #completed = false;
  #httpStatus = 0;
  #body = Buffer.alloc(0);

  /** @param given.freeConnection called once undici has ended the request, which may be later than its outcome */
  constructor(given: {
    timeoutMs: number;
    resolve: (outcome: SubmissionOutcome) => void;
    freeConnection: () => void;
  }) {
    this.#resolve = given.resolve;
    this.#freeConnection = given.freeConnection;
    this.#deadline = setTimeout(() => this.#markFailed(), given.timeoutMs);
  }

  get isCompleted(): boolean {
    return this.#completed;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The caller was already told that this request failed while it waited for a connection, so it must not be sent.
    if (this.#completed) return controller.abort(new Error('given up before it was sent'));
    this.#controller = controller;
    // The time spent waiting for a connection does not count against the gateway.
    this.#deadline.refresh();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    this.#httpStatus = statusCode;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#completed) return;
    const room = ANSWER_BODY_LIMIT_BYTES - this.#body.length;
    this.#body = Buffer.concat([this.#body, chunk.subarray(0, room)]);
    if (chunk.length <= room) return;
    // The response is longer than any of Kannel's. Its start decides the outcome; the rest is not read.
    this.#complete(this.#readAnswer());
    controller.abort(new Error('the answer is too long'));
  }

  onResponseEnd(): void {
    this.#end();
    this.#complete(this.#readAnswer());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    if (this.#completed) return;
    if (this.#controller === undefined) {
      return this.#complete({ outcome: 'unavailable', reason: reasonNotSent(error) });
    }
    this.#complete({ outcome: 'doubtful', reason: reasonAnswerLost(error), ...this.#statusIfKnown() });
  }

  #end(): void {
    const free = this.#freeConnection;
    this.#freeConnection = () => undefined;
    free();
  }

  #markFailed(): void {
    if (this.#controller === undefined) {
      return this.#complete({ outcome: 'unavailable', reason: 'gateway_connections_busy' });
    }
    this.#complete({ outcome: 'doubtful', reason: 'gateway_answer_timeout', ...this.#statusIfKnown() });
    this.#controller.abort(new Error('the answer took too long'));
  }

  #readAnswer(): SubmissionOutcome {
    return readAnswer(this.#httpStatus, this.#body.toString('latin1'));
  }

  #statusIfKnown(): { httpStatus?: number } {
    return this.#httpStatus === 0 ? {} : { httpStatus: this.#httpStatus };
  }

  #complete(outcome: SubmissionOutcome): void {
    if (this.#completed) return;
    this.#completed = true;
    clearTimeout(this.#deadline);
    this.#resolve(outcome);
  }
}

function reasonNotSent(error: Error): UnavailableReason {
  if (error instanceof errors.ConnectTimeoutError) return 'gateway_connect_timeout';
  if (error instanceof errors.ClientClosedError || error instanceof errors.ClientDestroyedError) {
    return 'gateway_client_closed';
  }
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'gateway_name_not_resolved';
  return 'gateway_unreachable';
}

function reasonAnswerLost(error: Error): DoubtfulReason {
  if (error instanceof errors.HTTPParserError) return 'gateway_answer_broken';
  if (error instanceof errors.ResponseContentLengthMismatchError) return 'gateway_answer_broken';
  return 'gateway_connection_lost';
}
