import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createSecureServer, createServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { attemptDelivery, createWebhookAgent } from '../../src/webhooks/attempts/attempt-delivery.ts';
import { codeOfFailure, describeAttemptError } from '../../src/webhooks/attempts/attempt-errors.ts';
import { until } from '../helpers/until.ts';
import { canMakeCertificates, makeCertificates, type Certificates } from '../helpers/certificates.ts';

/** Receivers of every kind on loopback: no test here connects beyond it, even without the defences. */
const hostname = 'receiver.example';
const certificates: Certificates | null = canMakeCertificates ? makeCertificates(hostname) : null;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    sockets.forEach((socket) => socket.destroy());
  });
  return (server.address() as AddressInfo).port;
}

const http = (answer: RequestListener) => () => listen(createHttpServer(answer));
const answering = (status: number, body = '', headers: Record<string, string> = {}) =>
  http((_request, response) => response.writeHead(status, headers).end(body));
/** A receiver that sends these bytes, whatever it is asked. */
const raw = (speak: (socket: Socket) => void) => () =>
  listen(createServer((socket) => void socket.once('data', () => speak(socket))));

/** Writes again and again until the other side has gone. */
function drip(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer)).on('error', () => clearInterval(timer));
}

function agentFor(resolve?: () => Promise<{ address: string; family: number }[]>) {
  const agent = createWebhookAgent(['127.0.0.1', hostname, 'other.example'], {
    resolve: resolve ?? (async () => [{ address: '127.0.0.1', family: 4 }]),
    connectTimeoutMs: 500,
    build: (options) => buildConnector({ ...options, ...(certificates && { ca: certificates.authority }) }),
  });
  closing.push(() => agent.destroy());
  return agent;
}

const delivery = { id: 'delivery-1', event: 'message.sent', body: '{"id":"delivery-1"}', secret: null };
const timeoutMs = 700;
const attempt = (url: string) => attemptDelivery(agentFor(), { ...delivery, url }, timeoutMs);

const refusedPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

test.each<[string, () => Promise<number>, Partial<Awaited<ReturnType<typeof attempt>>>, string | null]>([
  ['takes it', answering(204), { status: 204, body: '', error: null }, null],
  [
    'fails',
    answering(503, 'down', { 'retry-after': '60' }),
    { status: 503, body: 'down', error: null, retryAfter: '60' },
    'http_error',
  ],
  ['is gone', answering(410), { status: 410, error: null }, 'gone'],
  [
    'redirects',
    answering(308, '', { location: 'http://127.0.0.1:1/' }),
    { status: 308, error: null },
    'redirected',
  ],
  ['answers that nothing was modified', answering(304), { status: 304, error: null }, 'http_error'],
  [
    'answers more than is kept',
    answering(200, 'ሰ'.repeat(3000)),
    { status: 200, error: null, body: 'ሰ'.repeat(341) },
    null,
  ],
  ['answers what cannot be stored', answering(500, 'a\0b'), { status: 500, body: 'a\uFFFDb' }, 'http_error'],
  [
    'is not there',
    refusedPort,
    { status: null, body: null, error: 'connection_refused' },
    'connection_refused',
  ],
  [
    'closes the connection',
    raw((socket) => socket.end()),
    { status: null, error: 'connection_lost' },
    'connection_lost',
  ],
  [
    'resets the connection',
    raw((socket) => socket.resetAndDestroy()),
    { status: null, error: 'connection_lost' },
    'connection_lost',
  ],
  [
    'breaks off in its answer',
    raw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
    { status: 200, body: 'half', error: 'connection_lost' },
    'connection_lost',
  ],
  ['never answers', http(() => undefined), { status: null, error: 'timeout' }, 'timeout'],
  [
    'never ends its answer, and begins well',
    raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
      drip(socket, 'x'.repeat(200), 20);
    }),
    { status: 200, body: 'x'.repeat(1024), error: 'timeout' },
    'timeout',
  ],
  [
    'never ends its headers, slowly',
    raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, 'X-More: 1\r\n', 20);
    }),
    { status: null, error: 'timeout' },
    'timeout',
  ],
  [
    'never ends its headers, fast',
    raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, 'X-More: 1\r\n'.repeat(500), 1);
    }),
    { status: null, error: 'answer_headers_too_large' },
    'answer_headers_too_large',
  ],
  [
    'only ever says that it goes on',
    raw((socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n', 10)),
    { status: null, error: 'timeout' },
    'timeout',
  ],
  [
    'speaks another protocol',
    raw((socket) => socket.end('220 mail.example ESMTP\r\n')),
    { status: null, error: 'not_http' },
    'not_http',
  ],
  [
    'speaks HTTP/2 only, without TLS',
    () => listen(createHttp2Server()),
    { status: null, error: 'http2_only' },
    'http2_only',
  ],
])('a receiver that %s', async (_name, start, expected, code) => {
  const answer = await attempt(`http://127.0.0.1:${await start()}/hook`);
  expect(answer).toMatchObject(expected);
  expect(answer.durationMs).toBeLessThan(timeoutMs + 1000);
  expect(describeAttemptError(answer)?.code ?? null).toBe(code);
});

test('a receiver that sends without end, and fast, has given its answer with its status', async () => {
  let closed = false;
  const port = await listen(
    createHttpServer((_request, response) => {
      const pump = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', pump).on('close', () => (closed = true));
      pump();
    }),
  );
  const answer = await attempt(`http://127.0.0.1:${port}/`);
  expect(answer).toMatchObject({ status: 200, error: null, body: 'x'.repeat(1024) });
  await until('the end of the connection', () => closed);
});

test('a redirect is not followed, and what it points to is not asked', async () => {
  const asked: string[] = [];
  const port = await http((request, response) => {
    asked.push(request.url!);
    response.writeHead(302, { location: '/elsewhere' }).end();
  })();
  expect(await attempt(`http://127.0.0.1:${port}/hook`)).toMatchObject({ status: 302 });
  expect(asked).toEqual(['/hook']);
});

(certificates ? describe : describe.skip)('over TLS, a receiver', () => {
  const tls = (of: 'valid' | 'expired' | 'selfSigned') => () =>
    listen(createHttpsServer({ ...certificates![of] }, (_request, response) => response.end('ok')));
  const http2 = () => listen(createSecureServer({ ...certificates!.valid, allowHTTP1: false }));

  test.each<[string, () => Promise<number>, string, string | null]>([
    ['with a valid certificate takes it', tls('valid'), hostname, null],
    ['with a self-signed certificate', tls('selfSigned'), hostname, 'tls_self_signed'],
    ['with a certificate for another host', tls('valid'), 'other.example', 'tls_wrong_host'],
    ['with an expired certificate', tls('expired'), hostname, 'tls_expired'],
    ['that speaks plain HTTP', answering(200), hostname, 'tls_failed'],
    ['that speaks HTTP/2 only', http2, hostname, 'http2_only'],
    ['that closes in the handshake', raw((socket) => socket.end()), hostname, 'connection_lost'],
    ['that is silent in the handshake', raw(() => undefined), hostname, 'connect_timeout'],
  ])('%s', async (_name, start, host, code) => {
    const answer = await attempt(`https://${host}:${await start()}/`);
    expect({ status: answer.status, error: answer.error }).toEqual({
      status: code === null ? 200 : null,
      error: code,
    });
  });

  test('of an authority that is not trusted', async () => {
    const port = await tls('valid')();
    const agent = createWebhookAgent([hostname], {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    closing.push(() => agent.destroy());
    const answer = await attemptDelivery(agent, { ...delivery, url: `https://${hostname}:${port}/` });
    expect(answer).toMatchObject({ status: null, error: 'tls_untrusted' });
  });
});

test('a name that resolves to a private address only at the second attempt is refused then, unconnected', async () => {
  let requests = 0;
  const port = await http((_request, response) => {
    requests += 1;
    response.writeHead(500, { connection: 'close' }).end();
  })();
  const answers = ['93.184.216.34', '127.0.0.1'];
  const connected: string[] = [];
  const agent = createWebhookAgent([], {
    resolve: async () => [{ address: answers.shift()!, family: 4 }],
    // Stands for the Internet: whatever address was looked up and let pass, the socket goes to loopback.
    build: (options) => (target, callback) =>
      options.lookup(target.hostname, { all: true }, (error, addresses) => {
        if (error) return callback(error, null);
        connected.push(...(addresses as { address: string }[]).map(({ address }) => address));
        buildConnector({})({ ...target, hostname: '127.0.0.1' }, callback);
      }),
  });
  closing.push(() => agent.destroy());
  const url = `http://rebinding.example:${port}/`;
  expect(await attemptDelivery(agent, { ...delivery, url })).toMatchObject({ status: 500 });
  expect(await attemptDelivery(agent, { ...delivery, url })).toMatchObject({
    status: null,
    error: 'address_not_public',
  });
  expect(answers).toEqual([]);
  expect(connected).toEqual(['93.184.216.34']);
  expect(requests).toBe(1);
});

test.each([
  ['ENOTFOUND', 'host_not_found'],
  ['EAI_AGAIN', 'dns_unavailable'],
  ['EHOSTUNREACH', 'host_unreachable'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout'],
  ['CERT_NOT_YET_VALID', 'tls_not_yet_valid'],
  ['UNHEARD_OF', 'request_failed'],
])('the failure %s is told as %s, also as a cause or as one of several', (code, told) => {
  const failure = Object.assign(new Error('connect to 10.1.2.3'), { code });
  expect(codeOfFailure(failure)).toBe(told);
  expect(codeOfFailure(new Error('outer', { cause: failure }))).toBe(told);
  expect(codeOfFailure(new AggregateError([failure]))).toBe(told);
});

test.each([undefined, null, 'text', 7, {}])('a failure that is %p is told too', (failure) => {
  expect(codeOfFailure(failure)).toBe('request_failed');
});

test('every error says what to do, and one that an older version stored is still told', () => {
  expect(describeAttemptError({ status: 301, error: null })?.message).toMatch(
    /responded with 301.*Use the URL/,
  );
  expect(describeAttemptError({ status: 500, error: null })?.message).toMatch(
    /responded with 500.*respond with 2xx/,
  );
  expect(describeAttemptError({ status: 200, error: 'timeout' })?.code).toBe('timeout');
  expect(describeAttemptError({ status: null, error: 'ECONNREFUSED' })?.code).toBe('request_failed');
  expect(describeAttemptError({ status: 204, error: null })).toBeNull();
});
