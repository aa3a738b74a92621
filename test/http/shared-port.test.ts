import { fileURLToPath } from 'node:url';
import { startProcess, type ManagedProcess } from '../../scripts/embedded/managed-process.ts';
import { findServerPort } from '../../scripts/embedded/ports.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';

let db: TestDatabase;
let port: number;
const started: ManagedProcess[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  port = await findServerPort();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((api) => api.stop()));
}, 30_000);
afterAll(() => db.drop());

/** Starts an API process. Returns it, and whether it listens or has ended. */
async function startApi(variables: Record<string, string>): Promise<[ManagedProcess, 'listens' | 'ended']> {
  const program = fileURLToPath(new URL('../../src/api.ts', import.meta.url));
  const api = await startProcess({
    name: 'api',
    command: process.execPath,
    arguments: [program],
    environment: {
      ...{ PATH: process.env.PATH, PORT: String(port), DATABASE_URL: db.url, LOG_LEVEL: 'silent' },
      ...{ TEMPORAL_ADDRESS: '127.0.0.1:9', GATEWAY_TOKEN: 'a-token-of-the-gateway' },
      AUTH_SECRET: 'a-secret-of-at-least-32-characters',
      SECURITY_CODE_PEPPER: 'a-pepper-of-at-least-32-characters',
      ...variables,
    },
    ipc: true,
    stopSignal: 'SIGTERM',
    graceSeconds: 10,
    onLine: () => undefined,
  });
  started.push(api);
  const ready = new Promise<'listens'>((resolve) =>
    api.child.on('message', (message) => message === 'ready' && resolve('listens')),
  );
  return [api, await Promise.race([ready, api.exited.then(() => 'ended' as const)])];
}

const isServed = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/health`)).ok;

test('with REUSE_PORT, a second API process listens on the same port, and serves it when the first one is killed', async () => {
  const [first, firstOutcome] = await startApi({ REUSE_PORT: 'true' });
  const [, secondOutcome] = await startApi({ REUSE_PORT: 'true' });
  expect([firstOutcome, secondOutcome]).toEqual(['listens', 'listens']);
  first.child.kill('SIGKILL');
  await first.exited;
  expect(await isServed()).toBe(true);
});

test('without REUSE_PORT, a second API process does not start on a port that is in use', async () => {
  const [, firstOutcome] = await startApi({});
  const [, secondOutcome] = await startApi({});
  expect([firstOutcome, secondOutcome]).toEqual(['listens', 'ended']);
  expect(await isServed()).toBe(true);
});
