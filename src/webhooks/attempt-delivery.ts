import { Agent, request, type Dispatcher } from 'undici';
import { codeOfFailure, type AttemptErrorCode } from './attempt-errors.ts';
import { createGuardedConnector } from './guarded-lookup.ts';
import { signWebhook } from './signature.ts';

/** What one request to a webhook's URL came to. */
export interface DeliveryAnswer {
  durationMs: number;
  /** HTTP status; null when none came. */
  status: number | null;
  /** The first 1 KiB of the answer, or of as much of it as came. */
  body: string | null;
  /** Why there was no whole answer. */
  error: AttemptErrorCode | null;
  retryAfter: string | null;
}

/** What is sent. */
export interface SignedDelivery {
  id: string;
  url: string;
  event: string;
  body: string;
  /** What signs it; null: nothing does. */
  secret: string | null;
}

/** A receiver must have answered, to the last byte, within this time (specification section 6). */
const usualAnswerTimeoutMs = 10_000;
/** What of an answer is kept. */
const keptBytes = 1024;
/** What of an answer is read; a receiver that sends more has its connection closed, which fails nothing. */
const readBytes = 64 * 1024;

/**
 * Makes the connections to webhooks: they go to public addresses only, checked when the connection is made
 * and not before, so that a name which changes its address in between gains nothing.
 */
export function createWebhookAgent(
  allowedHosts: readonly string[],
  connector: Omit<Parameters<typeof createGuardedConnector>[0], 'allowedHosts'> = {},
): Agent {
  return new Agent({
    connect: createGuardedConnector({ ...connector, allowedHosts }),
    keepAliveTimeout: 4_000,
  });
}

/** Posts one envelope. Never rejects: whatever goes wrong is an answer. Redirects are not followed. */
export async function attemptDelivery(
  agent: Dispatcher,
  delivery: SignedDelivery,
  answerTimeoutMs = usualAnswerTimeoutMs,
): Promise<DeliveryAnswer> {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  try {
    const response = await request(delivery.url, {
      dispatcher: agent,
      method: 'POST',
      headers: headersOf(delivery),
      body: delivery.body,
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const { body, error } = await readAnswer(response.body);
    const retryAfter = response.headers['retry-after'];
    return {
      durationMs: elapsed(),
      status: response.statusCode,
      body,
      error,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
    };
  } catch (error) {
    return { durationMs: elapsed(), status: null, body: null, error: codeOfFailure(error), retryAfter: null };
  }
}

function headersOf({ id, event, body, secret }: SignedDelivery): Record<string, string> {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  return {
    'content-type': 'application/json',
    'user-agent': 'sms-service-webhooks/1',
    'x-service-timestamp': String(timestampSeconds),
    'x-service-delivery': id,
    'x-service-event': event,
    ...(secret !== null && { 'x-service-signature': signWebhook({ secret, timestampSeconds, body }) }),
  };
}

/** Reads an answer; of one that breaks off or does not end, what came is kept: it may tell the reason. */
async function readAnswer(
  stream: Dispatcher.ResponseData['body'],
): Promise<{ body: string; error: AttemptErrorCode | null }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let error: AttemptErrorCode | null = null;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (bytes < keptBytes) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > readBytes) break;
    }
  } catch (failure) {
    error = codeOfFailure(failure);
  }
  // NUL is the one character that PostgreSQL cannot keep.
  const body = Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8').replaceAll('\0', '\uFFFD');
  return { body, error };
}
