import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { createDeliveryReportUrl, createGateway } from '../src/gateway/kannel.ts';
import { startSimulator } from '../src/gateway/simulator.ts';
import { inParallel, parallelRequests, perSecond, waitFor } from './load.ts';
import { freePort } from './service.ts';

/** A gateway, its sendsms user, and the function that ends its use. */
export interface UsableGateway {
  url: string;
  username: string;
  password: string;
  stop: () => Promise<void>;
}

/** Starts a simulator in this process, whose reports go to `callbackBaseUrl`. */
export async function startOwnSimulator(callbackBaseUrl: string): Promise<UsableGateway> {
  const log = { info: () => undefined, warn: () => undefined };
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, callbackBaseUrl, log });
  return { url: simulator.url, username: 'bench', password: 'bench', stop: () => simulator.stop() };
}

/**
 * Measures the minimum work of any design: a loop of HTTP requests to a gateway, and a bare server that receives its
 * reports. Nothing is stored.
 *
 * @returns delivered messages per second
 */
export async function measureGatewayLoop(
  startGateway: (callbackBaseUrl: string) => Promise<UsableGateway>,
  messages: number,
): Promise<number> {
  let delivered = 0;
  const receiver = createServer((request, response) => {
    response.end();
    if (request.url?.includes('status=1')) delivered += 1;
  });
  receiver.listen(await freePort(), '127.0.0.1');
  await once(receiver, 'listening');
  const baseUrl = `http://127.0.0.1:${(receiver.address() as { port: number }).port}`;
  const { url, username, password, stop } = await startGateway(baseUrl);
  const gateway = createGateway({
    ...{ url, username, password, timeoutMs: 15_000, connections: 32 },
    deliveryReportUrl: createDeliveryReportUrl({ baseUrl, token: 'bench' }),
  });
  const startedAt = performance.now();
  await inParallel(messages, async (index) => {
    const text = `Message ${index} of the bench`;
    const [messageId, organizationId] = [uuidv7(), 'bench'];
    const message = { from: 'BENCH', to: '+251911234567', text, encoding: 'gsm7' } as const;
    await gateway.submit({ messageId, organizationId, ...message });
  });
  await waitFor('reports of the yardstick', () => delivered >= messages);
  const rate = perSecond(messages, startedAt);
  await gateway.close();
  await stop();
  receiver.close();
  receiver.closeAllConnections();
  return rate;
}

/**
 * Measures Express with pg, in a process of its own: one insert for each request, then one update for each request.
 *
 * @returns both in requests per second
 */
export async function measureBareServer(
  databaseUrl: string,
  requests: number,
): Promise<{ insertsPerSecond: number; updatesPerSecond: number }> {
  const port = await freePort();
  const child = fork(fileURLToPath(new URL('bare-server.ts', import.meta.url)), [String(port), databaseUrl]);
  await once(child, 'message');
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: parallelRequests });
  const ids: string[] = [];
  let startedAt = performance.now();
  await inParallel(requests, async (index) => {
    const { body } = await pool.request({
      ...{ method: 'POST', path: '/messages', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ to: '0911234567', text: `Message ${index} of the bench` }),
    });
    ids.push(((await body.json()) as { id: string }).id);
  });
  const insertsPerSecond = perSecond(requests, startedAt);
  startedAt = performance.now();
  await inParallel(requests, async (index) => {
    const { body } = await pool.request({ method: 'GET', path: `/reports?id=${ids[index]}` });
    await body.dump();
  });
  const updatesPerSecond = perSecond(requests, startedAt);
  await pool.close();
  child.disconnect();
  await once(child, 'exit');
  return { insertsPerSecond, updatesPerSecond };
}

/** Measures a loop of POSTs to a receiver. Returns the requests per second. */
export async function measurePostLoop(url: string, requests: number, body: string): Promise<number> {
  const pool = new Pool(url, { connections: parallelRequests });
  const startedAt = performance.now();
  await inParallel(requests, async () => {
    const response = await pool.request({
      ...{ method: 'POST', path: '/yardstick', headers: { 'content-type': 'application/json' }, body },
    });
    await response.body.dump();
  });
  const rate = perSecond(requests, startedAt);
  await pool.close();
  return rate;
}
