/**
 * The responses of Kannel's smsbox to sendsms, as in its `gw/smsbox.c` and as observed with Debian's 1.4.5. The
 * simulator responds from this table, and the client reads responses with it.
 */
export const kannelAnswers = {
  accepted: { status: 202, body: '0: Accepted for delivery' },
  /** No SMSC is connected. bearerbox has stored the message and sends it when an SMSC is connected. */
  queued: { status: 202, body: '3: Queued for later delivery' },
  notRoutable: { status: 403, body: 'Not routable. Do not try again.' },
  temporalFailure: { status: 503, body: 'Temporal failure, try again later.' },
  authorizationFailed: { status: 403, body: 'Authorization failed for sendsms' },
  unknownRequest: { status: 404, body: 'Unknown request.' },
  invalidContentType: { status: 400, body: 'Invalid content-type' },
  receiverMissing: { status: 400, body: 'Missing receiver number, rejected' },
  receiverMissingInPost: { status: 400, body: 'Missing receiver(s) number(s), rejected' },
  receiverEmpty: { status: 400, body: 'Empty receiver number not allowed, rejected' },
  /** Also the response to a receiver with any character other than digits, `+`, `-` and space. */
  receiverDenied: { status: 400, body: 'Number(s) has/have been denied by white- and/or black-lists.' },
  senderMissing: { status: 400, body: 'Sender missing and no global set, rejected' },
  deliveryReportUrlMalformed: { status: 400, body: 'DLR-URL field misformed, rejected' },
  deliveryReportMaskMalformed: { status: 400, body: 'DLR-Mask field misformed, rejected' },
  codingMalformed: { status: 400, body: 'Coding field misformed, rejected' },
  textMalformed: { status: 400, body: 'Charset or body misformed, rejected' },
  /** smsbox could not pass the message to bearerbox. */
  sendingFailed: { status: 500, body: 'Sending failed.' },
} as const satisfies Record<string, KannelAnswer>;

export type KannelAnswer = { status: number; body: string };

/**
 * The outcome of one submission, as far as the response shows it:
 * - `accepted`: the gateway has the message. `queued`: it waits there until an SMSC is connected again.
 * - `refused`: final, a repetition would be refused too. `detail` is a code for the reason.
 * - `unavailable`: certainly not accepted; submit again later. This includes every error in the operator's
 *   configuration (password, URL), because no tenant's message may fail permanently for that reason.
 * - `doubtful`: the submission is in doubt. The request was sent, or may have been, and the response does not show
 *   whether it was accepted.
 *
 * No member ever contains a text, a phone number or a password: all of them may be logged and stored.
 */
export type SubmissionOutcome =
  | { outcome: 'accepted'; queued: boolean }
  | { outcome: 'refused'; errorCode: RefusalErrorCode; detail: string; httpStatus: number }
  | { outcome: 'unavailable'; reason: UnavailableReason; httpStatus?: number }
  | { outcome: 'doubtful'; reason: DoubtfulReason; httpStatus?: number };

export type RefusalErrorCode = 'gateway_rejected' | 'not_routable';

export type UnavailableReason =
  /** Connection refused, no route, TLS failure: no connection was established. */
  | 'gateway_unreachable'
  | 'gateway_name_not_resolved'
  | 'gateway_connect_timeout'
  /** All connections of the pool were busy for the maximum duration of a request. */
  | 'gateway_connections_busy'
  | 'gateway_client_closed'
  /** The worker's SECURITY_CODE_PEPPER is not the one with which the text was sealed. Nothing was sent. */
  | 'sealed_text_unreadable'
  | 'gateway_temporal_failure'
  | 'gateway_rate_limited'
  | 'gateway_authorization_failed'
  /** GATEWAY_URL has a wrong path. */
  | 'gateway_url_unknown'
  /** Kannel refuses the delivery report URL, which is built from BASE_URL and GATEWAY_TOKEN. */
  | 'gateway_callback_url_refused'
  /** A 3xx or 4xx that Kannel's sendsms never returns: GATEWAY_URL leads to another service. */
  | 'gateway_unexpected_answer';

export type DoubtfulReason =
  | 'gateway_answer_timeout'
  | 'gateway_connection_lost'
  | 'gateway_answer_broken'
  /** A 5xx that may come from something other than Kannel, or a 200 without Kannel's words. */
  | 'gateway_answer_unclear';

/** 413 Content Too Large, 414 URI Too Long, 431 Request Header Fields Too Large. */
const tooLong = new Set([413, 414, 431]);

type BodyRule = { body: RegExp; outcome: (httpStatus: number) => SubmissionOutcome };

/** Refusals by their words; the first match applies. An error that only the operator can correct is not final. */
const refusalRules: BodyRule[] = [
  { body: /^Authorization failed/i, outcome: unavailable('gateway_authorization_failed') },
  { body: /^Not routable/i, outcome: refused('not_routable', 'no_route_to_receiver') },
  { body: /^DLR-(URL|Mask) field misformed/i, outcome: unavailable('gateway_callback_url_refused') },
  { body: /denied by white- and\/or black-lists/i, outcome: refused('gateway_rejected', 'receiver_denied') },
  { body: /receiver.* number/i, outcome: refused('gateway_rejected', 'receiver_missing') },
  { body: /^Sender missing/i, outcome: refused('gateway_rejected', 'sender_missing') },
  { body: /^Charset or body misformed/i, outcome: refused('gateway_rejected', 'text_malformed') },
  { body: /, rejected\.?$/i, outcome: refused('gateway_rejected', 'parameter_malformed') },
];

/**
 * Classifies one complete response to sendsms.
 *
 * A 400 or 403 is final with any words, unless they indicate an error that only the operator can correct. Otherwise the
 * message would be refused again and again, and its sender would learn nothing for three days. A 5xx other than 503
 * leaves the submission in doubt unless it is Kannel's own: a proxy returns 500, 502 and 504 also if it forwarded the
 * request and lost the response (RFC 9110, 15.6.3 and 15.6.5). 503 means that the request was not handled, from Kannel
 * and from a proxy (RFC 9110, 15.6.4).
 *
 * @param httpStatus the final status, not a 1xx
 * @param body the part of the body that was read; its first hundred characters are enough
 */
export function readAnswer(httpStatus: number, body: string): SubmissionOutcome {
  const words = body.trim();
  if (httpStatus === 202) return accepted(words);
  // Kannel before 1.4 responded with 200 and the same words. `Sent.` is the response of `immediate-sendsms-reply`.
  if (httpStatus === 200 && /^(0: |3: |Sent\.)/.test(words)) return accepted(words);
  if (httpStatus < 300) return { outcome: 'doubtful', reason: 'gateway_answer_unclear', httpStatus };
  if (httpStatus === 401 || httpStatus === 407)
    return unavailable('gateway_authorization_failed')(httpStatus);
  if (httpStatus === 429) return unavailable('gateway_rate_limited')(httpStatus);
  if (httpStatus === 503) return unavailable('gateway_temporal_failure')(httpStatus);
  if (httpStatus === 400 || httpStatus === 403) {
    const rule = refusalRules.find((candidate) => candidate.body.test(words));
    return (rule?.outcome ?? refused('gateway_rejected', 'refused'))(httpStatus);
  }
  // A request that is too long will be too long again.
  if (tooLong.has(httpStatus)) return refused('gateway_rejected', 'request_too_long')(httpStatus);
  if (httpStatus === 404) return unavailable('gateway_url_unknown')(httpStatus);
  if (httpStatus < 500) return unavailable('gateway_unexpected_answer')(httpStatus);
  if (words === kannelAnswers.sendingFailed.body) return unavailable('gateway_temporal_failure')(httpStatus);
  return { outcome: 'doubtful', reason: 'gateway_answer_unclear', httpStatus };
}

function accepted(words: string): SubmissionOutcome {
  return { outcome: 'accepted', queued: words.startsWith('3: ') };
}

function refused(errorCode: RefusalErrorCode, detail: string): BodyRule['outcome'] {
  return (httpStatus) => ({ outcome: 'refused', errorCode, detail, httpStatus });
}

function unavailable(reason: UnavailableReason): BodyRule['outcome'] {
  return (httpStatus) => ({ outcome: 'unavailable', reason, httpStatus });
}
