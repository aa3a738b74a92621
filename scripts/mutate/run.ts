/**
 * npm run mutate [-- WORD]: changes the pure rules in each way that Stryker knows, one at a time, and runs their tests. A
 * change that no test notices survives, and is printed. With WORD only the rules whose path has it.
 *
 * Stryker's own runner starts Jest with its transforms, which this project does not have; its instrumenter is used alone.
 * The exit code is 1 if less than 90 % of the changes are noticed.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createInstrumenter } from '@stryker-mutator/instrumenter';
import { rules, type Rule } from './rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sandbox = join(root, '.cache', 'mutate');
const program = fileURLToPath(new URL('run-tests.ts', import.meta.url));
const wantedPercent = 90;
/** A change with which the tests take several times as long as without it counts as one that never ends: noticed. */
const patience = 3;
const shortestLimitMs = 10_000;
/** Tests without a change take a minute at most, also on a machine that is busy. */
const firstLimitMs = 120_000;
const copied = [
  'src',
  'test',
  'workflows',
  'activities',
  'client/src',
  'openapi',
  'openapi.yaml',
  'package.json',
];

interface Mutant {
  id: string;
  mutatorName: string;
  replacement: string;
  location: { start: { line: number } };
}

type Fate = 'noticed' | 'survived' | 'not reached';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

rmSync(sandbox, { recursive: true, force: true });
mkdirSync(sandbox, { recursive: true });
for (const part of copied) cpSync(join(root, part), join(sandbox, part), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(sandbox, 'node_modules'));

const totals = { noticed: 0, all: 0 };
for (const rule of rules.filter(({ source }) => source.includes(process.argv[2] ?? ''))) {
  const { noticed, all } = await mutate(rule);
  totals.noticed += noticed;
  totals.all += all;
}
const percent = (100 * totals.noticed) / totals.all;
say(`\n${totals.noticed} of ${totals.all} changes are noticed: ${percent.toFixed(1)} %`);
process.exit(percent < wantedPercent ? 1 : 0);

/** Changes one rule in every way, and prints what no test notices. */
async function mutate(rule: Rule): Promise<{ noticed: number; all: number }> {
  const original = readFileSync(join(root, rule.source), 'utf8');
  const mutants = await instrument(rule.source, original);
  const fates = await judge(mutants, rule);
  writeFileSync(join(sandbox, rule.source), original);
  const noticed = mutants.filter(({ id }) => fates.get(id) === 'noticed').length;
  say(`${rule.source}: ${noticed} of ${mutants.length}`);
  for (const mutant of mutants) {
    const fate = fates.get(mutant.id);
    if (fate === 'noticed') continue;
    const { line } = mutant.location.start;
    say(`  ${fate}, line ${line + 1}, ${mutant.mutatorName}: ${original.split('\n')[line]?.trim()}`);
    say(`      became ${mutant.replacement.replaceAll(/\s+/g, ' ').slice(0, 120)}`);
  }
  return { noticed, all: mutants.length };
}

/** Writes the rule into the sandbox with all of its mutants, of which one is switched on at a time. */
async function instrument(source: string, content: string): Promise<Mutant[]> {
  const quiet = (): void => undefined;
  const never = (): boolean => false;
  const log = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, fatal: quiet };
  const enabled = { isTraceEnabled: never, isDebugEnabled: never, isInfoEnabled: never };
  const logger = { ...log, ...enabled, isWarnEnabled: never, isErrorEnabled: never, isFatalEnabled: never };
  const values: Record<string, unknown> = { logger };
  const injector = {
    resolve: (token: string) => values[token],
    provideFactory: (token: string, factory: () => unknown) => {
      values[token] = factory();
      return injector;
    },
    provideValue: (token: string, value: unknown) => {
      values[token] = value;
      return injector;
    },
    injectClass: (Class: new (...given: unknown[]) => unknown) => {
      const { inject = [] } = Class as unknown as { inject?: string[] };
      return new Class(...inject.map((token) => values[token]));
    },
  };
  const instrumenter = createInstrumenter(injector as never);
  const { files, mutants } = await instrumenter.instrument(
    [{ name: join(sandbox, source), content, mutate: true }],
    { excludedMutations: [], ignorers: [], plugins: null },
  );
  writeFileSync(join(sandbox, source), files[0]!.content);
  return [...mutants];
}

async function judge(mutants: Mutant[], rule: Rule): Promise<Map<string, Fate>> {
  const files = rule.tests.map((test) => join(sandbox, test));
  const fates = new Map<string, Fate>(mutants.map(({ id }) => [id, 'not reached']));
  let statics: string[] = [];
  let limitMs = shortestLimitMs;
  let from: number | null = 0;
  while (from !== null) {
    let current: string | null = null;
    const startedAtMs = performance.now();
    const onLine = (line: string): void => {
      const { start, begins, id, failure } = JSON.parse(line) as Line;
      if (start?.failure)
        throw new Error(`Without a change, ${rule.tests.join(', ')} fails: ${start.failure}`);
      if (start) {
        ({ statics } = start);
        limitMs = Math.max(shortestLimitMs, patience * (performance.now() - startedAtMs));
      }
      if (begins !== undefined) current = begins;
      if (id !== undefined) fates.set(id, failure === null ? 'survived' : 'noticed');
    };
    const given = ['all', String(from), ...files];
    const getLimitMs = (): number => (current === null ? firstLimitMs : limitMs);
    const { isWhole, errors } = await run({ given, getLimitMs, onLine });
    if (!isWhole && current === null) throw new Error(`The tests of ${rule.source} cannot be run. ${errors}`);
    // It did not end, or ended the process: noticed. The next process goes on behind it.
    if (!isWhole) fates.set(current!, 'noticed');
    from = isWhole ? null : Number(current) + 1;
  }
  for (const id of statics) {
    const environment = { __STRYKER_ACTIVE_MUTANT__: id };
    const { isWhole } = await run({ given: files, environment, getLimitMs: () => limitMs });
    fates.set(id, isWhole ? 'survived' : 'noticed');
  }
  return fates;
}

interface Line {
  start?: { failure: string | null; statics: string[]; reached: string[] };
  begins?: string;
  id?: string;
  failure?: string | null;
}

/**
 * Runs the tests in a process of their own, which is ended when it writes no line for the limit, in milliseconds. Returns
 * whether it ended with 0, and the last it wrote to stderr.
 */
function run(wanted: {
  given: string[];
  environment?: Record<string, string>;
  getLimitMs: () => number;
  onLine?: (line: string) => void;
}): Promise<{ isWhole: boolean; errors: string }> {
  const { given, environment, getLimitMs, onLine } = wanted;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...given], {
      cwd: sandbox,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (text: Buffer) => (errors = `${errors}${String(text)}`.slice(-2000)));
    let timer = setTimeout(() => child.kill('SIGKILL'), getLimitMs());
    createInterface({ input: child.stdout }).on('line', (line) => {
      clearTimeout(timer);
      try {
        onLine?.(line);
        timer = setTimeout(() => child.kill('SIGKILL'), getLimitMs());
      } catch (error) {
        child.kill('SIGKILL');
        reject(error);
      }
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ isWhole: code === 0, errors });
    });
  });
}
