import { once } from 'node:events';
import { createServer } from 'node:http';
import { Client } from 'pg';
import { Pool } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { createDeliveryReportUrl, createGateway } from '../src/gateway/kannel.ts';
import { startSimulator } from '../src/gateway/simulator.ts';
import { freePort, startService, type RunningService } from './service.ts';

const parallelRequests = 64;

/**
 * Measures how many messages a second are accepted and delivered on the embedded default: POST, PostgreSQL, Temporal,
 * the simulator, and its two reports. The same run measures a baseline, the minimum work of any design: a loop of HTTP
 * requests to the simulator and a bare server that receives its reports, without storage.
 *
 * Options: the number of messages (5000).
 */
export async function sendBench([count = '5000']: string[]): Promise<void> {
  const messages = Number(count);
  const yardstick = await measureYardstick(messages);
  const service = await startService();
  try {
    await measure(service, 500);
    const { acceptedPerSecond, deliveredPerSecond } = await measure(service, messages);
    const ratio = (deliveredPerSecond / yardstick).toFixed(2);
    process.stdout.write(
      [
        `messages             ${messages}`,
        `accepted/s           ${acceptedPerSecond.toFixed(0)}`,
        `delivered/s          ${deliveredPerSecond.toFixed(0)}`,
        `yardstick/s          ${yardstick.toFixed(0)}   (HTTP loop into the simulator with reports, nothing stored)`,
        `delivered/yardstick  ${ratio}`,
        '',
      ].join('\n'),
    );
  } finally {
    await service.stop();
  }
}

async function measure(
  { demo }: RunningService,
  messages: number,
): Promise<{ acceptedPerSecond: number; deliveredPerSecond: number }> {
  const database = new Client({ connectionString: demo.databaseUrl });
  await database.connect();
  const countDelivered = async (): Promise<number> => {
    const { rows } = await database.query<{ count: string }>(
      `select count(*) from messages where status = 'delivered'`,
    );
    return Number(rows[0]!.count);
  };
  const before = await countDelivered();
  const api = new Pool(demo.baseUrl, { connections: parallelRequests });
  const startedAt = performance.now();
  await inParallel(messages, async (index) => {
    const { statusCode, body } = await api.request({
      method: 'POST',
      path: '/api/v1/messages',
      headers: { 'x-api-key': demo.testApiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ to: '0911234567', text: `Message ${index} of the bench` }),
    });
    await body.dump();
    if (statusCode !== 202) throw new Error(`The response to a message was ${statusCode}.`);
  });
  const acceptedPerSecond = perSecond(messages, startedAt);
  const deadline = performance.now() + 120_000;
  while ((await countDelivered()) < before + messages) {
    if (performance.now() > deadline) throw new Error('Not all messages were delivered within two minutes.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const deliveredPerSecond = perSecond(messages, startedAt);
  await Promise.all([api.close(), database.end()]);
  return { acceptedPerSecond, deliveredPerSecond };
}

export async function measureYardstick(messages: number): Promise<number> {
  let delivered = 0;
  let finish: () => void = () => undefined;
  const allDelivered = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const receiver = createServer((request, response) => {
    response.end();
    if (request.url?.includes('status=1') && (delivered += 1) === messages) finish();
  });
  receiver.listen(await freePort(), '127.0.0.1');
  await once(receiver, 'listening');
  const baseUrl = `http://127.0.0.1:${(receiver.address() as { port: number }).port}`;
  const silent = { info: () => undefined, warn: () => undefined };
  const simulator = await startSimulator({
    host: '127.0.0.1',
    port: 0,
    callbackBaseUrl: baseUrl,
    log: silent,
  });
  const gateway = createGateway({
    url: simulator.url,
    username: 'bench',
    password: 'bench',
    deliveryReportUrl: createDeliveryReportUrl({ baseUrl, token: 'bench' }),
    timeoutMs: 15_000,
    connections: 32,
  });
  const startedAt = performance.now();
  await inParallel(messages, async (index) => {
    const text = `Message ${index} of the bench`;
    await gateway.submit({ messageId: uuidv7(), from: 'BENCH', to: '+251911234567', text, encoding: 'gsm7' });
  });
  await allDelivered;
  const rate = perSecond(messages, startedAt);
  await gateway.close();
  await simulator.stop();
  receiver.close();
  receiver.closeAllConnections();
  return rate;
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: parallelRequests }, worker));
}

function perSecond(count: number, startedAtMs: number): number {
  return count / ((performance.now() - startedAtMs) / 1000);
}
