import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  runProcess,
  startProcess,
  stopProcesses,
  stopRecordedProcess,
  type ManagedProcess,
} from '../../scripts/embedded/managed-process.ts';
import { describeProcess, findRecordedProcess } from '../../scripts/embedded/process-record.mjs';
import { waitUntil } from './wait.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'process-'));
});
afterEach(async () => {
  await stopProcesses();
  rmSync(directory, { recursive: true });
}, 30_000);

/** A shell that says `up` once its script is in place. */
async function startShell(script: string, graceSeconds = 5, recordFile?: string): Promise<ManagedProcess> {
  const lines: string[] = [];
  const managed = await startProcess({
    name: 'shell',
    command: '/bin/sh',
    arguments: ['-c', `${script}\necho up\nwhile :; do sleep 0.1; done`],
    stopSignal: 'SIGTERM',
    graceSeconds,
    ...(recordFile === undefined ? {} : { recordFile }),
    onLine: (line) => lines.push(line),
  });
  await waitUntil(() => lines.includes('up'));
  return managed;
}

describe('a managed process', () => {
  it('is asked to stop before it is made to', async () => {
    const managed = await startShell("trap 'exit 7' TERM");
    await managed.stop();
    expect(await managed.exited).toEqual({ code: 7, signal: null });
  });

  it('is killed when it does not stop within its grace', async () => {
    const managed = await startShell("trap '' TERM", 1);
    await managed.stop();
    expect(await managed.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('takes what it started along', async () => {
    const managed = await startShell(`sh -c 'echo $$ > ${directory}/child; sleep 600' &`);
    const child = join(directory, 'child');
    await waitUntil(() => existsSync(child));
    const { tail } = await runProcess({ name: 'cat', command: 'cat', arguments: [child], timeoutSeconds: 5 });
    await managed.stop();
    await waitUntil(() => describeProcess(Number(tail)) === undefined);
    expect(Number(tail)).toBeGreaterThan(1);
  });

  it('ends when the process that started it is killed', async () => {
    const record = join(directory, 'record');
    const module = resolve('scripts/embedded/managed-process.ts');
    const starter = spawn(
      process.execPath,
      [
        '--input-type=module-typescript',
        '-e',
        `import { startProcess } from ${JSON.stringify(module)};
         await startProcess({ name: 'sleep', command: 'sleep', arguments: ['600'], stopSignal: 'SIGTERM',
           graceSeconds: 2, recordFile: ${JSON.stringify(record)}, onLine: () => undefined });
         console.log('started');`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(starter.stdout, 'data');
    const pid = findRecordedProcess(record);
    expect(pid).toBeDefined();
    starter.kill('SIGKILL');
    await waitUntil(() => findRecordedProcess(record) === undefined);
  }, 20_000);

  it('that cannot be started rejects with its name', async () => {
    const starting = runProcess({ name: 'nothing', command: '/nowhere', arguments: [], timeoutSeconds: 1 });
    await expect(starting).rejects.toThrow(/Cannot start nothing/);
  });

  it('is stopped when it takes longer than it may', async () => {
    const exit = await runProcess({
      name: 'sleep',
      command: 'sleep',
      arguments: ['600'],
      timeoutSeconds: 0.2,
    });
    expect(exit.signal).toBe('SIGTERM');
  });
});

describe('the process an earlier run recorded', () => {
  it('is ended, and waited for', async () => {
    const record = join(directory, 'record');
    const managed = await startShell('', 5, record);
    await stopRecordedProcess(record, 'SIGTERM', 5);
    expect(describeProcess(managed.pid)).toBeUndefined();
    expect(existsSync(record)).toBe(false);
  });

  it('is killed when it does not end within its grace', async () => {
    const record = join(directory, 'record');
    const managed = await startShell("trap '' TERM", 5, record);
    await stopRecordedProcess(record, 'SIGTERM', 0.3);
    expect(await managed.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('is left alone when its pid belongs to another process by now', async () => {
    const managed = await startShell('');
    const record = join(directory, 'record');
    writeFileSync(record, (describeProcess(managed.pid) ?? '').replace(/^(\d+) \S+/, '$1 1'));
    await stopRecordedProcess(record, 'SIGTERM', 1);
    expect(describeProcess(managed.pid)).toBeDefined();
  });
});
