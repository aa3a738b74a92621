import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fillCache, findProgram, type Progress } from '../embedded/cache.ts';
import { runProcess } from '../embedded/managed-process.ts';
import type { Caller } from './callers.ts';
import { readEvents, type FuzzReport } from './read-events.ts';

const requirements = new URL('requirements.txt', import.meta.url);
const installSeconds = 300;

/** What a response must keep. The other checks of Schemathesis judge requests, and do not know the three encodings. */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/**
 * Installs the pinned Schemathesis into a virtual environment in the cache, once.
 *
 * @returns its Python; undefined where Python or pip is missing, or cannot install it
 */
export async function installSchemathesis(
  cacheDir: string,
  progress: Progress,
): Promise<{ python: string } | { missing: string }> {
  const system = findProgram('python3', []);
  if (system === undefined) return { missing: 'python3 is not on the PATH' };
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const run = async (command: string, ...args: string[]): Promise<void> => {
    const { code, tail } = await runProcess({
      name: 'pip',
      command,
      arguments: args,
      environment: { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: '1' },
      timeoutSeconds: installSeconds,
    });
    if (code !== 0) throw new Error(`${args.slice(0, 4).join(' ')}: ${tail.split('\n').at(-1) ?? ''}`);
  };
  try {
    const directory = await fillCache(cacheDir, `schemathesis-${version}`, progress, async (draft) => {
      progress('Installing Schemathesis, once.');
      await run(system, '-m', 'venv', draft);
      await run(join(draft, 'bin/python'), '-m', 'pip', 'install', '--quiet', '-r', requirements.pathname);
    });
    return { python: join(directory, 'bin/python') };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Sends generated requests as one caller.
 *
 * @param options.examples generated requests of each operation, besides the examples and the limits of the contract
 * @param options.seconds after this time it sends no more
 * @param options.directory receives the contract, the events and the output
 */
export async function runSchemathesis(options: {
  python: string;
  caller: Caller;
  document: object;
  baseUrl: string;
  seed: number;
  examples: number;
  seconds: number;
  directory: string;
}): Promise<FuzzReport> {
  const { caller, directory, seconds } = options;
  const file = (ending: string): string => join(directory, `${caller.name.replace(' ', '-')}.${ending}`);
  writeFileSync(file('contract.json'), JSON.stringify(options.document));
  const output: string[] = [];
  const { code } = await runProcess({
    name: `Schemathesis, ${caller.name}`,
    command: options.python,
    // The module, because the commands in a virtual environment name the directory in which it was made.
    arguments: [
      ...['-m', 'schemathesis.cli', 'run', file('contract.json'), '--url', options.baseUrl],
      ...['--phases', 'examples,coverage,fuzzing', '--max-examples', String(options.examples)],
      ...['--seed', String(options.seed), '--max-time', String(seconds), '--workers', '1'],
      ...['--checks', checks.join(','), '--continue-on-failure', '--warnings', 'off', '--no-color'],
      ...['--generation-database', 'none', '--generation-with-security-parameters', 'false'],
      ...['--request-timeout', '30', '--max-redirects', '0', '--output-sanitize', 'false'],
      ...['--report', 'ndjson', '--report-ndjson-path', file('ndjson')],
      ...Object.entries(caller.headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ],
    workingDirectory: directory,
    environment: { ...process.env, HYPOTHESIS_STORAGE_DIRECTORY: join(directory, 'hypothesis') },
    timeoutSeconds: seconds + 60,
    onLine: (line) => output.push(line),
  });
  writeFileSync(file('log'), `${output.join('\n')}\nexit code ${code}\n`);
  const report = readEvents(existsSync(file('ndjson')) ? readFileSync(file('ndjson'), 'utf8') : '');
  // Schemathesis ends with 1 after findings, and with something else when it fails itself.
  if (!report.isComplete)
    report.toolErrors.push(`It ended with ${code}: ${output.filter(Boolean).slice(-3).join(' ')}`);
  return report;
}
