import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../bench/service.ts';
import { startBlackBox, type BlackBox } from '../helpers/black-box.ts';
import { until } from '../helpers/until.ts';

const run = promisify(execFile);
const text = 'Selam';

let directory: string;
let before: BlackBox;
let after: BlackBox | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sms-restore-'));
  // Live messages wait for this gateway, which does not exist.
  before = await startBlackBox({ GATEWAY_URL: 'http://127.0.0.1:1/cgi-bin/sendsms' });
}, 120_000);

afterAll(async () => {
  await after?.stop();
  await before?.stop();
  await rm(directory, { recursive: true, force: true });
}, 60_000);

async function command(script: string, argument: string, databaseUrl: string): Promise<string> {
  const environment = { ...process.env, DATABASE_URL: databaseUrl, SUBMISSION_DOUBT_SECONDS: '1' };
  return (await run(process.execPath, [script, argument], { env: environment })).stdout;
}

/** Starts the service on another database and with an empty Temporal, with the secrets and the demo of the first one. */
async function startOn(databaseUrl: string): Promise<BlackBox> {
  const dataDir = await mkdtemp(join(directory, 'data-'));
  const port = String(await freePort());
  const demo = { ...before.demo, databaseUrl, baseUrl: `http://127.0.0.1:${port}` };
  await writeFile(join(dataDir, 'demo.json'), JSON.stringify(demo));
  const secret = async (name: string): Promise<string> =>
    (await readFile(join(before.dataDir, name), 'utf8')).trim();
  return startBlackBox({
    ...{ DATA_DIR: dataDir, PORT: port, DATABASE_URL: databaseUrl, SUBMISSION_DOUBT_SECONDS: '1' },
    GATEWAY_TOKEN: await secret('gateway-token'),
    AUTH_SECRET: await secret('auth-secret'),
    SECURITY_CODE_PEPPER: await secret('security-code-pepper'),
  });
}

test('from a backup alone, with an empty Temporal, every message of the backup is delivered, and its timeline says why it may be twice', async () => {
  const live = before.demo.liveApiKey;
  const ids: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    const answer = await before.post({ to: '0911234567', text }, live);
    if ('message' in answer) ids.push(answer.message.id);
  }
  expect(ids).toHaveLength(20);
  const backup = (await command('src/backup.ts', directory, before.demo.databaseUrl))
    .trim()
    .split('\n')
    .at(-1)!;
  const late = await before.post({ to: '0911234567', text: 'after the backup' }, live);
  expect(late.status).toBe(202);

  await before.query('create database restored');
  const restoredUrl = new URL(before.demo.databaseUrl);
  restoredUrl.pathname = '/restored';
  const told = await command('src/restore.ts', backup, restoredUrl.href);
  expect(told).toMatch(/20 queued messages may have been submitted/);

  after = await startOn(restoredUrl.href);
  const service = after;
  await until(
    'the messages to be delivered',
    async () => (await service.countStatuses(ids))['delivered'] === ids.length,
    60_000,
  );
  const events = await service.timeline(ids);
  const noted = events.filter(({ details }) => details['reason'] === 'restored_from_backup');
  expect(new Set(noted.map(({ messageId }) => messageId))).toEqual(new Set(ids));
  for (const id of ids) expect(await service.countSubmissions(id)).toBe(1);
  // What was accepted after the backup is gone, and asking for it says so.
  const { status } = await fetch(
    `${service.demo.baseUrl}/api/v1/messages/${(late as { message: { id: string } }).message.id}`,
    { headers: { 'X-API-Key': live } },
  );
  expect(status).toBe(404);
}, 180_000);
