import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, connect } from 'node:net';
import type { Server, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { kannelAnswers } from '../../src/gateway/kannel-answers.ts';
import {
  createDeliveryReportUrl,
  createGateway,
  createMobileOriginatedUrl,
} from '../../src/gateway/kannel.ts';
import type { Gateway, GatewayOptions, SubmissionOutcome } from '../../src/gateway/kannel.ts';

const submission = {
  messageId: '0192f0c1-0000-7000-8000-000000000001',
  organizationId: '0192f0c1-0000-7000-8000-0000000000a1',
  from: 'Acme & Co',
  to: '+251911223344',
  text: 'ሰላም 100% & more + = # ?\n%d 😀',
  encoding: 'ucs2',
} as const;
const password = 'päss wörd&=+%d';
const TIMEOUT_MS = 300;

/** Reads a request of a connection and answers it, well or badly. */
type Behaviour = (socket: Socket, request: string) => void;

let server: Server | undefined;
let gateway: Gateway | undefined;
let requests: URLSearchParams[];

afterEach(async () => {
  await gateway?.close();
  server?.close();
  gateway = server = undefined;
});

async function startServer(behaviour: Behaviour): Promise<string> {
  requests = [];
  server = createServer((socket) => {
    let received = '';
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += String(chunk);
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const request = received.slice(0, end);
      received = received.slice(end + 4);
      requests.push(new URLSearchParams(request.split(' ')[1]?.split('?')[1]));
      behaviour(socket, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server)}/cgi-bin/sendsms`;
}

function portOf(listening: Server): number {
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function open(url: string, options: Partial<GatewayOptions> = {}): Gateway {
  gateway = createGateway({
    url,
    username: 'tester',
    password,
    deliveryReportUrl: createDeliveryReportUrl({ baseUrl: 'http://127.0.0.1:1', token: 'a-token' }),
    timeoutMs: TIMEOUT_MS,
    connections: 1,
    ...options,
  });
  return gateway;
}

const http = (status: number, body: string, headers = '') =>
  `HTTP/1.1 ${status} X\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
const answering =
  (raw: string): Behaviour =>
  (socket) =>
    socket.write(raw);

describe('what the gateway answers is what becomes of the submission', () => {
  const { accepted, queued, notRoutable, temporalFailure, authorizationFailed } = kannelAnswers;
  const refused = (httpStatus: number, errorCode: string, detail: string) => ({
    outcome: 'refused',
    errorCode,
    detail,
    httpStatus,
  });
  const unavailable = (httpStatus: number, reason: string) => ({
    outcome: 'unavailable',
    reason,
    httpStatus,
  });
  const unclear = (httpStatus: number) => ({
    outcome: 'doubtful',
    reason: 'gateway_answer_unclear',
    httpStatus,
  });

  test.each<[string, { status: number; body: string }, object]>([
    ['taken', accepted, { outcome: 'accepted', queued: false }],
    ['taken, while no SMSC is connected', queued, { outcome: 'accepted', queued: true }],
    ['taken by an old Kannel', { status: 200, body: accepted.body }, { outcome: 'accepted', queued: false }],
    ['immediate-sendsms-reply', { status: 202, body: 'Sent.' }, { outcome: 'accepted', queued: false }],
    ['a 200 of some web page', { status: 200, body: '<html>Welcome</html>' }, unclear(200)],
    ['an empty 204', { status: 204, body: '' }, unclear(204)],
    ['no route', notRoutable, refused(403, 'not_routable', 'no_route_to_receiver')],
    ['denied receiver', kannelAnswers.receiverDenied, refused(400, 'gateway_rejected', 'receiver_denied')],
    ['missing receiver', kannelAnswers.receiverMissing, refused(400, 'gateway_rejected', 'receiver_missing')],
    ['empty receiver', kannelAnswers.receiverEmpty, refused(400, 'gateway_rejected', 'receiver_missing')],
    ['missing sender', kannelAnswers.senderMissing, refused(400, 'gateway_rejected', 'sender_missing')],
    ['malformed text', kannelAnswers.textMalformed, refused(400, 'gateway_rejected', 'text_malformed')],
    [
      'a malformed field',
      { status: 400, body: 'Validity field misformed, rejected' },
      refused(400, 'gateway_rejected', 'parameter_malformed'),
    ],
    ['a wrong password', authorizationFailed, unavailable(403, 'gateway_authorization_failed')],
    ['a 401 of a proxy', { status: 401, body: '' }, unavailable(401, 'gateway_authorization_failed')],
    [
      'another 403',
      { status: 403, body: 'Forbidden' },
      { outcome: 'refused', errorCode: 'gateway_rejected', detail: 'refused', httpStatus: 403 },
    ],
    [
      'another 400',
      { status: 400, body: 'Bad Request' },
      { outcome: 'refused', errorCode: 'gateway_rejected', detail: 'refused', httpStatus: 400 },
    ],
    [
      'another 414',
      { status: 414, body: '' },
      { outcome: 'refused', errorCode: 'gateway_rejected', detail: 'request_too_long', httpStatus: 414 },
    ],
    [
      'a refused dlr-url',
      kannelAnswers.deliveryReportUrlMalformed,
      unavailable(400, 'gateway_callback_url_refused'),
    ],
    ['a wrong path', kannelAnswers.unknownRequest, unavailable(404, 'gateway_url_unknown')],
    ['a busy Kannel', temporalFailure, unavailable(503, 'gateway_temporal_failure')],
    ['a 503 of a proxy', { status: 503, body: '<html>' }, unavailable(503, 'gateway_temporal_failure')],
    ['a rate limit', { status: 429, body: '' }, unavailable(429, 'gateway_rate_limited')],
    ['smsbox without bearerbox', kannelAnswers.sendingFailed, unavailable(500, 'gateway_temporal_failure')],
    ['another 500', { status: 500, body: 'Internal Server Error' }, unclear(500)],
    ['a 502 of a proxy', { status: 502, body: 'Bad Gateway' }, unclear(502)],
    ['a 504 of a proxy', { status: 504, body: 'Gateway Timeout' }, unclear(504)],
  ])('%s', async (_name, answer, outcome) => {
    const url = await startServer(answering(http(answer.status, answer.body)));
    await expect(open(url).submit(submission)).resolves.toEqual(outcome);
  });

  test('a redirect is not followed', async () => {
    const url = await startServer((socket) =>
      socket.write(http(302, '', `Location: http://127.0.0.1:${portOf(server!)}/elsewhere\r\n`)),
    );
    const outcome = await open(url).submit(submission);
    expect(outcome).toEqual(unavailable(302, 'gateway_unexpected_answer'));
    expect(requests).toHaveLength(1);
  });
});

describe('a request that may have gone out, and whose answer did not come whole, is in doubt', () => {
  test.each<[string, Behaviour, object]>([
    ['closed without an answer', (socket) => socket.end(), { reason: 'gateway_connection_lost' }],
    ['reset without an answer', (socket) => socket.resetAndDestroy(), { reason: 'gateway_connection_lost' }],
    ['no answer', () => {}, { reason: 'gateway_answer_timeout' }],
    [
      'closed within the headers',
      (socket) => socket.end('HTTP/1.1 202 Accepted\r\nConte'),
      { reason: 'gateway_connection_lost' },
    ],
    ['no HTTP', answering('220 mail.example ESMTP\r\n\r\n'), { reason: 'gateway_answer_broken' }],
    [
      'closed within the body',
      (socket) => socket.end('HTTP/1.1 202 Accepted\r\nContent-Length: 24\r\n\r\n0: Acc'),
      { reason: 'gateway_connection_lost', httpStatus: 202 },
    ],
    [
      'a body that does not end',
      answering('HTTP/1.1 202 Accepted\r\nContent-Length: 24\r\n\r\n0: Acc'),
      { reason: 'gateway_answer_timeout', httpStatus: 202 },
    ],
    [
      'a body of a byte now and then',
      (socket) => {
        socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 1000\r\n\r\n');
        const drip = setInterval(() => socket.write('x'), TIMEOUT_MS / 4);
        socket.on('close', () => clearInterval(drip));
      },
      { reason: 'gateway_answer_timeout', httpStatus: 202 },
    ],
  ])('%s', async (_name, behaviour, expected) => {
    const url = await startServer(behaviour);
    const outcome = await open(url).submit(submission);
    expect(outcome).toEqual({ outcome: 'doubtful', ...expected });
    expect(requests).toHaveLength(1);
  });
});

test('of an endless answer the beginning decides, and the connection is given up', async () => {
  const closed = Promise.withResolvers<void>();
  const url = await startServer((socket) => {
    socket.on('close', () => closed.resolve());
    socket.write('HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n');
    const flood = setInterval(() => socket.write(`400\r\n${'x'.repeat(1024)}\r\n`), 1);
    socket.on('close', () => clearInterval(flood));
  });
  expect(await open(url).submit(submission)).toEqual({ outcome: 'accepted', queued: false });
  await closed.promise;
});

describe('what cannot have gone out is unavailable', () => {
  test('connection refused', async () => {
    const url = await startServer(() => {});
    server!.close();
    await once(server!, 'close');
    expect(await open(url).submit(submission)).toEqual({
      outcome: 'unavailable',
      reason: 'gateway_unreachable',
    });
  });

  test('a name that cannot be resolved', async () => {
    // A label of more than 63 characters is refused by the resolver itself, without asking anyone.
    const outcome = await open(`http://${'a'.repeat(64)}.invalid/`, { timeoutMs: 5_000 }).submit(submission);
    expect(outcome).toEqual({ outcome: 'unavailable', reason: 'gateway_name_not_resolved' });
  });

  test('a TLS handshake that fails', async () => {
    const url = await startServer(() => {});
    server!.prependListener('connection', (socket: Socket) => socket.end('no TLS\r\n'));
    const outcome = await open(url.replace('http:', 'https:')).submit(submission);
    expect(outcome).toEqual({ outcome: 'unavailable', reason: 'gateway_unreachable' });
  });

  test('a host that does not take the connection', async () => {
    // A stopped process whose backlog is full: the kernel drops what comes after.
    const script =
      "require('net').createServer().listen({port:0,host:'127.0.0.1',backlog:1},function(){" +
      'process.stdout.write(String(this.address().port))})';
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const fillers: Socket[] = [];
    try {
      const port = Number(String((await once(child.stdout, 'data'))[0]));
      child.kill('SIGSTOP');
      for (let i = 0; i < 8; i++) fillers.push(connect(port, '127.0.0.1').on('error', () => {}));
      await once(fillers[0]!, 'connect');
      const outcome = await open(`http://127.0.0.1:${port}/`, {
        timeoutMs: 10_000,
        connectTimeoutMs: 500,
      }).submit(submission);
      expect(outcome).toEqual({ outcome: 'unavailable', reason: 'gateway_connect_timeout' });
    } finally {
      for (const filler of fillers) filler.destroy();
      child.kill('SIGKILL');
    }
  });

  test('a submission that found no free connection in time is not sent later either', async () => {
    const answers: Behaviour[] = [() => {}];
    const url = await startServer((socket, request) =>
      (answers.shift() ?? answering(http(202, kannelAnswers.accepted.body)))(socket, request),
    );
    const opened = open(url);
    const [first, second] = await Promise.all(
      ['first', 'second'].map((text) => opened.submit({ ...submission, text })),
    );
    expect(first).toEqual({ outcome: 'doubtful', reason: 'gateway_answer_timeout' });
    expect(second).toEqual({ outcome: 'unavailable', reason: 'gateway_connections_busy' });
    expect(await opened.submit({ ...submission, text: 'third' })).toMatchObject({ outcome: 'accepted' });
    expect(requests.map((parameters) => parameters.get('text'))).toEqual(['first', 'third']);
  });

  test('a closed client', async () => {
    const url = await startServer(() => {});
    const opened = open(url);
    await opened.close();
    gateway = undefined;
    expect(await opened.submit(submission)).toEqual({
      outcome: 'unavailable',
      reason: 'gateway_client_closed',
    });
  });
});

test('whatever a server does to idle connections, none it read a request from is called unavailable', async () => {
  // Each connection is closed right after its answer, without having announced it.
  const url = await startServer((socket) => {
    socket.write(http(202, kannelAnswers.accepted.body), () => socket.destroy());
  });
  const opened = open(url, { connections: 2 });
  const outcomes = new Map<string, SubmissionOutcome>();
  for (let i = 0; i < 100; i++) {
    outcomes.set(`m${i}`, await opened.submit({ ...submission, messageId: `m${i}` }));
    // Times differ so that some requests meet a connection that is just being closed.
    if (i % 3 === 0) await sleep(i % 5);
  }
  const read = requests.map((parameters) =>
    new URL(parameters.get('dlr-url')!).searchParams.get('messageId'),
  );
  expect(new Set(read).size).toBe(read.length);
  const called = (...wanted: string[]) =>
    [...outcomes].filter(([, { outcome }]) => wanted.includes(outcome)).map(([messageId]) => messageId);
  expect(called('refused')).toEqual([]);
  expect(called('unavailable').filter((messageId) => read.includes(messageId))).toEqual([]);
  expect(called('accepted').filter((messageId) => !read.includes(messageId))).toEqual([]);
  expect(called('accepted').length).toBeGreaterThan(50);
});

test('connections are kept and bounded', async () => {
  const sockets = new Set<Socket>();
  const url = await startServer((socket) => {
    sockets.add(socket);
    socket.write(http(202, kannelAnswers.accepted.body));
  });
  const opened = open(url, { connections: 3 });
  await Promise.all(Array.from({ length: 60 }, () => opened.submit(submission)));
  expect(requests).toHaveLength(60);
  expect(sockets.size).toBeLessThanOrEqual(3);
});

test('every parameter arrives as it was given', async () => {
  const url = await startServer(answering(http(202, kannelAnswers.accepted.body)));
  await open(`${url}?smsc=main`).submit(submission);
  expect(Object.fromEntries(requests[0]!)).toEqual({
    smsc: 'main',
    username: 'tester',
    password,
    from: submission.from,
    to: submission.to,
    text: submission.text,
    charset: 'UTF-8',
    coding: '2',
    'dlr-mask': '31',
    'dlr-url':
      `http://127.0.0.1:1/api/v1/gateway/dlr?messageId=${submission.messageId}&token=a-token` +
      '&status=%d&smscId=%i&providerMessageId=%F&to=%p',
  });
});

test('GSM-7 text asks for coding 0', async () => {
  const url = await startServer(answering(http(202, kannelAnswers.accepted.body)));
  await open(url).submit({ ...submission, text: 'Hello', encoding: 'gsm7' });
  expect(requests[0]!.get('coding')).toBe('0');
});

test('an outcome holds no text, number or password, even where the gateway repeats them', async () => {
  const url = await startServer(
    answering(http(400, `${submission.to} ${submission.text} ${password}, rejected`)),
  );
  const outcome = JSON.stringify(await open(url).submit(submission));
  for (const secret of [submission.to, submission.text, password, submission.from]) {
    expect(outcome).not.toContain(secret);
  }
});

test('a token with reserved characters is kept from being taken for escapes of Kannel', () => {
  const given = { baseUrl: 'http://127.0.0.1:3000/', token: 'é/+&%d' };
  expect(createDeliveryReportUrl(given)('m1')).toBe(
    'http://127.0.0.1:3000/api/v1/gateway/dlr?messageId=m1&token=%%C3%%A9%%2F%%2B%%26%%25d' +
      '&status=%d&smscId=%i&providerMessageId=%F&to=%p',
  );
  expect(createMobileOriginatedUrl(given)).toContain(
    '/api/v1/gateway/mo?token=%%C3%%A9%%2F%%2B%%26%%25d&from=%p&',
  );
});
