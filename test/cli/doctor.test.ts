import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { Client } from 'pg';
import { startBlackBox, type BlackBox } from '../helpers/black-box.ts';
import { startCarrier } from '../helpers/carrier.ts';
import { createCommandLine, type CommandLine } from '../helpers/command-line.ts';

interface Check {
  check: string;
  outcome: 'ok' | 'failed' | 'skipped';
  detail: string;
}

let service: BlackBox;
let cli: CommandLine;

beforeAll(async () => {
  service = await startBlackBox();
  const { baseUrl, testApiKey } = service.demo;
  cli = await createCommandLine({
    SMS_BASE_URL: baseUrl,
    SMS_API_KEY: testApiKey,
    DATA_DIR: service.dataDir,
  });
}, 120_000);

afterAll(async () => {
  await cli?.remove();
  await service?.stop();
}, 60_000);

/** Runs the doctor, and returns what is not ok. */
async function examine(
  environment: Record<string, string> = {},
): Promise<{ exitCode: number | null; faults: Record<string, string> }> {
  const { exitCode, json } = await cli.run(['doctor', '--json'], { environment });
  const { ok, checks } = json() as unknown as { ok: boolean; checks: Check[] };
  expect(ok).toBe(exitCode === 0);
  const faults = checks.filter(({ outcome }) => outcome !== 'ok');
  return { exitCode, faults: Object.fromEntries(faults.map(({ check, detail }) => [check, detail])) };
}

test('a service that works has no faults, and each check is a line', async () => {
  expect(await examine()).toEqual({ exitCode: 0, faults: {} });
  const { stdout, stderr } = await cli.run(['doctor']);
  const checks = stdout.trimEnd().split('\n');
  expect(checks.map((line) => /^ok +(\S+( \w+)?) {2,}\S/.exec(line)?.[1])).toEqual([
    ...['configuration', 'database', 'temporal', 'worker', 'gateway', 'simulator'],
    ...['service', "service's database", "service's temporal", 'clock', 'credential'],
  ]);
  expect(stderr).toBe('Everything works.\n');
});

test('a wrong database URL is a fault: nothing listens, no such database, no such user, no migrations', async () => {
  const { databaseUrl } = service.demo;
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(databaseUrl);
    change(url);
    return url.href;
  };
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query('create database empty');
  await admin.end();
  const cases: [url: string, detail: RegExp][] = [
    [changed((url) => (url.port = '9')), /cannot be reached \(ECONNREFUSED\).+DATABASE_URL/],
    [changed((url) => (url.pathname = '/missing')), /"missing" does not exist.+DATABASE_URL/],
    [changed((url) => (url.username = 'nobody')), /nobody.+DATABASE_URL/],
    [changed((url) => (url.pathname = '/empty')), /lacks \d+ migrations.+npm run migrate/],
  ];
  const found = await Promise.all(cases.map(([DATABASE_URL]) => examine({ DATABASE_URL })));
  cases.forEach(([, detail], index) => {
    expect(found[index]).toEqual({ exitCode: 1, faults: { database: expect.stringMatching(detail) } });
  });
});

test('variables that cannot be used are named, and what depends on them is left out', async () => {
  const { exitCode, faults } = await examine({ DATABASE_URL: 'mysql://db', GATEWAY_TOKEN: 'changeme' });
  expect(exitCode).toBe(1);
  expect(faults['configuration']).toMatch(
    /DATABASE_URL: must be a postgres:\/\/ URL\n.*GATEWAY_TOKEN: .*placeholder/,
  );
  expect(Object.keys(faults)).toEqual([
    'configuration',
    'database',
    'temporal',
    'worker',
    'gateway',
    'simulator',
  ]);
});

test('a gateway that was stopped is a fault', async () => {
  const carrier = await startCarrier();
  expect(await examine({ GATEWAY_URL: carrier.url })).toEqual({ exitCode: 0, faults: {} });
  await carrier.stop();
  expect(await examine({ GATEWAY_URL: carrier.url })).toEqual({
    exitCode: 1,
    faults: { gateway: expect.stringMatching(/does not answer \(ECONNREFUSED\).+GATEWAY_URL/) },
  });
});

test('a gateway that refuses the user is a fault', async () => {
  const kannel = createServer((request, response) => {
    const isRight = new URL(request.url!, 'http://kannel').searchParams.get('password') === 'right';
    response.writeHead(isRight ? 400 : 403).end();
  }).listen(0, '127.0.0.1');
  await once(kannel, 'listening');
  const GATEWAY_URL = `http://127.0.0.1:${(kannel.address() as AddressInfo).port}/cgi-bin/sendsms`;
  expect((await examine({ GATEWAY_URL, GATEWAY_PASSWORD: 'right' })).faults).toEqual({});
  expect((await examine({ GATEWAY_URL, GATEWAY_PASSWORD: 'wrong' })).faults).toEqual({
    gateway: expect.stringContaining('GATEWAY_PASSWORD'),
  });
  kannel.close();
});

test('Temporal that does not answer, and one without the namespace, are faults', async () => {
  const [silent, otherNamespace] = await Promise.all([
    examine({ TEMPORAL_ADDRESS: '127.0.0.1:9' }),
    examine({ TEMPORAL_NAMESPACE: 'missing' }),
  ]);
  expect(silent).toMatchObject({
    exitCode: 1,
    faults: { temporal: expect.stringContaining('TEMPORAL_ADDRESS') },
  });
  expect(otherNamespace.faults['temporal']).toMatch(/namespace create --namespace missing/);
  expect(Object.keys(silent.faults)).toEqual(['temporal', 'worker']);
});

test('a clock that differs from that of the service is a fault', async () => {
  const { baseUrl } = service.demo;
  const late = createServer((request, response) => {
    const headers = { 'X-API-Key': service.demo.testApiKey };
    void fetch(`${baseUrl}${request.url}`, { headers }).then(async (answer) => {
      const date = new Date(Date.now() - 3_600_000).toUTCString();
      response.writeHead(answer.status, { 'Content-Type': 'application/json', Date: date });
      response.end(await answer.text());
    });
  }).listen(0, '127.0.0.1');
  await once(late, 'listening');
  const SMS_BASE_URL = `http://127.0.0.1:${(late.address() as AddressInfo).port}`;
  const { exitCode, faults } = await examine({ SMS_BASE_URL });
  late.close();
  late.closeAllConnections();
  expect([exitCode, Object.keys(faults)]).toEqual([1, ['clock']]);
  expect(faults['clock']).toMatch(/3(599|600|601) s ahead of that of the service.+NTP/);
});

test('a service that cannot be reached, and a key that it refuses, are faults', async () => {
  const [unreachable, refused, nobody] = await Promise.all([
    examine({ SMS_BASE_URL: 'http://127.0.0.1:9' }),
    examine({ SMS_API_KEY: 'sms_test_wrong' }),
    examine({ SMS_API_KEY: '' }),
  ]);
  expect(unreachable.faults).toEqual({ service: expect.stringContaining('SMS_BASE_URL') });
  expect(refused.faults).toEqual({ credential: expect.stringContaining('sms login') });
  expect(nobody).toEqual({
    exitCode: 0,
    faults: { credential: expect.stringContaining('Nobody is signed in') },
  });
});

test('in an empty DATA_DIR and without variables, only the service itself is checked', async () => {
  const { exitCode, faults } = await examine({ DATA_DIR: cli.configDirectory });
  expect([exitCode, Object.keys(faults)]).toEqual([0, ['configuration']]);
});

test('a database that accepts connections and says nothing is a fault, not a command that hangs', async () => {
  const silent = createTcpServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = new URL(service.demo.databaseUrl);
  url.port = String((silent.address() as AddressInfo).port);
  expect(Object.keys((await examine({ DATABASE_URL: url.href })).faults)).toEqual(['database']);
  silent.close();
});
