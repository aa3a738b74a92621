import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { sql } from 'kysely';
import { sqlOf } from '../src/database.ts';
import { openDatabase } from '../src/open-database.ts';
import { canMakeCertificates, makeCertificates, type Certificates } from './helpers/certificates.ts';
import { templateDatabase, withDatabase } from './helpers/databases.ts';

/** What a client sends first if it wants TLS: PostgreSQL's SSLRequest. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

(canMakeCertificates ? describe : describe.skip)('DATABASE_URL with sslmode=verify-full', () => {
  const directory = mkdtempSync(join(tmpdir(), 'database-tls-'));
  let certificates: Certificates;
  beforeAll(() => {
    certificates = makeCertificates('localhost');
    writeFileSync(join(directory, 'ca.pem'), certificates.authority);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  test('connects with TLS to a server that the authority has signed', async () => {
    const proxy = await startTlsProxy(certificates.valid);
    expect(await ask(proxy.port, directory)).toEqual([{ one: 1 }]);
    expect(proxy.count()).toEqual({ encrypted: 1, clear: 0 });
    proxy.stop();
  });

  test('refuses a server that the authority has not signed', async () => {
    const proxy = await startTlsProxy(certificates.selfSigned);
    await expect(ask(proxy.port, directory)).rejects.toThrow('self-signed certificate');
    proxy.stop();
  });

  test('refuses a server without TLS, and sends it nothing', async () => {
    const proxy = await startTlsProxy(undefined);
    await expect(ask(proxy.port, directory)).rejects.toThrow('The server does not support SSL connections');
    expect(proxy.count()).toEqual({ encrypted: 0, clear: 0 });
    proxy.stop();
  });
});

/** Queries through the proxy, as the service does. */
async function ask(port: number, directory: string): Promise<unknown> {
  const url = new URL(withDatabase(templateDatabase));
  // The certificates are for this name.
  url.host = `localhost:${port}`;
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', join(directory, 'ca.pem'));
  const database = await openDatabase({ url: url.href, poolSize: 1 });
  try {
    const { rows } = await sql`select 1 as one`.execute(sqlOf(database));
    return rows;
  } finally {
    await database.close();
  }
}

/** A proxy that ends TLS in front of the test's PostgreSQL. Without a certificate it refuses TLS, as PostgreSQL does. */
async function startTlsProxy(certificate: { key: string; cert: string } | undefined) {
  const target = new URL(process.env['TEST_POSTGRES_URL']!);
  const sockets = new Set<Socket>();
  let encrypted = 0;
  let clear = 0;
  const server = createServer((client) => {
    sockets.add(client.on('error', () => undefined));
    client.once('data', (first) => {
      if (!first.equals(sslRequest)) {
        clear += 1;
        client.destroy();
        return;
      }
      client.write(certificate ? 'S' : 'N');
      if (!certificate) {
        client.once('data', () => (clear += 1));
        return;
      }
      const decrypted = new TLSSocket(client, { isServer: true, ...certificate });
      const upstream = connect(Number(target.port), target.hostname);
      sockets.add(upstream.on('error', () => undefined));
      decrypted.on('error', () => upstream.destroy()).once('data', () => (encrypted += 1));
      decrypted.pipe(upstream).pipe(decrypted);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    count: () => ({ encrypted, clear }),
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
