import { writeSync } from 'node:fs';
import { createContext } from './context.ts';
import { commands } from './commands.ts';
import { Interrupted, reportOf, UsageError } from './errors.ts';
import { createOutput, jsonLine, type Output } from './output.ts';
import { parseArguments, type Invocation } from './parse-arguments.ts';
import { helpOfAll, helpOfCommand } from './print-help.ts';
import { version } from './version.ts';

/** How long a command may take to end after a signal. */
const endGraceMs = 3_000;

// The reader of a pipe may have had enough: `sms messages list | head -1` is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', endAtWriteError);
}

const exitCode = await main(process.argv.slice(2));
// What was written to a pipe may not have left the process yet.
process.stdout.write('', (error) => (error ? endAtWriteError(error) : process.exit(exitCode)));

/** A file that lacks its end, because the disk is full, must not look like a success. */
function endAtWriteError(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0);
  writeSync(2, `sms: The output cannot be written: ${error.message}.\n`);
  process.exit(1);
}

async function main(argv: string[]): Promise<number> {
  const end = argv.indexOf('--');
  const isJson = (end < 0 ? argv : argv.slice(0, end)).includes('--json');
  const output = createOutput(process, isJson, process.env);
  try {
    if (argv[0] === '--version') return printVersion(output);
    const request = parseArguments(commands, argv);
    if ('help' in request) {
      const { help } = request;
      const lines = typeof help === 'string' ? helpOfAll(commands, help) : helpOfCommand(help);
      output.result({ help: lines.join('\n') }, () => lines);
      return 0;
    }
    return await run(request, output);
  } catch (error) {
    return report(error, output, argv);
  }
}

async function run({ command, globals, options, args }: Invocation, output: Output): Promise<number> {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      controller.abort(new Interrupted(signal));
      setTimeout(() => process.exit(new Interrupted(signal).exitCode), endGraceMs).unref();
    });
  }
  const context = createContext({
    output,
    environment: process.env,
    signal: controller.signal,
    profileName: globals.profile,
    organizationId: globals.organization,
  });
  try {
    return (await command.run(context, { options, args })) === false ? 1 : 0;
  } catch (error) {
    if (command.isEndless && error instanceof Interrupted) return 0;
    throw error;
  }
}

function report(error: unknown, output: Output, argv: readonly string[]): number {
  if (error instanceof Interrupted) return error.exitCode;
  const problem = reportOf(error);
  if (output.isJson) {
    output.error(jsonLine(problem));
    return problem.exitCode;
  }
  `sms: ${problem.detail}`.split('\n').forEach((line) => output.error(line));
  problem.errors?.forEach(({ path, message }) => output.error(`  ${path} ${message}`));
  if (problem.status !== undefined) {
    output.error(
      `  (${problem.code}${problem.requestId === undefined ? '' : `, request ${problem.requestId}`})`,
    );
    if (problem.type !== 'about:blank') output.error(`  ${problem.type}`);
  }
  if (error instanceof UsageError) {
    const words = argv.filter((word) => /^[a-z]+$/.test(word)).slice(0, 2);
    const known = commands.find(({ name }) => name === words.join(' ') || name === words[0]);
    output.error(
      known === undefined
        ? '  `sms --help` lists the commands.'
        : `  \`sms ${known.name} --help\` explains it.`,
    );
  }
  return problem.exitCode;
}

function printVersion(output: Output): number {
  output.result({ version }, () => [version]);
  return 0;
}
