import { createHash } from 'node:crypto';
import type { GatewayMessage } from './gateway-message.ts';

/**
 * Returns a SHA-256 that is the same for all repetitions of one callback. It includes the gateway's message id if there
 * is one, with `from`, `to` and the text, because SMSCs reuse their ids. Two messages with the same text stay two
 * messages, because their ids differ. Without an id, the hash includes the text and the timestamp. With neither, a
 * repetition looks the same as a second message with the same text, so messages within the same minute count as one.
 *
 * @param message as it is stored; `timestamp` as it was received
 */
export function makeDeduplicationKey(message: GatewayMessage, receivedAt: Date): Buffer {
  const { from, to, text, smscId, providerMessageId, timestamp } = message;
  const identity = providerMessageId
    ? ['id', smscId ?? '', providerMessageId, from, to, text]
    : timestamp
      ? ['time', smscId ?? '', timestamp, from, to, text]
      : ['minute', Math.floor(receivedAt.getTime() / 60_000), from, to, text];
  return createHash('sha256').update(JSON.stringify(identity)).digest();
}
