import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../scripts/embedded/ports.ts';
import { isOwn } from '../../scripts/embedded/private-files.ts';
import { findRecordedProcess } from '../../scripts/embedded/process-record.mjs';
import { waitUntil } from './wait.ts';

let dataDir: string;
let port: number;
const started: ChildProcess[] = [];

/** What `npm start` runs. */
const entry = ['scripts/run.mjs', 'scripts/start.ts'];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'start-'));
  port = await findFreePort();
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(dataDir, { recursive: true });
}, 30_000);

interface Run {
  child: ChildProcess;
  output: () => string;
  exited: Promise<unknown[]>;
}

function start(variables: Record<string, string> = {}, command = [process.execPath, ...entry]): Run {
  const [program = '', ...programArguments] = command;
  const child = spawn(program, programArguments, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PORT: String(port),
      // Empty ones count as unset.
      DATABASE_URL: '',
      TEMPORAL_ADDRESS: '',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return { child, output: () => output, exited: once(child, 'exit') };
}

async function untilReady(run: Run): Promise<void> {
  await waitUntil(() => /^ready$/m.test(run.output()) || run.child.exitCode !== null, 90_000);
  if (run.child.exitCode !== null) throw new Error(run.output());
}

/** Everything `npm start` started that still runs. */
function listRunning(): string[] {
  const records = join(dataDir, 'processes');
  return readdirSync(records).filter((name) => findRecordedProcess(join(records, name)) !== undefined);
}

const everything = ['api', 'postgres', 'simulator', 'temporal', 'worker'];

describe('npm start', () => {
  it('starts everything, says ready, and leaves no process after npm gets SIGINT', async () => {
    const run = start({}, ['npm', 'start']);
    await untilReady(run);
    expect(listRunning().toSorted()).toEqual(everything);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    expect(statSync(join(dataDir, 'demo.json')).mode & 0o777).toBe(0o600);
    const demo: unknown = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
    expect(demo).toMatchObject({ baseUrl: `http://127.0.0.1:${port}` });
    expect(run.output()).toContain('curl -sS');
    run.child.kill('SIGINT');
    expect(await run.exited).toEqual([0, null]);
    expect(listRunning()).toEqual([]);
  }, 120_000);

  it('keeps all in DATA_DIR from other users, whatever the umask and the modes that it finds', async () => {
    // As an older version left it.
    for (const name of ['temporal', 'processes', 'postgres']) {
      mkdirSync(join(dataDir, name));
      chmodSync(join(dataDir, name), 0o777);
    }
    for (const [name, text] of [
      ['ports.json', '{}'],
      ['auth-secret', 'x'.repeat(32)],
    ] as const) {
      writeFileSync(join(dataDir, name), text);
      chmodSync(join(dataDir, name), 0o666);
    }
    chmodSync(dataDir, 0o755);
    await untilReady(start({}, ['/bin/sh', '-c', 'umask 000; exec "$@"', 'sh', process.execPath, ...entry]));
    const open = ['', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })].filter((name) => {
      const found = lstatSync(join(dataDir, name), { throwIfNoEntry: false });
      return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
    });
    // Root's PostgreSQL runs as another user, whose group may pass, and no more.
    const passed = process.getuid?.() === 0 ? ['', 'postgres'] : [];
    expect(open.toSorted()).toEqual(passed);
    for (const name of passed) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o710);
    for (const name of ['demo.json', 'temporal/temporal.db', 'postgres/password', 'processes/api'])
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
    // Else the directory itself would stay as wide as it was found (scripts/embedded/private-files.ts).
    expect(readdirSync(dataDir).filter((name) => !isOwn(name))).toEqual([]);
  }, 120_000);

  it('leaves no process when it is killed, and starts again on the same data', async () => {
    const first = start();
    await untilReady(first);
    const { demo } = readDemo();
    const supervisor = findRecordedProcess(join(dataDir, 'start.lock')) ?? 0;
    process.kill(supervisor, 'SIGKILL');
    await first.exited;
    await waitUntil(() => listRunning().length === 0, 30_000);
    const second = start();
    await untilReady(second);
    expect(readDemo().demo).toEqual(demo);
  }, 240_000);

  it('starts a part again that was killed', async () => {
    const run = start();
    await untilReady(run);
    const record = join(dataDir, 'processes', 'api');
    const first = findRecordedProcess(record) ?? 0;
    process.kill(first, 'SIGKILL');
    await waitUntil(() => ![first, undefined].includes(findRecordedProcess(record)), 30_000);
    expect(run.output()).toContain('api was ended by SIGKILL; starting it again');
  }, 120_000);

  it('refuses a DATA_DIR that is in use, and a PORT that is taken, with exit code 78 and what to do', async () => {
    await untilReady(start());
    const sameData = start();
    expect(await sameData.exited).toEqual([78, null]);
    expect(sameData.output()).toMatch(/in use by another npm start.*DATA_DIR/);
    const other = mkdtempSync(join(tmpdir(), 'start-'));
    const samePort = start({ DATA_DIR: other });
    expect(await samePort.exited).toEqual([78, null]);
    expect(samePort.output()).toMatch(/Set PORT/);
    rmSync(other, { recursive: true });
  }, 120_000);

  it('keeps strangers out where they may reach the API, and says how to let them in', async () => {
    const run = start({}, [process.execPath, 'scripts/run.mjs', 'test/helpers/start-where-others-reach.ts']);
    await untilReady(run);
    for (const variable of [
      'ALLOW_SIGN_UP=true',
      'MAIL_TO_LOG=true',
      'WEBHOOK_ALLOWED_HOSTS=localhost,127.0.0.1',
    ])
      expect(run.output()).toMatch(new RegExp(`^  ${variable} `, 'm'));
    const demo = readDemo().demo as { testApiKey: string; ownerEmail: string; ownerPassword: string };
    const { ownerEmail: email, ownerPassword: password } = demo;
    const post = async (path: string, body: object) => {
      const headers = { 'Content-Type': 'application/json', 'X-API-Key': demo.testApiKey };
      const json = { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(`http://127.0.0.1:${port}${path}`, json);
      return { status: response.status, code: ((await response.json()) as { code?: string }).code };
    };
    const stranger = { name: 'A stranger', email: 'stranger@example.com', password };
    expect(await post('/api/auth/sign-up/email', stranger)).toEqual({
      status: 403,
      code: 'sign_up_disabled',
    });
    const webhook = { url: 'http://127.0.0.1:9/' };
    expect(await post('/api/v1/messages', { to: '0911234567', text: 'x', webhook })).toEqual({
      status: 422,
      code: 'webhook_url_not_allowed',
    });
    expect(await post('/api/auth/request-password-reset', { email })).toEqual({
      status: 400,
      code: 'mail_not_configured',
    });
    expect(await post('/api/auth/sign-in/email', { email, password })).toEqual({ status: 200 });
  }, 120_000);

  it('refuses a DATABASE_URL of the operator without a GATEWAY_TOKEN', async () => {
    const run = start({ DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
    expect(await run.exited).toEqual([78, null]);
    expect(run.output()).toContain('GATEWAY_TOKEN is not set');
  }, 60_000);
});

function readDemo(): { demo: unknown } {
  return { demo: JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) };
}
