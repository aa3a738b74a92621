import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres, type EmbeddedPostgres } from '../../scripts/embedded/postgres.ts';
import { findRecordedProcess } from '../../scripts/embedded/process-record.mjs';

let dataDir: string;
let postgres: EmbeddedPostgres | undefined;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'postgres-'));
});
afterEach(async () => {
  await postgres?.stop();
  postgres = undefined;
  rmSync(dataDir, { recursive: true });
}, 30_000);

async function start(): Promise<EmbeddedPostgres> {
  postgres = await startPostgres({ dataDir, log: () => undefined });
  return postgres;
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  it('keeps its data and its password over a restart', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 1 as one');
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'select one from kept')).toEqual([{ one: 1 }]);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
  }, 30_000);

  it('comes back with all that was committed after a kill -9', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 1 as one');
    process.kill(findRecordedProcess(join(dataDir, 'postgres.process')) ?? 0, 'SIGKILL');
    await first.exited;
    const second = await start();
    expect(await query(second.url, 'select one from kept')).toEqual([{ one: 1 }]);
  }, 30_000);

  it('replaces a server that still runs on the same directory', async () => {
    const first = await start();
    const second = await start();
    expect(await first.exited).toEqual({ code: 0, signal: null });
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  }, 30_000);

  it('starts although the pid of its last run belongs to another process by now', async () => {
    await (await start()).stop();
    const stale = [process.pid, join(dataDir, 'cluster'), 0, 5432, '', '127.0.0.1', '1 1', 'ready', ''].join(
      '\n',
    );
    writeFileSync(join(dataDir, 'cluster', 'postmaster.pid'), stale);
    const second = await start();
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  }, 30_000);

  it('refuses whoever does not know the password, and keeps it from other users', async () => {
    const { url } = await start();
    const wrong = new URL(url);
    wrong.password = 'guessed';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect(statSync(join(dataDir, 'password')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, 'password'), 'utf8')).toHaveLength(32);
  }, 30_000);

  it('listens on the loopback address only, syncs what it commits, and serves a role without superuser', async () => {
    const { url } = await start();
    const settings = await query(
      url,
      `select current_setting('listen_addresses') as address, current_setting('fsync') as fsync,
              current_setting('synchronous_commit') as commit,
              (select rolsuper from pg_roles where rolname = current_user) as superuser`,
    );
    expect(settings).toEqual([{ address: '127.0.0.1', fsync: 'on', commit: 'on', superuser: false }]);
  }, 30_000);
});
