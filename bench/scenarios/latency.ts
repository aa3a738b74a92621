import { createGateway, createDeliveryReportUrl } from '../../src/gateway/kannel.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { percentile, waitFor } from '../load.ts';
import { freePort } from '../service.ts';
import type { UsableGateway } from '../yardsticks.ts';
import type { Bench, Figure } from './scenario.ts';

const perSecond = 50;

/**
 * Measures the time from the POST of a message to its webhook `message.delivered` at 50 messages a second. The
 * yardstick is the time from a request to the gateway to its report, at the same rate.
 */
export async function latencyRound(
  bench: Bench,
  options: { apiKey: string; startGateway: (callbackBaseUrl: string) => Promise<UsableGateway> },
): Promise<Figure[]> {
  const count = Math.min(bench.operations, 10 * perSecond);
  const yardstick = percentile(await timeGateway(options.startGateway, count), 99);
  const value = percentile(await timeService(bench, options.apiKey, count), 99);
  return [{ name: '99th percentile, POST to webhook delivered', unit: 'ms', value, yardstick }];
}

async function timeService({ service }: Bench, apiKey: string, count: number): Promise<number[]> {
  const receiver = await startWebhookReceiver();
  const startedAt = new Map<string, number>();
  await atRate(count, async () => {
    const atMs = Date.now();
    const response = await fetch(`${service.demo.baseUrl}/api/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        to: '0911234567',
        text: 'Selam',
        webhook: { url: receiver.baseUrl, secret: 'webhook-secret-of-the-bench' },
      }),
    });
    if (response.status !== 202) throw new Error(`The response to a message was ${response.status}.`);
    startedAt.set(((await response.json()) as { id: string }).id, atMs);
  });
  const delivered = () => receiver.received.filter(({ envelope }) => envelope.event === 'message.delivered');
  await waitFor('all webhooks', () => delivered().length >= count);
  const tookMs = delivered().map(
    ({ envelope, receivedAtMs }) => receivedAtMs - startedAt.get(String(envelope.data['id']))!,
  );
  await receiver.stop();
  return tookMs;
}

async function timeGateway(
  startGateway: (callbackBaseUrl: string) => Promise<UsableGateway>,
  count: number,
): Promise<number[]> {
  const startedAt = new Map<string, number>();
  const tookMs: number[] = [];
  const receiver = createServer((request, response) => {
    response.end();
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (searchParams.get('status') !== '1') return;
    tookMs.push(performance.now() - startedAt.get(searchParams.get('messageId')!)!);
  });
  receiver.listen(await freePort(), '127.0.0.1');
  await once(receiver, 'listening');
  const baseUrl = `http://127.0.0.1:${(receiver.address() as { port: number }).port}`;
  const { url, username, password, stop } = await startGateway(baseUrl);
  const gateway = createGateway({
    ...{ url, username, password, timeoutMs: 15_000, connections: 32 },
    deliveryReportUrl: createDeliveryReportUrl({ baseUrl, token: 'bench' }),
  });
  await atRate(count, async () => {
    const messageId = uuidv7();
    startedAt.set(messageId, performance.now());
    const message = { from: 'BENCH', to: '+251911234567', text: 'Selam', encoding: 'gsm7' } as const;
    await gateway.submit({ messageId, organizationId: 'bench', ...message });
  });
  await waitFor('reports of the yardstick', () => tookMs.length >= count);
  await gateway.close();
  await stop();
  receiver.close();
  receiver.closeAllConnections();
  return tookMs;
}

async function atRate(count: number, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const waitMs = startedAt + (index * 1000) / perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    running.push(work());
  }
  await Promise.all(running);
}
