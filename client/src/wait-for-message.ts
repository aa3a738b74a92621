import { SmsError, SmsTimeoutError } from './errors.ts';
import { MessagesResource } from './generated/resources.ts';
import type { Message } from './generated/types.ts';
import { isWorthRepeating, pause, pauseBeforeRepetition } from './retries.ts';

/** The statuses that never change again. */
const finalStatuses = ['delivered', 'failed', 'cancelled'] as const;

/** A message whose status is final. */
export type FinalMessage = Message & { status: (typeof finalStatuses)[number] };

/** How long to wait for a message. */
export interface WaitOptions {
  /** How long to wait at most. Default 60. */
  timeoutSeconds?: number | undefined;
  /** The organization to act for; the default is that of the key. */
  organizationId?: string | undefined;
  /** Ends the wait. It then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** The pauses between two looks at a message: they grow, because what took long will take longer. */
const [firstPauseMs, longestPauseMs] = [200, 5_000];

/** The messages of an organization, with the wait for the end of one. */
export class Messages extends MessagesResource {
  /**
   * Waits until the status of a message is final: `delivered`, `failed` or `cancelled`. It looks at the message again
   * and again; a server that must not wait uses a webhook. Looks that fail are repeated until the time is over.
   *
   * @throws SmsTimeoutError if the status is not final in time; the message may still become it
   */
  async waitFor(messageId: string, options: WaitOptions = {}): Promise<FinalMessage> {
    const { timeoutSeconds = 60, organizationId, signal } = options;
    const deadline = performance.now() + timeoutSeconds * 1000;
    for (let look = 0; ; look += 1) {
      const remainingMs = deadline - performance.now();
      const limits = { signal, maxRetries: 0, timeoutSeconds: clamp(remainingMs / 1000, 1, 30) };
      const seen = await this.get(messageId, { organizationId }, limits).catch((error: unknown) => {
        if (isWorthRepeating(error)) return error;
        throw error;
      });
      if (!(seen instanceof Error) && isFinal(seen)) return seen;
      if (remainingMs <= 0) throw timeoutErrorOf(messageId, timeoutSeconds, seen);
      const pauseMs =
        seen instanceof Error
          ? pauseBeforeRepetition(seen, 'always', look)
          : Math.min(longestPauseMs, firstPauseMs * 1.5 ** look);
      await pause(Math.min(pauseMs ?? longestPauseMs, remainingMs), signal);
    }
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

function timeoutErrorOf(messageId: string, seconds: number, seen: Message | SmsError): SmsTimeoutError {
  return seen instanceof SmsError
    ? new SmsTimeoutError(`After ${seconds} s the status of message ${messageId} is not known.`, {
        cause: seen,
      })
    : new SmsTimeoutError(
        `After ${seconds} s the message ${messageId} is ${seen.status}, which is not final.`,
      );
}

function isFinal(message: Message): message is FinalMessage {
  return (finalStatuses as readonly string[]).includes(message.status);
}
