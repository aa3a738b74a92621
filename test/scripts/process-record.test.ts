import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  describeProcess,
  findRecordedProcess,
  recordProcess,
  releaseLock,
  takeLock,
} from '../../scripts/embedded/process-record.mjs';

const module = resolve('scripts/embedded/process-record.mjs');
let directory: string;
let lock: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'record-'));
  lock = join(directory, 'lock');
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

function startNode(program: string): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

async function startSleeper(): Promise<{ child: ChildProcess; pid: number }> {
  const child = startNode('setInterval(() => {}, 1000);');
  await once(child, 'spawn');
  return { child, pid: child.pid ?? 0 };
}

describe('a process record', () => {
  it('names a process only while that very process runs', async () => {
    const { child, pid } = await startSleeper();
    const file = join(directory, 'record');
    recordProcess(file, pid);
    expect(findRecordedProcess(file)).toBe(pid);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(findRecordedProcess(file)).toBeUndefined();
  });

  it('does not take another process with the same pid for the recorded one', async () => {
    const { pid } = await startSleeper();
    const file = join(directory, 'record');
    writeFileSync(file, (describeProcess(pid) ?? '').replace(/^(\d+) \S+/, '$1 1'));
    expect(findRecordedProcess(file)).toBeUndefined();
  });

  it.each(['', 'garbage', '-1', '0', '99999999'])('that says %j names nobody', (content) => {
    const file = join(directory, 'record');
    writeFileSync(file, content);
    expect(findRecordedProcess(file)).toBeUndefined();
  });
});

describe('a lock', () => {
  it('is refused while another process holds it, and says which', async () => {
    const { pid } = await startSleeper();
    recordProcess(lock, pid);
    expect(takeLock(lock)).toBe(pid);
  });

  it.each([
    ['ended', '99999999 1 boot'],
    ['was killed while it wrote the lock', ''],
    ['has a pid that now belongs to another', `${process.ppid} 1 boot`],
  ])('of a process that %s is taken over', (_, content) => {
    writeFileSync(lock, content);
    expect(takeLock(lock)).toBeUndefined();
    expect(findRecordedProcess(lock)).toBe(process.pid);
  });

  it('is given back by its holder only', async () => {
    const { pid } = await startSleeper();
    recordProcess(lock, pid);
    releaseLock(lock);
    expect(takeLock(lock)).toBe(pid);
  });

  it('goes to exactly one of many that take over the same stale one, and leaves no other file', async () => {
    writeFileSync(lock, '99999999 1 boot');
    const program =
      `import { takeLock } from ${JSON.stringify(module)};\n` +
      `console.log(takeLock(${JSON.stringify(lock)}) === undefined ? 'mine' : 'refused');\n` +
      // Whoever has it keeps it until all have tried.
      'setInterval(() => {}, 1000);';
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const child = startNode(program);
        const [line] = await once(child.stdout ?? child, 'data');
        return String(line).trim();
      }),
    );
    expect(answers.filter((answer) => answer === 'mine')).toHaveLength(1);
    expect(readdirSync(directory)).toEqual(['lock']);
  }, 20_000);
});
