/**
 * Clients that send slowly, or nothing more. The limits are those of the listeners, in miniature: listener-limits.test.ts
 * checks the real ones.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { freePort } from '../../bench/service.ts';
import { startSimulator } from '../../src/gateway/simulator.ts';
import { serveOperations } from '../../src/operations/serve-operations.ts';
import { startTestApi } from '../helpers/api.ts';
import { createTestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

const limits = { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50 };
const log = pino({ level: 'silent' });

type Listener = 'API' | 'metrics' | 'simulator';
const ports = {} as Record<Listener, number>;
const healthy: Record<Listener, string> = {
  API: '/health',
  metrics: '/health/live',
  simulator: '/simulator/stats',
};
const stops: (() => Promise<unknown>)[] = [];
let key: string;

beforeAll(async () => {
  const db = await createTestDatabase();
  key = await (await createTenant(db.database)).createKey();
  const api = await startTestApi({ database: db.database, listenerLimits: limits });
  ports.API = Number(new URL(api.baseUrl).port);
  ports.metrics = await freePort();
  const operations = await serveOperations({
    host: '127.0.0.1',
    port: ports.metrics,
    checks: [],
    limits,
    log,
  });
  const simulator = await startSimulator({
    ...{ host: '127.0.0.1', port: 0, callbackBaseUrl: 'http://127.0.0.1:1', limits, log },
  });
  ports.simulator = simulator.port;
  stops.push(api.stop, operations.stop, () => simulator.stop(), db.drop);
}, 60_000);

afterAll(async () => {
  for (const stop of stops) await stop();
});

const sockets: Socket[] = [];
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

/** A client that does not close its side when the server closes: only the server can end the connection. */
function connectTo(listener: Listener): { socket: Socket; received: () => string; ended: Promise<unknown> } {
  const socket = connect({ port: ports[listener], host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  sockets.push(socket);
  return {
    socket,
    received: () => received,
    ended: Promise.race([once(socket, 'end'), once(socket, 'close')]),
  };
}

/** Whether the server has let go of a connection: what is sent to it is refused, so that the client notices. */
async function isRefused(socket: Socket): Promise<boolean> {
  await until('the server to let go of the connection', () => {
    if (!socket.destroyed) socket.write('x');
    return Promise.resolve(socket.destroyed);
  });
  return true;
}

async function isServed(listener: Listener): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${ports[listener]}${healthy[listener]}`);
  await response.text();
  return response.ok;
}

const bodies = {
  json: ['application/json', '{"to":"0911234567","text":"Selam"}'],
  urlencoded: ['application/x-www-form-urlencoded', 'to=0911234567&text=Selam'],
  multipart: [
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="to"\r\n\r\n0911234567\r\n--b--\r\n',
  ],
} as const;
const headOf = (path: string, type: string, length: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`;

const slow: [listener: Listener, what: string, first: () => string, drip: string][] = [
  ['API', 'a header that stops', () => 'GET /health HTTP/1.1\r\nHost: x\r\n', ''],
  ['API', 'a header that drips', () => 'GET /health HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n'],
  ...Object.entries(bodies).flatMap(([name, [type, body]]): (typeof slow)[number][] => [
    [
      'API',
      `a ${name} body that stops`,
      () => headOf('/api/v1/messages', type, 'Content-Length: 900') + body,
      '',
    ],
    [
      'API',
      `a ${name} body that drips`,
      () => headOf('/api/v1/messages', type, 'Content-Length: 900') + body,
      'x',
    ],
    [
      'API',
      `a ${name} body in chunks that stops`,
      () => `${headOf('/api/v1/messages', type, 'Transfer-Encoding: chunked')}4\r\n${body.slice(0, 4)}\r\n`,
      '',
    ],
  ]),
  ['metrics', 'a header that stops', () => 'GET /metrics HTTP/1.1\r\nHost: x\r\n', ''],
  ['metrics', 'a header that drips', () => 'GET /metrics HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n'],
  ['metrics', 'a body that stops', () => headOf('/metrics', 'text/plain', 'Content-Length: 900'), ''],
  ['simulator', 'a header that stops', () => 'GET / HTTP/1.1\r\nHost: x\r\n', ''],
  ['simulator', 'a header that drips', () => 'GET / HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n'],
  [
    'simulator',
    'a body that stops',
    () => headOf('/cgi-bin/sendsms', bodies.urlencoded[0], 'Content-Length: 900') + bodies.urlencoded[1],
    '',
  ],
  [
    'simulator',
    'a body that drips',
    () => headOf('/cgi-bin/sendsms', bodies.urlencoded[0], 'Content-Length: 900') + bodies.urlencoded[1],
    'x',
  ],
];

test.each(slow)(
  '%s: %s is ended within its time, and others are served meanwhile',
  async (listener, _what, first, drip) => {
    const { socket, received, ended } = connectTo(listener);
    socket.write(first());
    const dripping = drip === '' ? undefined : setInterval(() => socket.write(drip), 50);
    try {
      expect(await isServed(listener)).toBe(true);
      await ended;
    } finally {
      clearInterval(dripping);
    }
    expect(received()).toMatch(/^(HTTP\/1.1 (408|405) |$)/);
    expect(await isRefused(socket)).toBe(true);
    expect(await isServed(listener)).toBe(true);
  },
);

test('API: a request that was too slow is answered with a problem', async () => {
  const { socket, received, ended } = connectTo('API');
  socket.write(headOf('/api/v1/messages', ...(['application/json', 'Content-Length: 900'] as const)));
  await ended;
  const [head, body] = received().split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1.1 408 Request Timeout\r\nContent-Type: application\/problem\+json/);
  expect(JSON.parse(body!)).toMatchObject({ status: 408, code: 'request_timeout' });
});

test('API: a request whose answer has begun gets no second one', async () => {
  const { socket, received, ended } = connectTo('API');
  // Without a credential it is refused before its body has arrived.
  socket.write(
    'POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{',
  );
  await ended;
  expect(received().match(/HTTP\/1.1 /g)).toEqual(['HTTP/1.1 ']);
  expect(received()).toMatch(/^HTTP\/1.1 401 /);
  expect(await isRefused(socket)).toBe(true);
});

test.each(['API', 'metrics', 'simulator'] as const)(
  '%s: a thousand connections that say nothing do not stop others, and are let go of',
  async (listener) => {
    const idle = Array.from({ length: 1000 }, () => connectTo(listener));
    await Promise.all(idle.map(({ socket }) => once(socket, 'connect')));
    expect(await isServed(listener)).toBe(true);
    await Promise.all(idle.map(({ ended }) => ended));
    expect(await isServed(listener)).toBe(true);
  },
);
