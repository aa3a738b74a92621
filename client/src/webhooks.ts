import { SmsError } from './errors.ts';
import type { MessageSnapshot, ReceivedSnapshot, WebhookEnvelope } from './generated/types.ts';

/** The body of a webhook. Its `event` tells which `data` it has. */
export type WebhookEvent = Omit<WebhookEnvelope, 'event' | 'data'> &
  (
    | { event: MessageSnapshot['event']; data: MessageSnapshot }
    | { event: ReceivedSnapshot['event']; data: ReceivedSnapshot }
  );

/** A webhook that was not sent by the service, or not now. Respond with 400, and do not act on it. */
export class WebhookVerificationError extends SmsError {
  override name = 'WebhookVerificationError';
  /**
   * `header_missing`: the request has no signature, as for messages whose webhook has no secret. `wrong_signature`:
   * the secret is another one, or the body is not byte for byte the one that was received. `outside_tolerance`: the
   * request was sent too long ago, or the clocks differ. `invalid_body`: the signed body is no envelope.
   */
  readonly reason: 'header_missing' | 'wrong_signature' | 'outside_tolerance' | 'invalid_body';

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A received request. */
export interface ReceivedRequest {
  /** The body exactly as received. Parsed and printed again, it would be another one. */
  rawBody: string | Uint8Array;
  /** The headers, as fetch, Express or Node's http give them. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** `webhook.secret` of the message. */
  secret: string;
  /** How old a request may be, and how far in the future: a recorded one cannot be sent again later. Default 300. */
  toleranceSeconds?: number | undefined;
}

/**
 * Checks that a webhook comes from the service, and returns its body. Deliveries can repeat: process each `id` once.
 * It is the `id` of the body, because the header X-Service-Delivery is not signed.
 *
 * The signature is HMAC-SHA256 over X-Service-Timestamp, a dot and the body, compared in constant time.
 *
 * @throws WebhookVerificationError if the check fails; TypeError if the secret is empty, for anyone could sign with it
 */
export async function verify(request: ReceivedRequest): Promise<WebhookEvent> {
  const { rawBody, headers, secret, toleranceSeconds = 300 } = request;
  if (!secret) throw new TypeError('The secret is empty.');
  const signature = requireHeader(headers, 'x-service-signature');
  const timestamp = requireHeader(headers, 'x-service-timestamp');
  const encoder = new TextEncoder();
  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : rawBody;
  const prefix = encoder.encode(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  if (!(await isSignature(signature, signed, encoder.encode(secret)))) {
    throw new WebhookVerificationError(
      'wrong_signature',
      'The signature does not fit the body and the secret.',
    );
  }
  const ageSeconds = Date.now() / 1000 - Number(timestamp);
  // Written so that a timestamp that is no number is refused.
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      'outside_tolerance',
      `The webhook was sent ${Math.round(ageSeconds)} s ago; at most ${toleranceSeconds} s are accepted.`,
    );
  }
  return parseEnvelope(body);
}

function requireHeader(headers: ReceivedRequest['headers'], name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('header_missing', `The request has no header ${name}.`);
}

async function isSignature(
  given: string,
  signed: Uint8Array<ArrayBuffer>,
  secret: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(given) ?? [];
  if (hex === undefined) return false;
  const bytes = Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['verify']);
  // WebCrypto compares in constant time.
  return crypto.subtle.verify('HMAC', key, bytes, signed);
}

function parseEnvelope(body: Uint8Array): WebhookEvent {
  try {
    const envelope = JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
    if (typeof envelope.id === 'string' && typeof envelope.event === 'string') return envelope;
  } catch {
    // The error below says the same.
  }
  throw new WebhookVerificationError('invalid_body', 'The signed body is not an envelope.');
}
