/** What each listener of the service bears: the size of headers and bodies, and the time they may take. */
import { connect } from 'node:net';
import { pino } from 'pino';
import { startSimulator, simulatorLimits } from '../../src/gateway/simulator.ts';
import { serverOptions } from '../../src/http/requests/answer-parser-errors.ts';
import { operationsLimits, serveOperations } from '../../src/operations/serve-operations.ts';
import { freePort } from '../../bench/service.ts';
import { startTestApi } from '../helpers/api.ts';
import { createTestDatabase } from '../helpers/databases.ts';

type ListenerName = 'API' | 'metrics' | 'simulator';

const log = pino({ level: 'silent' });
const ports = {} as Record<ListenerName, number>;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const db = await createTestDatabase();
  const api = await startTestApi({ database: db.database });
  ports.API = Number(new URL(api.baseUrl).port);
  ports.metrics = await freePort();
  const operations = await serveOperations({ host: '127.0.0.1', port: ports.metrics, checks: [], log });
  const simulator = await startSimulator({
    ...{ host: '127.0.0.1', port: 0, callbackBaseUrl: 'http://127.0.0.1:1', log },
  });
  ports.simulator = simulator.port;
  stops.push(api.stop, operations.stop, () => simulator.stop(), db.drop);
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

/** Sends bytes, and waits until the server closes the connection. Returns what it has sent until then. */
async function untilClosed(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  // A server that closes while bytes arrive may reset the connection.
  socket.on('error', () => undefined);
  socket.write(request);
  await new Promise((resolve) => socket.once('close', resolve));
  return received;
}

test.each([
  ['API', 33, 413],
  ['metrics', 9, 431],
  ['simulator', 65, 431],
] as const)(
  '%s: a header of %i KiB is refused with %i, and the connection closed',
  async (name, kib, status) => {
    const header = `X-Long: ${'x'.repeat(kib * 1024)}`;
    const answer = await untilClosed(ports[name], `GET / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  },
);

const tooMuch = 3 * 1024 * 1024;
const post = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${tooMuch}\r\n\r\n`;

test('API: a body that is too large is dropped, and answered with 413', async () => {
  const answer = await untilClosed(ports.API, `${post('/api/auth/sign-in/email')}${'x'.repeat(tooMuch)}`);
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
});

test('metrics: a request with a body is refused, and the body not read', async () => {
  expect(await untilClosed(ports.metrics, post('/metrics'))).toMatch(/^HTTP\/1.1 405 /);
});

test('simulator: a body that is too large ends the connection', async () => {
  const answer = await untilClosed(ports.simulator, `${post('/cgi-bin/sendsms')}${'x'.repeat(tooMuch)}`);
  expect(answer).toBe('');
});

test('metrics: a header that does not end is cut', async () => {
  const answer = await untilClosed(ports.metrics, 'GET /metrics HTTP/1.1\r\nHost: x\r\n');
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
});

test.each([
  ['API', serverOptions],
  ['metrics', operationsLimits],
  ['simulator', simulatorLimits],
])('%s: headers and whole requests have a time, which is looked at often', (_name, limits) => {
  expect(limits.headersTimeout).toBeGreaterThan(0);
  expect(limits.headersTimeout).toBeLessThanOrEqual(20_000);
  expect(limits.requestTimeout).toBeGreaterThanOrEqual(limits.headersTimeout);
  expect(limits.requestTimeout).toBeLessThanOrEqual(300_000);
  expect(limits.connectionsCheckingInterval).toBeLessThanOrEqual(limits.headersTimeout);
});
