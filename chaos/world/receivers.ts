import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { isSignedWith, type WebhookEnvelope } from '../../bench/webhook-receiver.ts';
import type { ReceivedWebhook } from '../evidence.ts';
import type { ReceiverFault } from '../plan.ts';

/** The secret of all webhooks of a run. */
export const webhookSecret = 'a-secret-of-the-fault-harness';
/** Webhooks with this path are refused for good when they arrive first, so that they must be redriven. */
export const gonePath = '/gone';

/** The server of the callers, which receives their webhooks. */
export interface Receivers {
  url: string;
  /** Every request, in the order of arrival. */
  received: ReceivedWebhook[];
  setFault: (fault: ReceiverFault, isActive: boolean) => void;
  stop: () => Promise<void>;
}

/** Starts a server that notes each webhook and answers 200, or as the current fault says. */
export async function startReceivers(): Promise<Receivers> {
  const faults = new Set<ReceiverFault>();
  const received: ReceivedWebhook[] = [];
  const seen = new Set<string>();
  const hanging = new Set<ServerResponse>();

  const answerOf = (path: string, deliveryId: string): ReceivedWebhook['answer'] => {
    const isFirst = !seen.has(deliveryId);
    seen.add(deliveryId);
    if (path === gonePath && isFirst) return 'gone';
    return [...faults][0] ?? 'ok';
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const rawBody = Buffer.concat(chunks);
      const { url: path = '', headers } = request;
      const envelope = JSON.parse(rawBody.toString('utf8')) as WebhookEnvelope;
      const deliveryId = String(headers['x-service-delivery']);
      const answer = answerOf(path, deliveryId);
      received.push({
        ...{
          deliveryId,
          answer,
          atMs: Date.now(),
          messageId: String(envelope.data['id']),
          event: envelope.event,
        },
        body: rawBody.toString('utf8'),
        isSigned: isSignedWith(webhookSecret, { path, headers, rawBody, receivedAtMs: 0, envelope }),
        isConsistent: envelope.id === deliveryId && headers['x-service-event'] === envelope.event,
      });
      if (answer === 'hang') hanging.add(response);
      else respond(response, answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    setFault: (fault, isActive) => {
      if (isActive) faults.add(fault);
      else faults.delete(fault);
      if (fault !== 'hang' || isActive) return;
      hanging.forEach((response) => response.destroy());
      hanging.clear();
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function respond(response: ServerResponse, answer: Exclude<ReceivedWebhook['answer'], 'hang'>): void {
  const statuses = { ok: 200, gone: 410, refuse: 503, half: 200 };
  response.statusCode = statuses[answer];
  if (answer !== 'half') {
    response.end(answer);
    return;
  }
  response.setHeader('content-length', '1000');
  response.write('half an answer', () => response.destroy());
}
