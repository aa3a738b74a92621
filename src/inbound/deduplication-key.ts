import { createHash } from 'node:crypto';
import type { GatewayMessage } from './gateway-message.ts';

/**
 * What repetitions of one callback have in common, as a SHA-256. With an id of the gateway's it is that id, and
 * from, to and text besides, for SMSCs use their ids again; two messages of one text are two, for their ids differ.
 * Without one it is text and time. With neither, there is nothing that tells a repetition from a second message
 * of the same text: what comes within the same minute is taken for one.
 *
 * @param message as it is stored; `timestamp` as it came
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
