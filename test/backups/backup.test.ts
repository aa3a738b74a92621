import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeBackup } from '../../src/backups/write-backup.ts';
import { restoreBackup } from '../../src/backups/restore-backup.ts';
import { settleAfterRestore } from '../../src/backups/settle-after-restore.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { signUp } from '../helpers/people.ts';
import { codeOf } from '../helpers/sent-code.ts';
import { startTwoApis, type TwoApis } from '../helpers/two-apis.ts';

const run = promisify(execFile);
let apis: TwoApis;
let db: TestDatabase;
let directory: string;
let backup: string;
let takenAt: Date;
let messageIds: string[];
let lateMessageId: string;
let verification: { verificationId: string; code: string };
let scheduleId: string;
const restored: TestDatabase[] = [];

async function post(path: string, json: object): Promise<Record<string, string>> {
  const { status, body } = await apis.api.call('POST', path, { key: apis.liveKey, json });
  expect([201, 202]).toContain(status);
  return body;
}

beforeAll(async () => {
  apis = await startTwoApis(() => new Date());
  ({ db } = apis);
  directory = await mkdtemp(join(tmpdir(), 'sms-backup-'));
  messageIds = [];
  for (const text of ['Selam', 'with a tab\tand a \\ and ሰላም\nand a line']) {
    messageIds.push(
      (await post('/api/v1/messages', { to: '0911234567', text, metadata: { note: text } }))['id']!,
    );
  }
  const { verificationId, messageId } = await post('/api/v1/security-codes/send', { to: '0911234568' });
  verification = { verificationId: verificationId!, code: await codeOf(db, messageId!) };
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();
  const schedule = await post('/api/v1/messages/schedule', {
    ...{ to: '0911234567', text: 'Selam', scheduleType: 'recurring', startsAt },
    recurrence: { unit: 'minute', interval: 1 },
  });
  scheduleId = schedule['id']!;
  await signUp(apis.api);
  const written = await writeBackup({ databaseUrl: db.url, directory, onTable: () => undefined });
  backup = written.directory;
  takenAt = new Date(written.manifest.takenAt);
  lateMessageId = (await post('/api/v1/messages', { to: '0911234567', text: 'after the backup' }))['id']!;
});

afterAll(async () => {
  for (const one of restored) await one.drop();
  await apis.stop();
  await rm(directory, { recursive: true, force: true });
});

async function emptyDatabase(): Promise<TestDatabase> {
  const empty = await createTestDatabase('template0');
  restored.push(empty);
  return empty;
}

const restoreInto = (target: TestDatabase, from = backup): Promise<unknown> =>
  restoreBackup({
    ...{ database: target.database, databaseUrl: target.url, directory: from },
    onTable: () => undefined,
  });

/** The rows of every table, as text, without those that were stored after the backup. */
async function contentOf({ query }: TestDatabase): Promise<Map<string, string[]>> {
  const tables = await query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relpersistence = 'p' and relname not like 'mikro_orm%' order by 1`,
  );
  const content = new Map<string, string[]>();
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(`select t::text as row from ${name} t order by 1`);
    content.set(
      name,
      rows.map(({ row }) => row).filter((row) => !row.includes(lateMessageId)),
    );
  }
  return content;
}

async function tablesOf({ query }: TestDatabase): Promise<unknown[]> {
  return query(`select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`);
}

/** A copy of the backup that a test may damage. */
async function copyOfBackup(): Promise<string> {
  const copy = await mkdtemp(join(directory, 'copy-'));
  await run('cp', ['-r', `${backup}/.`, copy]);
  return copy;
}

test('a restored database has the same rows, and none that were stored after the backup', async () => {
  const target = await emptyDatabase();
  await restoreInto(target);
  const [expected, found] = [await contentOf(db), await contentOf(target)];
  // The counts of analytics and the dispatches change with the later message.
  const changing = ['message_count_deltas', 'dispatches', 'api_keys'];
  for (const name of changing) for (const content of [expected, found]) content.delete(name);
  expect(found).toEqual(expected);
  expect(found.get('messages')).toHaveLength(3);
  const late = await target.query('select from messages where id = ?', [lateMessageId]);
  expect(late).toEqual([]);
  // New rows get ids after the restored ones, and triggers work again.
  const [event] = await target.query<{ isLater: boolean }>(
    `select nextval('message_events_id_seq') > (select max(id) from message_events) as "isLater"`,
  );
  expect(event).toEqual({ isLater: true });
  const disabled = await target.query(`select from pg_trigger where tgenabled = 'D'`);
  expect(disabled).toEqual([]);
});

test('a restored database is made safe: nothing is done as if nothing had happened since the backup', async () => {
  const target = await emptyDatabase();
  await restoreInto(target);
  const later = new Date(Date.now() + 2 * 3_600_000);
  const settled = await settleAfterRestore({
    ...{ database: target.database, asOf: takenAt, doubtSeconds: 60, now: () => later },
  });
  expect(settled).toMatchObject({
    doubtfulMessages: 3,
    expiredCodes: 1,
    schedulesWithMissedRuns: 1,
    endedSessions: expect.any(Number),
    validKeys: 2,
  });
  expect(settled.endedSessions).toBeGreaterThan(0);
  const messages = await target.query<{ due: boolean; outcomeUnknown: boolean }>(
    `select outcome_unknown as "outcomeUnknown", due_at = ?::timestamptz + interval '60 s' as due from messages where id in (?, ?)`,
    [later, ...messageIds],
  );
  expect(messages).toEqual([1, 2].map(() => ({ outcomeUnknown: true, due: true })));
  const events = await target.query(
    `select details->>'reason' as reason from message_events where message_id = ? order by id desc limit 1`,
    [messageIds[0]],
  );
  expect(events).toEqual([{ reason: 'restored_from_backup' }]);
  const codes = await target.query('select status from security_codes where id = ?', [
    verification.verificationId,
  ]);
  expect(codes).toEqual([{ status: 'expired' }]);
  const [schedule] = await target.query<{ missedCount: number; createdCount: number; isLater: boolean }>(
    `select missed_count as "missedCount", created_count as "createdCount", next_run_at >= ? as "isLater"
     from message_schedules where id = ?`,
    [later, scheduleId],
  );
  expect(schedule).toMatchObject({ createdCount: 0, isLater: true });
  expect(schedule!.missedCount).toBeGreaterThan(50);
});

test('a second call after a restore does not repeat what the first one noted', async () => {
  const target = await emptyDatabase();
  await restoreInto(target);
  const settle = () =>
    settleAfterRestore({
      ...{ database: target.database, asOf: takenAt, doubtSeconds: 60, now: () => new Date() },
    });
  await settle();
  expect(await settle()).toMatchObject({ doubtfulMessages: 0, expiredCodes: 0, endedSessions: 0 });
});

describe('refused, and nothing is changed', () => {
  // prettier-ignore
  const table: [what: string, damage: (copy: string) => Promise<unknown>, message: RegExp][] = [
    ['a directory without a manifest', (copy) => rm(join(copy, 'manifest.json')), /not a backup, or the backup was interrupted/],
    ['a manifest of another format', (copy) => writeFile(join(copy, 'manifest.json'), '{"format":2}'), /damaged/],
    ['a damaged file', (copy) => appendFile(join(copy, 'messages.copy.gz'), '!'), /messages is damaged/],
    ['a missing file', (copy) => rename(join(copy, 'messages.copy.gz'), join(copy, 'x')), /messages cannot be read/],
    ['a backup of a newer version', async (copy) => {
      const path = join(copy, 'manifest.json');
      await writeFile(path, (await readFile(path, 'utf8')).replace(/"migration": "[^"]+"/, '"migration": "Migration2999_x"'));
    }, /newer version/],
  ];
  test.each(table)('%s', async (...[_what, damage, message]) => {
    const copy = await copyOfBackup();
    await damage(copy);
    const target = await emptyDatabase();
    await expect(restoreInto(target, copy)).rejects.toThrow(message);
    expect((await tablesOf(target)).length).toBeLessThanOrEqual(1);
  });

  test('a database that has rows', async () => {
    await expect(restoreInto(db)).rejects.toThrow(/not empty/);
  });
});

test('a backup is readable only by its owner, and one that was interrupted has another name', async () => {
  for (const path of [backup, ...(await readdir(backup)).map((file) => join(backup, file))]) {
    expect((await stat(path)).mode & 0o077).toBe(0);
  }
  const unreachable = writeBackup({
    ...{ databaseUrl: 'postgresql://sms@127.0.0.1:1/sms', directory, onTable: () => undefined },
  });
  await expect(unreachable).rejects.toThrow(/ECONNREFUSED/);
  expect((await readdir(directory)).filter((name) => name.startsWith('sms-'))).toHaveLength(1);
});

test('the commands write and restore a backup, and say what the operator must know', async () => {
  const folder = await mkdtemp(join(directory, 'by-command-'));
  const target = await emptyDatabase();
  const node = (script: string, argument: string[], url: string) =>
    run(process.execPath, [script, ...argument], { env: { ...process.env, DATABASE_URL: url } });
  const written = await node('src/backup.ts', [folder], db.url);
  const path = written.stdout.trim().split('\n').at(-1)!;
  const { stdout } = await node('src/restore.ts', [path], target.url);
  expect(stdout).toMatch(/^messages: 4$[^]*^4 queued messages may have been submitted/m);
  const again = await node('src/restore.ts', ['--as-of', new Date().toISOString()], target.url);
  expect(again.stdout).toMatch(/0 queued messages may have been submitted/);
  await expect(node('src/restore.ts', [path], target.url)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/not empty/),
  });
  await expect(node('src/restore.ts', [], target.url)).rejects.toMatchObject({ code: 1 });
  await expect(node('src/backup.ts', [], db.url)).rejects.toMatchObject({ code: 2 });
});
