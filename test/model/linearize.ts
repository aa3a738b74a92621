import * as fc from 'fast-check';

/** One command, its result, and when it began and ended (`performance.now()`). */
export interface Done<Command, Result> {
  command: Command;
  result: Result;
  startedAt: number;
  endedAt: number;
}

/**
 * A reference model. It may be in several states at once, because a crash leaves open how far the work came.
 *
 * `step` returns the states that are possible after a command with this result; none, if the model forbids the result.
 */
export interface Model<State, Command, Result> {
  initial: State;
  step: (state: State, command: Command, result: Result) => State[];
}

/** What two clients did: `before` by one alone, then `left` and `right` at the same time. */
export interface History<Command> {
  before: Command[];
  left: Command[];
  right: Command[];
}

/**
 * Runs a history against the service, and checks that the model explains it: that the results are those of the
 * commands in some order, one after the other, in which a command that ended before another one began comes first.
 *
 * @param run executes a command; undefined: there was nothing to do
 * @returns the states in which the model may be after it
 * @throws Error with all commands and results, if no order explains them
 */
export async function runHistory<State, Command, Result>(
  model: Model<State, Command, Result>,
  history: History<Command>,
  run: (command: Command) => Promise<{ command: Command; result: Result } | undefined>,
): Promise<State[]> {
  const runAll = async (commands: Command[]): Promise<Done<Command, Result>[]> => {
    const done: Done<Command, Result>[] = [];
    for (const planned of commands) {
      const startedAt = performance.now();
      const ran = await run(planned);
      if (ran) done.push({ ...ran, startedAt, endedAt: performance.now() });
    }
    return done;
  };
  const before = await runAll(history.before);
  const [left, right] = await Promise.all([runAll(history.left), runAll(history.right)]);
  const afterFirst = explain(model, [model.initial], before, []);
  const states = explain(model, afterFirst, left, right);
  if (states.length > 0) return states;
  const lines = (name: string, done: Done<Command, Result>[]): string[] =>
    done.map(({ command, result }) => `  ${name}: ${JSON.stringify(command)} -> ${JSON.stringify(result)}`);
  throw new Error(
    [
      'The model does not allow:',
      ...lines('before', before),
      ...lines('left', left),
      ...lines('right', right),
    ].join('\n'),
  );
}

/** The states after all orders of two sequences that keep the order of each, and the order in time. */
export function explain<State, Command, Result>(
  model: Model<State, Command, Result>,
  states: State[],
  left: Done<Command, Result>[],
  right: Done<Command, Result>[],
): State[] {
  if (states.length === 0) return [];
  const [first, ...otherLeft] = left;
  const [second, ...otherRight] = right;
  const after = ({ command, result }: Done<Command, Result>): State[] =>
    distinct(states.flatMap((state) => model.step(state, command, result)));
  const found: State[] = first || second ? [] : states;
  if (first && !(second && second.endedAt < first.startedAt))
    found.push(...explain(model, after(first), otherLeft, right));
  if (second && !(first && first.endedAt < second.startedAt))
    found.push(...explain(model, after(second), left, otherRight));
  return distinct(found);
}

function distinct<State>(states: State[]): State[] {
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()];
}

/** Histories of up to `longest` commands one after the other, and of up to three at a time by each of two clients. */
export function histories<Command>(
  command: fc.Arbitrary<Command>,
  { longest, isParallel }: { longest: number; isParallel: boolean },
): fc.Arbitrary<History<Command>> {
  const side: fc.Arbitrary<Command[]> = isParallel
    ? fc.array(command, { minLength: 1, maxLength: 3 })
    : fc.constant<Command[]>([]);
  return fc.record({
    before: fc.array(command, { minLength: 1, maxLength: longest }),
    left: side,
    right: side,
  });
}

/**
 * Checks a number of histories. A failure names the seed and the path; MODEL_SEED and MODEL_PATH repeat it, and
 * MODEL_RUNS changes the number of histories.
 */
export async function checkHistories<Lived>(
  arbitrary: fc.Arbitrary<Lived>,
  runs: number,
  check: (history: Lived) => Promise<void>,
): Promise<void> {
  const { MODEL_SEED: seed, MODEL_PATH: path, MODEL_RUNS: wanted } = process.env;
  const run = fc.asyncProperty(arbitrary, check);
  const details = await fc.check(run, {
    numRuns: Number(wanted ?? runs),
    ...(seed !== undefined && { seed: Number(seed) }),
    ...(path !== undefined && { path }),
    // So long may a failure be made smaller.
    interruptAfterTimeLimit: 240_000,
  });
  if (!details.failed) return;
  throw new Error(
    [
      fc.stringify(details.counterexample),
      String(details.errorInstance),
      `Again: MODEL_SEED=${details.seed} MODEL_PATH=${details.counterexamplePath}, after ${details.numRuns} histories`,
    ].join('\n'),
  );
}
