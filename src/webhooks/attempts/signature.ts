import { createHmac } from 'node:crypto';

/**
 * Signs one attempt of a webhook delivery: the value of `X-Service-Signature` (specification section 6),
 * `sha256=` and the lowercase hex of HMAC-SHA256, keyed with the secret, over timestamp, dot and raw body.
 *
 * @param timestampSeconds Unix time in whole seconds, the same value as in `X-Service-Timestamp`
 * @param body the bytes sent, or a string that is sent as UTF-8
 */
export function signWebhook(request: {
  secret: string;
  timestampSeconds: number;
  body: string | Uint8Array;
}): string {
  const { secret, timestampSeconds, body } = request;
  // Receivers sign the text of the header, where a fraction or an exponent may be written differently.
  if (!Number.isSafeInteger(timestampSeconds)) {
    throw new RangeError(`timestampSeconds must be whole seconds, not ${timestampSeconds}`);
  }
  return `sha256=${createHmac('sha256', secret).update(`${timestampSeconds}.`).update(body).digest('hex')}`;
}
