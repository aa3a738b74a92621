import { pino } from 'pino';
import { startSweep, type SweepStep } from '../../src/dispatches/sweep.ts';
import { logOptions } from '../../src/log.ts';
import { until } from '../helpers/until.ts';

interface Line {
  step: string;
  err: { message: string };
}

/** Runs a sweep until a condition holds, and returns what it has logged. */
async function sweepUntil(condition: () => boolean, steps: SweepStep[]): Promise<Line[]> {
  const lines: Line[] = [];
  const log = pino(logOptions, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  const sweep = startSweep(log, steps);
  await until('the steps', condition);
  await sweep.stop();
  return lines;
}

test('a step that always fails keeps no later step from running, and each failing step is named in the log', async () => {
  let rounds = 0;
  const lines = await sweepUntil(
    () => rounds === 2,
    [
      { name: 'first', run: () => Promise.reject(new Error('one')) },
      { name: 'second', run: () => Promise.resolve() },
      { name: 'third', run: () => Promise.reject(new Error('three')) },
      { name: 'last', run: async () => void (rounds += 1) },
    ],
  );
  expect(lines).toMatchObject([
    { step: 'first', err: { message: 'one' } },
    { step: 'third', err: { message: 'three' } },
  ]);
});

test('a failure is logged again only after the step has succeeded', async () => {
  const fails = [true, true, false, true];
  let rounds = 0;
  const lines = await sweepUntil(
    () => rounds === fails.length,
    [
      {
        name: 'unsteady',
        run: () => (fails[rounds] ? Promise.reject(new Error(`round ${rounds}`)) : Promise.resolve()),
      },
      { name: 'last', run: async () => void (rounds += 1) },
    ],
  );
  expect(lines.map(({ err }) => err.message)).toEqual(['round 0', 'round 3']);
});

test('no step begins after the sweep is stopped', async () => {
  const begun: string[] = [];
  let end = (): void => undefined;
  const sweep = startSweep(pino({ level: 'silent' }), [
    { name: 'first', run: () => (begun.push('first'), new Promise((resolve) => (end = resolve))) },
    { name: 'second', run: async () => void begun.push('second') },
  ]);
  const stopped = sweep.stop();
  end();
  await stopped;
  expect(begun).toEqual(['first']);
});
