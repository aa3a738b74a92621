/**
 * node scripts/mutate/run-tests.ts all FROM TEST…: runs the tests once without a mutant, then once for each mutant from
 * number FROM that they reach, and prints a line of JSON for each. node scripts/mutate/run-tests.ts TEST… runs them once, with
 * the mutant of the environment: for mutants that already act while the rule is loaded.
 *
 * The tests are those of Jest. Jest needs a second to start, and there are a thousand mutants, so this process gives them
 * what they use of it.
 */
import { pathToFileURL } from 'node:url';
import { expect } from 'expect';
import * as fc from 'fast-check';

type Body = (...values: unknown[]) => unknown;
interface Stryker {
  activeMutant?: string;
  currentTestId?: string;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
  hitCount?: number;
  hitLimit?: number;
}

/**
 * How many times as often as without a change a mutant may be reached in one run of all tests: more means that it never
 * ends. A limit that does not follow from the test takes minutes where each turn of a loop computes with time zones.
 */
const hitsWithoutChange = 100;
const leastHitLimit = 10_000;
const tests: (() => unknown)[] = [];
const before: Body[] = [];
const after: Body[] = [];
const each =
  (register: (name: string, body: Body) => void) =>
  (table: readonly unknown[]) =>
  (name: string, body: Body): void =>
    table.forEach((row) => register(name, () => body(...(Array.isArray(row) ? row : [row]))));
const test = (_name: string, body: Body): void => void tests.push(body);
const describe = (_name: string, body: Body): void => void body();
Object.assign(globalThis, {
  ...{ expect, beforeEach: (body: Body) => before.push(body), afterEach: (body: Body) => after.push(body) },
  test: Object.assign(test, { each: each(test) }),
  it: Object.assign(test, { each: each(test) }),
  describe: Object.assign(describe, { each: each(describe) }),
});
// The same histories for every mutant, and no time for making a failure smaller.
fc.configureGlobal({ seed: 1, endOnFailure: true });

const isForAll = process.argv[2] === 'all';
const [from, files] = isForAll
  ? [Number(process.argv[3]), process.argv.slice(4)]
  : [0, process.argv.slice(2)];
for (const file of files) await import(pathToFileURL(file).href);
// Stryker's name for it.
const namespace = '__stryker__';
const stryker = ((globalThis as unknown as Record<string, Stryker | undefined>)[namespace] ??= {});

const failure = await runAll(false);
if (!isForAll) {
  if (failure !== null) process.exit(1);
} else {
  const coverage = stryker.mutantCoverage ?? { static: {}, perTest: {} };
  const hits = coverage.perTest['tests'] ?? {};
  const reached = Object.keys(hits);
  print({ start: { failure, statics: Object.keys(coverage.static), reached } });
  const dynamic = reached.filter((id) => !(id in coverage.static) && Number(id) >= from);
  for (const id of dynamic.toSorted((a, b) => Number(a) - Number(b))) {
    print({ begins: id });
    stryker.activeMutant = id;
    stryker.hitCount = 0;
    stryker.hitLimit = Math.max(leastHitLimit, hitsWithoutChange * hits[id]!);
    print({ id, failure: await runAll(true) });
    stryker.activeMutant = undefined;
  }
}

/** Runs the tests until one fails. Returns why it failed; null: none did. */
async function runAll(isMutant: boolean): Promise<string | null> {
  stryker.currentTestId = isMutant ? undefined : 'tests';
  try {
    for (const one of tests) {
      for (const hook of before) await hook();
      await one();
      for (const hook of after) await hook();
    }
    return null;
  } catch (error) {
    return String(error).slice(0, 2000);
  } finally {
    stryker.currentTestId = undefined;
  }
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
