import {
  BadConfiguration,
  keepRunning,
  type KeepRunningOptions,
} from '../../scripts/embedded/keep-running.ts';
import type { ProcessExit } from '../../scripts/embedded/managed-process.ts';
import { waitUntil } from './wait.ts';

/** A part whose ends the test decides. */
function createPart(failures: Error[] = []) {
  const ends: ((exit: ProcessExit) => void)[] = [];
  const given: string[] = [];
  const state = { starts: 0, isStopping: false };
  const options: KeepRunningOptions = {
    name: 'part',
    start: async () => {
      state.starts++;
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return { exited: new Promise((resolve) => ends.push(resolve)) };
    },
    isStopping: () => state.isStopping,
    markFailed: (reason) => given.push(reason),
    log: () => undefined,
  };
  return { options, state, given, end: (exit: ProcessExit) => ends.shift()?.(exit) };
}

const killed: ProcessExit = { code: null, signal: 'SIGKILL' };

describe('a part that is kept running', () => {
  it('is started again each time it ends by itself', async () => {
    const part = createPart();
    await keepRunning(part.options);
    for (const starts of [2, 3]) {
      part.end(killed);
      await waitUntil(() => part.state.starts === starts);
    }
    expect(part.given).toEqual([]);
    part.state.isStopping = true;
    part.end(killed);
  });

  it('is started again when a later start fails', async () => {
    const part = createPart();
    const failures = [new Error('the port is still taken')];
    const { start } = part.options;
    await keepRunning({ ...part.options, start: async () => (part.state.starts === 1 ? fail() : start()) });
    part.end(killed);
    await waitUntil(() => part.state.starts === 3);
    expect(part.given).toEqual([]);
    part.state.isStopping = true;
    part.end(killed);

    async function fail(): Promise<never> {
      part.state.starts++;
      throw failures[0] ?? new Error();
    }
  });

  it('is not started again once everything stops', async () => {
    const part = createPart();
    await keepRunning(part.options);
    part.state.isStopping = true;
    part.end(killed);
    await new Promise(setImmediate);
    expect(part.state.starts).toBe(1);
  });

  it('that ends with EX_CONFIG is given up', async () => {
    const part = createPart();
    await keepRunning(part.options);
    part.end({ code: 78, signal: null });
    await waitUntil(() => part.given.length === 1);
    expect(part.state.starts).toBe(1);
  });

  it('gets three attempts to become ready for the first time', async () => {
    const part = createPart([new Error('one'), new Error('two'), new Error('three')]);
    await expect(keepRunning(part.options)).rejects.toThrow('three');
    expect(part.state.starts).toBe(3);
  });

  it('gets one attempt when it refuses its configuration', async () => {
    const part = createPart([new BadConfiguration('no')]);
    await expect(keepRunning(part.options)).rejects.toThrow('no');
    expect(part.state.starts).toBe(1);
  });
});
