import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as a caller's server receives it. */
export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes, which are signed. */
  rawBody: Buffer;
  receivedAtMs: number;
  envelope: WebhookEnvelope;
}

/** The webhook envelope of specification section 2. */
export interface WebhookEnvelope {
  id: string;
  event: string;
  createdAt: string;
  data: Record<string, unknown>;
}

export interface WebhookReceiver {
  baseUrl: string;
  /** All requests in order of arrival. */
  received: ReceivedWebhook[];
  /** The requests for one message, in order. */
  receivedOf: (messageId: string) => ReceivedWebhook[];
  stop: () => Promise<void>;
}

/** Starts a caller's server, which keeps every webhook and responds 200. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const rawBody = Buffer.concat(chunks);
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        rawBody,
        receivedAtMs: Date.now(),
        envelope: JSON.parse(rawBody.toString('utf8')) as WebhookEnvelope,
      });
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    receivedOf: (messageId) => received.filter(({ envelope }) => envelope.data['id'] === messageId),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Checks a signature as the specification describes for receivers (section 6), independent of the service's own
 * code: HMAC-SHA256, keyed with the secret, over the timestamp, a dot and the raw body.
 */
export function isSignedWith(secret: string, { headers, rawBody }: ReceivedWebhook): boolean {
  const [, hex = ''] = /^sha256=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? [];
  const signed = Buffer.concat([Buffer.from(`${String(headers['x-service-timestamp'])}.`), rawBody]);
  const expected = createHmac('sha256', secret).update(signed).digest();
  const given = Buffer.from(hex, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
