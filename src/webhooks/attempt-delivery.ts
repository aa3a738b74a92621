import { Agent, request, type Dispatcher } from 'undici';
import type { ClaimedDelivery } from './claim-due-deliveries.ts';
import { createGuardedConnector } from './guarded-lookup.ts';
import { signWebhook } from './signature.ts';

/** What one request to a webhook's URL came to. */
export interface DeliveryAnswer {
  durationMs: number;
  /** HTTP status; null when there was no whole answer. */
  status: number | null;
  /** The first 1 KiB of the answer. */
  body: string | null;
  /** Why there was no whole answer: a stable code. */
  error: string | null;
  retryAfter: string | null;
}

/** A receiver must have answered, to the last byte, within this time (specification section 6). */
const answerTimeoutMs = 10_000;
/** What of an answer is kept. */
const keptBytes = 1024;
/** What of an answer is read; a receiver that sends more has its connection closed, which fails nothing. */
const readBytes = 64 * 1024;

/**
 * Makes the connections to webhooks: they go to public addresses only, checked when the connection is made
 * and not before, so that a name which changes its address in between gains nothing.
 */
export function createWebhookAgent(allowedHosts: readonly string[]): Agent {
  return new Agent({
    connect: createGuardedConnector({ allowedHosts }),
    keepAliveTimeout: 4_000,
    maxOrigins: 1_000,
  });
}

/** Posts one envelope. Never rejects: whatever goes wrong is an answer. Redirects are not followed. */
export async function attemptDelivery(agent: Dispatcher, delivery: ClaimedDelivery): Promise<DeliveryAnswer> {
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
    const body = await readAnswer(response.body);
    const retryAfter = response.headers['retry-after'];
    return {
      durationMs: elapsed(),
      status: response.statusCode,
      body,
      error: null,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
    };
  } catch (error) {
    return { durationMs: elapsed(), status: null, body: null, error: codeOf(error), retryAfter: null };
  }
}

function headersOf({ id, event, body, secret }: ClaimedDelivery): Record<string, string> {
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

async function readAnswer(stream: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length;
    if (bytes <= keptBytes + (chunk as Buffer).length) chunks.push(chunk as Buffer);
    if (bytes > readBytes) break;
  }
  // NUL is the one character that PostgreSQL cannot keep.
  return Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8').replaceAll('\0', '\uFFFD');
}

/** The stable code of a failed request; texts of errors may hold addresses and say no more. */
function codeOf(error: unknown): string {
  let cause = error as { name?: unknown; code?: unknown; cause?: unknown } | undefined;
  for (; typeof cause === 'object' && cause !== null; cause = cause.cause as typeof cause) {
    if (cause.name === 'TimeoutError') return 'TIMEOUT';
    if (typeof cause.code === 'string') return cause.code;
  }
  return 'REQUEST_FAILED';
}
