import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../bench/service.ts';
import { startTemporal } from '../../scripts/embedded/temporal.ts';
import { openDatabase } from '../../src/open-database.ts';
import { checkDatabaseAtStart, checkNamespaceAtStart } from '../../src/operations/check-start.ts';
import { createTemporalClient } from '../../src/temporal.ts';
import { createTestDatabase, runAsAdmin, withDatabase } from '../helpers/databases.ts';

/** Runs a process of the service until it ends. */
async function run(program: 'api' | 'worker', variables: Record<string, string>) {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL(`../../src/${program}.ts`, import.meta.url))],
    {
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PORT: String(await freePort()),
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        GATEWAY_URL: 'http://127.0.0.1:1/',
        SIMULATOR_URL: 'http://127.0.0.1:1/',
        GATEWAY_TOKEN: 'gateway-token-of-the-tests',
        AUTH_SECRET: 'secret-of-the-tests-0123456789-abcdef',
        SECURITY_CODE_PEPPER: 'pepper-of-the-tests-0123456789-abcdef',
        LOG_LEVEL: 'fatal',
        ...variables,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const [code] = (await once(child, 'close')) as [number];
  return { code, lines: output.trim().split('\n') };
}

test.each(['api', 'worker'] as const)(
  'the %s names a database that cannot be reached in one line, and ends',
  async (program) => {
    const { code, lines } = await run(program, { DATABASE_URL: 'postgresql://sms@127.0.0.1:1/sms' });
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(
        /^The database at 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)\. .*DATABASE_URL/,
      ),
    ]);
  },
  60_000,
);

test('the worker names the migrations that a database lacks in one line, and ends', async () => {
  const { url, query, drop } = await createTestDatabase();
  try {
    const [last] = await query<{ name: string }>(
      'delete from mikro_orm_migrations where name = (select max(name) from mikro_orm_migrations) returning name',
    );
    expect(await run('worker', { DATABASE_URL: url })).toEqual({
      code: 1,
      lines: [
        expect.stringMatching(
          new RegExp(`lacks 1 migrations, the first is ${last!.name}\\. Run .npm run migrate`),
        ),
      ],
    });
  } finally {
    await drop();
  }
}, 60_000);

test('a database without any table lacks all migrations, and one that is newer than the process lacks none', async () => {
  const empty = `empty_${process.pid}`;
  await runAsAdmin(`create database ${empty}`);
  const database = await openDatabase({ url: withDatabase(empty), poolSize: 1 });
  const newer = await createTestDatabase();
  try {
    await expect(checkDatabaseAtStart(database)).rejects.toThrow(
      /the first is Migration\d+_tenant_role\. Run/,
    );
    await newer.query(
      `insert into mikro_orm_migrations (name) values ('Migration29990101000000_of_a_later_release')`,
    );
    await checkDatabaseAtStart(newer.database);
  } finally {
    await database.close();
    await newer.drop();
    await runAsAdmin(`drop database ${empty}`);
  }
});

test('a Temporal without the namespace of the service is refused with the command that creates it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sms-namespace-'));
  const temporal = await startTemporal({
    executable: process.env['TEMPORAL_CLI']!,
    databaseFile: join(directory, 'temporal.db'),
    port: await freePort(),
    uiPort: await freePort(),
    namespace: 'default',
    searchAttributes: {},
    log: () => undefined,
  });
  const clients = ['default', 'missing'].map((namespace) =>
    createTemporalClient({ address: temporal.address, namespace }),
  );
  try {
    await checkNamespaceAtStart(clients[0]!.workflow, temporal.address);
    await expect(checkNamespaceAtStart(clients[1]!.workflow, temporal.address)).rejects.toThrow(
      /has no namespace missing\. Create it with `temporal operator namespace create --namespace missing`/,
    );
  } finally {
    await Promise.all(clients.map(({ connection }) => connection.close()));
    await temporal.stop();
    await rm(directory, { recursive: true, force: true });
  }
}, 60_000);

test('a Temporal that is down does not keep a process from its start', async () => {
  const client = createTemporalClient({ address: '127.0.0.1:1', namespace: 'default' });
  await expect(checkNamespaceAtStart(client.workflow, '127.0.0.1:1')).resolves.toBeUndefined();
  await client.connection.close();
});
