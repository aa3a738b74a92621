import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { webhooks, WebhookVerificationError, type WebhookEvent } from 'sms-service-client';
import { CliError, UsageError } from './errors.ts';

/** A request that the receiver got. */
export type Received =
  | { outcome: 'verified'; event: WebhookEvent; isRepeated: boolean; forwardStatus?: number | null }
  | { outcome: 'refused'; reason: string; detail: string };

export interface WebhookReceiver {
  url: string;
  secret: string;
  close: () => Promise<void>;
}

/** The service sends at most some kilobytes. */
const largestBodyBytes = 1024 * 1024;

/** The service gives up after 10 seconds. */
const forwardTimeoutMs = 9_000;

/**
 * Starts a receiver of webhooks on this machine. It answers 200 to a webhook with the right signature, and 400 to any
 * other. With `forwardTo`, the answer is the one of that URL, so that a failure there is repeated by the service; it is
 * 502 if that URL does not answer.
 *
 * @param options.port 0 for any free port
 * @param options.secret the secret of the webhooks; by default a new one
 * @throws CliError if the port is not free
 */
export async function startWebhookReceiver(options: {
  host: string;
  port: number;
  secret?: string | undefined;
  forwardTo?: string | undefined;
  onReceived: (received: Received) => void;
}): Promise<WebhookReceiver> {
  const { host, port, forwardTo, onReceived, secret = randomBytes(24).toString('hex') } = options;
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      onReceived({ outcome: 'refused', reason: 'unreadable', detail: String(error) });
      response.destroy();
    });
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(
      'usage',
      'port',
      `Cannot listen on ${host}, port ${port} (${error.code}). Choose another --port.`,
    );
  });
  const bound = server.address() as AddressInfo;
  const shown = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return {
    secret,
    url: `http://${shown}:${bound.port}/`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const rawBody = await readBody(request);
    let event: WebhookEvent;
    try {
      event = await webhooks.verify({ rawBody, headers: request.headers, secret });
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      onReceived({ outcome: 'refused', reason: error.reason, detail: error.message });
      response.writeHead(400, { 'Content-Type': 'text/plain' }).end(`${error.reason}\n`);
      return;
    }
    const isRepeated = seen.has(event.id);
    seen.add(event.id);
    if (forwardTo === undefined) {
      onReceived({ outcome: 'verified', event, isRepeated });
      response.writeHead(200).end();
      return;
    }
    const forwardStatus = await forward(forwardTo, request, rawBody);
    onReceived({ outcome: 'verified', event, isRepeated, forwardStatus });
    response.writeHead(forwardStatus ?? 502).end();
  }
}

/** Reads a URL to forward to. */
export function readForwardUrl(given: string): string {
  if (!URL.canParse(given) || !/^https?:/.test(given)) {
    throw new UsageError(`--forward-to must be an http or https URL, not ${given}.`);
  }
  return given;
}

async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > largestBodyBytes) request.destroy(new Error('The body is larger than 1 MiB.'));
  });
  return Buffer.from(await buffer(request));
}

/** Sends a webhook on, byte for byte. Returns the status of the answer; null if there was none. */
async function forward(
  url: string,
  request: IncomingMessage,
  body: Buffer<ArrayBuffer>,
): Promise<number | null> {
  const names = ['content-type', 'user-agent'];
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && (names.includes(name) || name.startsWith('x-service-'))
      ? [[name, value]]
      : [],
  );
  try {
    const response = await fetch(url, {
      ...{ method: 'POST', headers, body, redirect: 'manual' },
      signal: AbortSignal.timeout(forwardTimeoutMs),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
