import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, isIP, Socket, type LookupFunction, type Server } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { Agent, request, type buildConnector } from 'undici';
import {
  createGuardedConnector,
  createGuardedLookup,
  type ResolveHost,
} from '../../src/webhooks/attempts/guarded-lookup.ts';

/**
 * No test here opens a connection but to 127.0.0.1, even without the defence: names are resolved by the tests
 * themselves, and where an address is not loopback the connector that would open the socket is a recorder.
 */
const ipv4 = (address: string): LookupAddress => ({ address, family: 4 });
const ipv6 = (address: string): LookupAddress => ({ address, family: 6 });
const resolvesTo =
  (...addresses: LookupAddress[]): ResolveHost =>
  async () =>
    addresses;

const lookUp = (lookup: LookupFunction, hostname: string, all = true) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all }, (error, address, family) => {
      if (error) reject(error);
      else resolve(all ? address : { address, family });
    });
  });

const notPublic = expect.objectContaining({ code: 'WEBHOOK_ADDRESS_NOT_PUBLIC' });

describe('the guarded lookup', () => {
  test('hands on public addresses, all of them or the first', async () => {
    const resolve = resolvesTo(ipv6('2606:4700:4700::1111'), ipv4('8.8.8.8'));
    const lookup = createGuardedLookup({ allowedHosts: [], resolve });
    await expect(lookUp(lookup, 'receiver.example')).resolves.toEqual([
      ipv6('2606:4700:4700::1111'),
      ipv4('8.8.8.8'),
    ]);
    await expect(lookUp(lookup, 'receiver.example', false)).resolves.toEqual(ipv6('2606:4700:4700::1111'));
  });

  test.each<[string, LookupAddress[]]>([
    ['loopback', [ipv4('127.0.0.1')]],
    ['private', [ipv4('10.0.0.1')]],
    ['cloud metadata', [ipv4('169.254.169.254')]],
    ['IPv6 loopback', [ipv6('::1')]],
    ['IPv4-mapped loopback', [ipv6('::ffff:127.0.0.1')]],
    ['a zone', [ipv6('fe80::1%eth0')]],
    ['a public address, then loopback', [ipv4('8.8.8.8'), ipv4('127.0.0.1')]],
    ['loopback, then a public address', [ipv4('127.0.0.1'), ipv4('8.8.8.8')]],
    ['what is no address', [{ address: 'localhost', family: 4 }]],
  ])('refuses a name that resolves to %s, all or one asked for', async (_name, addresses) => {
    const lookup = createGuardedLookup({ allowedHosts: [], resolve: resolvesTo(...addresses) });
    await expect(lookUp(lookup, 'receiver.example')).rejects.toEqual(notPublic);
    await expect(lookUp(lookup, 'receiver.example', false)).rejects.toEqual(notPublic);
  });

  test('tells tenants no address', async () => {
    const lookup = createGuardedLookup({ allowedHosts: [], resolve: resolvesTo(ipv4('10.1.2.3')) });
    await expect(lookUp(lookup, 'receiver.example')).rejects.not.toThrow('10.1.2.3');
    await expect(lookUp(lookup, 'receiver.example')).rejects.toThrow('receiver.example');
  });

  test('lets an allowed name resolve to anything, and no other', async () => {
    const lookup = createGuardedLookup({
      allowedHosts: ['receiver.example'],
      resolve: resolvesTo(ipv4('10.0.0.1')),
    });
    await expect(lookUp(lookup, 'receiver.example')).resolves.toEqual([ipv4('10.0.0.1')]);
    await expect(lookUp(lookup, 'sub.receiver.example')).rejects.toEqual(notPublic);
  });

  test('does not take an entry with a port for the name, for it does not know the port', async () => {
    const allowedHosts = ['receiver.example:80', 'receiver.example:0'];
    const lookup = createGuardedLookup({ allowedHosts, resolve: resolvesTo(ipv4('10.0.0.1')) });
    await expect(lookUp(lookup, 'receiver.example')).rejects.toEqual(notPublic);
    await expect(lookUp(lookup, 'receiver.example:80')).rejects.toEqual(notPublic);
  });

  test('asks the resolver for all addresses and passes the wanted family on', async () => {
    const asked: unknown[] = [];
    const lookup = createGuardedLookup({
      allowedHosts: [],
      resolve: async (hostname, options) => {
        asked.push([hostname, options.family]);
        return [ipv4('8.8.8.8')];
      },
    });
    await new Promise((resolve) => lookup('receiver.example', { family: 4 }, resolve));
    expect(asked).toEqual([['receiver.example', 4]]);
  });

  test('passes the resolver’s error on, and makes one of an empty answer', async () => {
    const failing = async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    };
    await expect(
      lookUp(createGuardedLookup({ allowedHosts: [], resolve: failing }), 'a.example'),
    ).rejects.toThrow('no such name');
    for (const all of [true, false]) {
      const lookup = createGuardedLookup({ allowedHosts: [], resolve: resolvesTo() });
      await expect(lookUp(lookup, 'a.example', all)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    }
  });

  test('resolves by the system unless told otherwise', async () => {
    await expect(lookUp(createGuardedLookup({ allowedHosts: [] }), 'localhost')).rejects.toEqual(notPublic);
    await expect(
      lookUp(createGuardedLookup({ allowedHosts: ['localhost'] }), 'localhost'),
    ).resolves.toContainEqual(ipv4('127.0.0.1'));
  });
});

type Build = NonNullable<Parameters<typeof createGuardedConnector>[0]['build']>;

/** Stands for undici's connector: looks names up as `net` does, and notes what it would connect to. */
function recordConnections() {
  const connections: { addresses: string[]; target: buildConnector.Options; timeout: unknown }[] = [];
  const build: Build = (options) => (target, callback) => {
    const connect = (addresses: string[]) => {
      connections.push({ addresses, target, timeout: options.timeout });
      callback(null, new Socket());
    };
    if (isIP(target.hostname) !== 0) return connect([target.hostname]);
    options.lookup(target.hostname, { all: true }, (error, addresses) => {
      if (error) callback(error, null);
      else connect(Array.isArray(addresses) ? addresses.map(({ address }) => address) : [addresses]);
    });
  };
  return { connections, build };
}

const connectTo = (connector: buildConnector.connector, url: string) =>
  new Promise((resolve, reject) => {
    const { protocol, hostname, host, port } = new URL(url);
    // undici gives the hostname without brackets, and no port where it is the scheme's own.
    const target = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), host, port, servername: 'given' };
    connector(target, (...[error, socket]) => (error ? reject(error) : resolve(socket)));
  });

describe('the guarded connector', () => {
  test.each([
    ['http://127.0.0.1:3000/'],
    ['http://0x7f.1/'],
    ['http://10.0.0.1/'],
    ['https://169.254.169.254/'],
    ['http://[::1]:3000/'],
    ['http://[::ffff:10.0.0.1]/'],
    ['https://[fd00::1]/'],
  ])('opens no connection to the address %s', async (url) => {
    const { build, connections } = recordConnections();
    await expect(connectTo(createGuardedConnector({ allowedHosts: [], build }), url)).rejects.toEqual(
      notPublic,
    );
    expect(connections).toEqual([]);
  });

  test.each([
    ['loopback', [ipv4('127.0.0.1')]],
    ['a public and a private address', [ipv4('8.8.8.8'), ipv4('192.168.0.1')]],
  ])('opens no connection to a name that resolves to %s', async (_name, addresses) => {
    const { build, connections } = recordConnections();
    const connector = createGuardedConnector({ allowedHosts: [], resolve: resolvesTo(...addresses), build });
    await expect(connectTo(connector, 'https://receiver.example/')).rejects.toEqual(notPublic);
    expect(connections).toEqual([]);
  });

  test('connects to public addresses, by name or as they are, and leaves the target as it is', async () => {
    const { build, connections } = recordConnections();
    const connector = createGuardedConnector({
      allowedHosts: [],
      resolve: resolvesTo(ipv4('8.8.8.8')),
      build,
      connectTimeoutMs: 1234,
    });
    await connectTo(connector, 'https://receiver.example/');
    await connectTo(connector, 'http://1.1.1.1:8080/');
    await connectTo(connector, 'http://[2606:4700:4700::1111]/');
    expect(connections).toEqual([
      {
        addresses: ['8.8.8.8'],
        timeout: 1234,
        target: {
          protocol: 'https:',
          hostname: 'receiver.example',
          host: 'receiver.example',
          port: '',
          servername: 'given',
        },
      },
      expect.objectContaining({ addresses: ['1.1.1.1'], timeout: 1234 }),
      expect.objectContaining({ addresses: ['2606:4700:4700::1111'] }),
    ]);
  });

  test('connects to the addresses it has judged: a name that changes its answer is asked once a connection', async () => {
    const { build, connections } = recordConnections();
    const answers = [[ipv4('8.8.8.8')], [ipv4('127.0.0.1')], [ipv4('1.1.1.1')]];
    const connector = createGuardedConnector({
      allowedHosts: [],
      build,
      resolve: async () => answers.shift() ?? [],
    });
    await connectTo(connector, 'http://rebinding.example/');
    expect(answers).toHaveLength(2);
    await expect(connectTo(connector, 'http://rebinding.example/')).rejects.toEqual(notPublic);
    await connectTo(connector, 'http://rebinding.example/');
    expect(connections.map(({ addresses }) => addresses)).toEqual([['8.8.8.8'], ['1.1.1.1']]);
  });

  test('exempts allowed hosts by name, by address and by port', async () => {
    const { build, connections } = recordConnections();
    const connector = createGuardedConnector({
      allowedHosts: [
        'receiver.internal',
        'ported.internal:8080',
        'tls.internal:443',
        '127.0.0.1',
        '[::1]:9000',
      ],
      resolve: resolvesTo(ipv4('10.0.0.1')),
      build,
    });
    const allowed = [
      'http://receiver.internal:1234/',
      'http://ported.internal:8080/',
      'https://tls.internal/',
      'http://127.0.0.1:3000/',
      'http://[::1]:9000/',
    ];
    for (const url of allowed) await connectTo(connector, url);
    expect(connections).toHaveLength(allowed.length);
    const refused = [
      'http://sub.receiver.internal/',
      'http://ported.internal:8081/',
      'http://tls.internal/',
      'http://127.0.0.2:3000/',
      'http://[::1]:9001/',
      'http://10.0.0.1/',
    ];
    for (const url of refused) await expect(connectTo(connector, url)).rejects.toEqual(notPublic);
    expect(connections).toHaveLength(allowed.length);
  });
});

describe('an undici agent with the guarded connector', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function listen(server: Server): Promise<{ port: number; connections: () => number }> {
    let connections = 0;
    server.on('connection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    return { port: address.port, connections: () => connections };
  }

  function agentWith(options: Parameters<typeof createGuardedConnector>[0]): Agent {
    const agent = new Agent({ connect: createGuardedConnector(options) });
    closing.push(() => agent.destroy());
    return agent;
  }

  const echoHost = () => createHttpServer((incoming, response) => response.end(incoming.headers.host));

  test('reaches an allowed host, named in Host as in the URL', async () => {
    const { port } = await listen(echoHost());
    const dispatcher = agentWith({
      allowedHosts: ['receiver.example'],
      resolve: resolvesTo(ipv4('127.0.0.1')),
    });
    const answer = await request(`http://receiver.example:${port}/`, { dispatcher });
    expect(await answer.body.text()).toBe(`receiver.example:${port}`);
  });

  test('opens no socket to a name or an address of loopback, and says why', async () => {
    const { port, connections } = await listen(echoHost());
    const dispatcher = agentWith({ allowedHosts: ['localhost:1'], resolve: resolvesTo(ipv4('127.0.0.1')) });
    for (const host of [
      'receiver.example',
      'localhost',
      '127.0.0.1',
      '2130706433',
      '127.1',
      '[::ffff:127.0.0.1]',
    ]) {
      await expect(request(`http://${host}:${port}/`, { dispatcher })).rejects.toEqual(notPublic);
    }
    expect(connections()).toBe(0);
  });

  test('names the host of the URL to a TLS server, though it connects to an address', async () => {
    let sent = Buffer.alloc(0);
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        sent = Buffer.concat([sent, chunk]);
        socket.destroy();
      });
    });
    const { port } = await listen(server);
    const dispatcher = agentWith({
      allowedHosts: ['receiver.example'],
      resolve: resolvesTo(ipv4('127.0.0.1')),
    });
    await expect(request(`https://receiver.example:${port}/`, { dispatcher })).rejects.toThrow(
      /socket|secure TLS/,
    );
    // The server name is in clear text in the ClientHello, the first thing a TLS client sends.
    expect(sent[0]).toBe(0x16);
    expect(sent.toString('latin1')).toContain('receiver.example');
  });

  test('gives up when the name is not resolved in time', async () => {
    const never: ResolveHost = () => new Promise(() => undefined);
    const dispatcher = agentWith({ allowedHosts: [], resolve: never, connectTimeoutMs: 50 });
    await expect(request('http://receiver.example/', { dispatcher })).rejects.toMatchObject({
      code: 'UND_ERR_CONNECT_TIMEOUT',
    });
  });
});
