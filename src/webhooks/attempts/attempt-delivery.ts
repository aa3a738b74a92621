import { Agent, request, type Dispatcher } from 'undici';
import { codeOfFailure, type AttemptErrorCode } from './attempt-errors.ts';
import { createGuardedConnector } from './guarded-lookup.ts';
import { signWebhook } from './signature.ts';

/** The result of one request to a webhook's URL. */
export interface DeliveryAnswer {
  durationMs: number;
  /** The HTTP status; null if no response arrived. */
  status: number | null;
  /** The first 1 KiB of the response body, or less if the response broke off. */
  body: string | null;
  /** Why the response is incomplete or missing; null if it is complete. */
  error: AttemptErrorCode | null;
  retryAfter: string | null;
}

/** The content of one request. */
export interface SignedDelivery {
  id: string;
  url: string;
  event: string;
  body: string;
  /** The secret that signs the request; null if it is not signed. */
  secret: string | null;
  /** The W3C `traceparent` of the attempt; undefined if it is not traced. */
  traceparent?: string | undefined;
}

/** The receiver must send its complete response, to the last byte, within this time (specification section 6). */
const defaultResponseTimeoutMs = 10_000;
/** How much of a response body is stored. */
const keptBytes = 1024;
/** How much of a response body is read. If it is longer, the connection is closed; the attempt does not fail. */
const readBytes = 64 * 1024;

/**
 * Creates the agent that connects to webhook receivers. It connects to public addresses only. The address is checked
 * when the connection is made, so a name cannot change its address after the check.
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

/** Posts one envelope. Never rejects: every failure is a result. Redirects are not followed. */
export async function attemptDelivery(
  agent: Dispatcher,
  delivery: SignedDelivery,
  responseTimeoutMs = defaultResponseTimeoutMs,
): Promise<DeliveryAnswer> {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  try {
    const response = await request(delivery.url, {
      dispatcher: agent,
      method: 'POST',
      headers: headersOf(delivery),
      body: delivery.body,
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    const { body, error } = await readResponse(response.body);
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

function headersOf({ id, event, body, secret, traceparent }: SignedDelivery): Record<string, string> {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  return {
    'content-type': 'application/json',
    'user-agent': 'sms-service-webhooks/1',
    'x-service-timestamp': String(timestampSeconds),
    'x-service-delivery': id,
    'x-service-event': event,
    ...(secret !== null && { 'x-service-signature': signWebhook({ secret, timestampSeconds, body }) }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

/** Reads a response. If it breaks off or does not end, the part that arrived is kept: it may give the reason. */
async function readResponse(
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
  // As a stream, the decoder drops a character that the limit cuts. PostgreSQL cannot store NUL.
  const body = new TextDecoder()
    .decode(Buffer.concat(chunks).subarray(0, keptBytes), { stream: true })
    .replaceAll('\0', '\uFFFD');
  return { body, error };
}
