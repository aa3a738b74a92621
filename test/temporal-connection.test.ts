import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  connect as connectHttp2,
  createSecureServer,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TlsOptions } from 'node:tls';
import { NativeConnection } from '@temporalio/worker';
import { pino } from 'pino';
import { startTemporal, type EmbeddedTemporal } from '../scripts/embedded/temporal.ts';
import { loadApiConfig } from '../src/config.ts';
import { temporalConnectionOf, type TemporalConnection } from '../src/temporal-connection.ts';
import { connectWhenUp } from '../src/temporal-workers.ts';
import { createTemporalClient } from '../src/temporal.ts';
import { joinSockets } from './helpers/join-sockets.ts';
import { canMakeCertificates, makeCertificates, type Certificates } from './helpers/certificates.ts';

const directory = mkdtempSync(join(tmpdir(), 'temporal-connection-'));
afterAll(() => rmSync(directory, { recursive: true }));

const required = {
  DATABASE_URL: 'postgres://sms@127.0.0.1/sms',
  GATEWAY_TOKEN: 'a-token-of-the-test',
  AUTH_SECRET: 'a-secret-of-at-least-32-characters',
  SECURITY_CODE_PEPPER: 'a-secret-of-at-least-32-characters',
};

function readTarget(given: Record<string, string>): TemporalConnection {
  return temporalConnectionOf(
    loadApiConfig({ ...required, TEMPORAL_ADDRESS: 'temporal.example.com:7233', ...given }),
  );
}

function file(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

describe('the variables of the connection to Temporal', () => {
  test.each([
    [{ TEMPORAL_API_KEY: 'a-key' }, 'TEMPORAL_API_KEY: set TEMPORAL_TLS=true'],
    [{ TEMPORAL_TLS_CA: '/ca.pem' }, 'TEMPORAL_TLS_CA: set TEMPORAL_TLS=true'],
    [
      { TEMPORAL_TLS: 'true', TEMPORAL_TLS_CERT: '/a.pem' },
      'TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY: set both',
    ],
    [{ TEMPORAL_TLS: 'true', TEMPORAL_TLS_CA: '/does/not/exist.pem' }, 'TEMPORAL_TLS_CA: ENOENT'],
    [{ TEMPORAL_TLS: 'true', TEMPORAL_TLS_CA: file('none', 'no pem') }, 'is not a PEM file'],
  ])('%j is refused before anything is sent', (given, message) => {
    expect(() => readTarget(given as Record<string, string>)).toThrow(message);
  });

  test('without them the connection has neither TLS nor a key', () => {
    expect(readTarget({})).toEqual({ address: 'temporal.example.com:7233' });
  });
});

const both = { client: true, poller: true };
const neither = { client: false, poller: false };

(canMakeCertificates ? describe : describe.skip)('a Temporal behind TLS', () => {
  let certificates: Certificates;
  let temporal: EmbeddedTemporal;
  let paths: { ca: string; cert: string; key: string };
  beforeAll(async () => {
    certificates = makeCertificates('localhost');
    paths = {
      ca: file('ca.pem', certificates.authority),
      cert: file('client.pem', certificates.valid.cert),
      key: file('client.key', certificates.valid.key),
    };
    temporal = await startTemporal({
      executable: process.env['TEMPORAL_CLI'] ?? '',
      namespace: 'default',
      searchAttributes: {},
      log: () => undefined,
    });
  }, 60_000);
  afterAll(() => temporal?.stop(), 30_000);

  test('is reached by the API and by the worker with its authority, and refused without', async () => {
    await behindTls(temporal, { ...certificates.valid }, async (address) => {
      const trusted = { TEMPORAL_ADDRESS: address, TEMPORAL_TLS: 'true', TEMPORAL_TLS_CA: paths.ca };
      expect(await reach(readTarget(trusted))).toEqual(both);
      expect(await reach(readTarget({ TEMPORAL_ADDRESS: address, TEMPORAL_TLS: 'true' }))).toEqual(neither);
      expect(await reach(readTarget({ TEMPORAL_ADDRESS: address }))).toEqual(neither);
    });
  }, 60_000);

  test('that requires a client certificate is reached with it, and not without', async () => {
    const mutual = { ...certificates.valid, ca: certificates.authority, requestCert: true };
    await behindTls(temporal, { ...mutual, rejectUnauthorized: true }, async (address) => {
      const anonymous = { TEMPORAL_ADDRESS: address, TEMPORAL_TLS: 'true', TEMPORAL_TLS_CA: paths.ca };
      const known = { TEMPORAL_TLS_CERT: paths.cert, TEMPORAL_TLS_KEY: paths.key };
      expect(await reach(readTarget({ ...anonymous, ...known }))).toEqual(both);
      expect(await reach(readTarget(anonymous))).toEqual(neither);
    });
  }, 60_000);

  test('receives the API key as bearer token with the calls of the API and of the worker', async () => {
    const authorizations: (string | undefined)[] = [];
    const upstream = connectHttp2(`http://${temporal.address}`);
    const server = createSecureServer({ ...certificates.valid });
    server.on('stream', (stream, headers) => {
      authorizations.push(headers.authorization);
      forward(stream, upstream.request({ ...headers, ':scheme': 'http' }));
    });
    const address = await listen(server);
    const target = readTarget({
      TEMPORAL_ADDRESS: address,
      TEMPORAL_TLS: 'true',
      TEMPORAL_TLS_CA: paths.ca,
      TEMPORAL_API_KEY: 'the-key-of-the-test',
    });
    const worker = await connectWhenUp(target, pino({ level: 'silent' }));
    const fromWorker = authorizations.length;
    const client = createTemporalClient({ ...target, namespace: 'default' });
    await client.workflow.count();
    expect(fromWorker).toBeGreaterThan(0);
    expect(authorizations.length).toBeGreaterThan(fromWorker);
    expect(new Set(authorizations)).toEqual(new Set(['Bearer the-key-of-the-test']));
    await Promise.all([worker.close(), client.connection.close()]);
    upstream.close();
    server.close();
  }, 60_000);
});

/** Which of the two connections reach Temporal: the client of API and worker, and the poller of the worker. */
async function reach(target: TemporalConnection): Promise<{ client: boolean; poller: boolean }> {
  const client = createTemporalClient({ ...target, namespace: 'default' });
  const byClient = await client.workflow
    .withDeadline(Date.now() + 3000, () => client.workflow.count())
    .then(
      () => true,
      () => false,
    );
  await client.connection.close();
  const native = await NativeConnection.connect(target).catch(() => null);
  await native?.close();
  return { client: byClient, poller: native !== null };
}

/** Runs a proxy that ends TLS in front of Temporal's dev server, which has none. */
async function behindTls(
  { address }: EmbeddedTemporal,
  options: TlsOptions,
  use: (address: string) => Promise<void>,
): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const sockets = new Set<Socket>();
  const server = createServer({ ...options, ALPNProtocols: ['h2'] }, (client) => {
    const upstream = connect(Number(port), hostname);
    joinSockets(client, upstream, sockets);
  });
  server.on('tlsClientError', () => undefined);
  try {
    await use(await listen(server));
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

/** Passes a gRPC call on, and its answer back. The status of gRPC is in the trailers. */
function forward(call: ServerHttp2Stream, upstream: ClientHttp2Stream): void {
  let trailers: IncomingHttpHeaders = {};
  upstream.on('response', (headers) => call.respond(headers, { waitForTrailers: true }));
  upstream.on('trailers', (received) => (trailers = received));
  call.on('wantTrailers', () => call.sendTrailers(trailers));
  for (const stream of [call, upstream]) stream.on('error', () => undefined);
  call.pipe(upstream);
  upstream.pipe(call);
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The certificates are for this name.
  return `localhost:${(server.address() as AddressInfo).port}`;
}
