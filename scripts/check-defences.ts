/**
 * npm run check-defences [-- NAME…]: shows that the tests notice a missing defence. For each row of `defences.ts` it
 * takes the defence out of a temporary copy of the tracked files, runs the test of the row there, and expects it to
 * fail; then it puts the defence back. Before that, every test runs once with all defences in place, and must pass.
 * It takes about ten seconds a row, so CI does not run it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defences, type Defence } from './defences.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Copies what git tracks or would track; what is installed and built is shared by links. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'sms-defences-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\0');
  for (const file of files) {
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(copy, file));
  }
  for (const shared of ['node_modules', '.cache']) {
    if (existsSync(join(root, shared))) symlinkSync(join(root, shared), join(copy, shared));
  }
  return copy;
}

/** Runs test files in the copy. Returns whether Jest passed, and whether tests have failed rather than not run. */
async function runTests(
  copy: string,
  files: string[],
  name?: string,
): Promise<{ passed: boolean; failedTests: number; output: string }> {
  const report = join(copy, 'result.json');
  rmSync(report, { force: true });
  const jest = [
    'node_modules/jest/bin/jest.js',
    ...files,
    ...(name === undefined ? [] : ['-t', name]),
    ...['--json', `--outputFile=${report}`],
  ];
  const binaries = join(root, 'node_modules', 'node', 'bin');
  const child = spawn(process.execPath, jest, {
    cwd: copy,
    env: { ...process.env, PATH: `${binaries}:${process.env['PATH'] ?? ''}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const counts = existsSync(report)
    ? (JSON.parse(readFileSync(report, 'utf8')) as { numFailedTests: number })
    : { numFailedTests: 0 };
  return { passed: code === 0, failedTests: counts.numFailedTests, output };
}

/** Returns the file without the defence. @throws Error if the place is not found, or not exactly once */
function withoutDefence(text: string, { name, removal }: Defence): string {
  const parts = text.split(removal.from);
  if (parts.length !== 2) {
    throw new Error(
      `${name}: ${removal.file} has its place ${parts.length - 1} times; correct scripts/defences.ts.`,
    );
  }
  return parts.join(removal.to);
}

async function main(): Promise<void> {
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !defences.some((defence) => defence.name === name));
  if (unknown.length > 0) throw new Error(`There is no defence named ${unknown.join(', ')}.`);
  const chosen = defences.filter(({ name }) => named.length === 0 || named.includes(name));
  const copy = copyTree();
  const unnoticed: string[] = [];
  try {
    const changed = chosen.map((defence) => {
      const path = join(copy, defence.removal.file);
      const original = readFileSync(path, 'utf8');
      return { defence, path, original, without: withoutDefence(original, defence) };
    });
    const files = [...new Set(chosen.map(({ test }) => test.file))];
    const before = await runTests(copy, files);
    if (!before.passed) throw new Error(`With all defences the tests fail:\n${before.output.slice(-4000)}`);
    process.stdout.write(`With all defences, ${files.length} test files pass.\n`);
    for (const { defence, path, original, without } of changed) {
      writeFileSync(path, without);
      const { passed, failedTests, output } = await runTests(copy, [defence.test.file], defence.test.name);
      writeFileSync(path, original);
      // A file that cannot be loaded fails too, but shows nothing.
      const isNoticed = !passed && failedTests > 0;
      if (!isNoticed) unnoticed.push(defence.name);
      process.stdout.write(
        isNoticed
          ? `${defence.name}: ${failedTests} failed in ${defence.test.file}\n`
          : `${defence.name}: NOT NOTICED by ${defence.test.file}\n${passed ? '' : output.slice(-2000)}\n`,
      );
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  process.stdout.write(`${chosen.length - unnoticed.length} of ${chosen.length} defences are noticed.\n`);
  if (unnoticed.length > 0) process.exitCode = 1;
}

await main();
