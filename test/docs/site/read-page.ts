import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { until } from '../../helpers/until.ts';
import { readBlocks, type Block } from './blocks.ts';
import { findDifferences, findMissingLines, pairValues } from './compare-output.ts';
import { notRun } from './not-run.ts';
import type { Output, Terminals } from './shell.ts';

/** Programs that a reader saves under the name in their fence. Pages show how they are run. */
const programs = new Set(['ts', 'js', 'python', 'php', 'java', 'go']);
/** What a page shows, and nobody runs. */
const shown = new Set(['json', 'text', 'mermaid', 'http']);
/** How long a command that only reads is repeated until it returns what the page shows. */
const patienceMs = 20_000;
/** Shorter values that a page shows could be words of a command. */
const shortestValue = 12;

/** What the reader of one page has seen so far. */
interface Reader {
  terminals: Terminals;
  /** Replaces the addresses of the page by those of this test. */
  replaceAddresses: (text: string) => string;
  /** Where the programs of the page listen. */
  programPort: number;
  /** The real values of what the page shows, for instance of ids. */
  values: Map<string, string>;
  /** The output so far of each further terminal. */
  outputs: Map<string, () => string>;
}

/**
 * Does what the reader of a page does: saves each program under its name, runs each `sh` block, and compares the output
 * with the block after it. An `sh` block with a label runs in a terminal of its own.
 *
 * @throws Error that says what the page shows wrongly, or which block nobody can run
 */
export async function readPage(
  page: string,
  setting: Pick<Reader, 'terminals' | 'replaceAddresses' | 'programPort'>,
): Promise<void> {
  const reader: Reader = { ...setting, values: new Map(), outputs: new Map() };
  const blocks = readBlocks(page).filter(
    ({ text }) => !notRun.some((entry) => entry.page === page && text.startsWith(entry.begins)),
  );
  for (const [index, block] of blocks.entries()) {
    try {
      await followBlock(block, blocks[index + 1], reader);
    } catch (error) {
      throw new Error(`${page}:${block.line}: ${(error as Error).message}`, { cause: error });
    }
  }
}

async function followBlock(block: Block, next: Block | undefined, reader: Reader): Promise<void> {
  const { language, label, text } = block;
  if (programs.has(language)) {
    if (label === undefined) throw new Error('A program needs the name of its file, like [receiver.py].');
    writeFileSync(join(reader.terminals.directory, label), reader.replaceAddresses(text));
  } else if (language === 'sh' && label !== undefined) {
    const output = reader.terminals.start(fillIn(text, reader));
    reader.outputs.set(label, output);
    await untilListening(reader.programPort).catch(() => failIfAny(['nothing listens'], output()));
  } else if (language === 'sh') {
    await runBlock(text, next, reader);
  } else if (language === 'text' && label !== undefined) {
    const output = reader.outputs.get(label);
    if (output === undefined) throw new Error(`No block has started ${label}.`);
    await untilNone(() => findMissingLines(text, output()), output);
  } else if (!shown.has(language)) {
    throw new Error(`Nothing runs a block in ${language || 'no language'}: see test/docs/site/not-run.ts.`);
  }
}

/** Runs commands and compares their output with the block after them. Commands that only read are repeated. */
async function runBlock(text: string, next: Block | undefined, reader: Reader): Promise<void> {
  const commands = fillIn(text, reader);
  const expected = next?.label === undefined ? next : undefined;
  let output: Output = { code: 0, stdout: '', stderr: '' };
  const attempt = async (): Promise<string[]> => {
    output = await reader.terminals.run(commands);
    return findFaults(output, text, expected);
  };
  const print = (): string => `${output.stdout}${output.stderr}`;
  if (onlyReads(text)) await untilNone(attempt, print);
  else failIfAny(await attempt(), print());
  if (expected?.language !== 'json') return;
  for (const [before, now] of pairValues(JSON.parse(expected.text), JSON.parse(output.stdout))) {
    if (before.length >= shortestValue) reader.values.set(before, now);
  }
}

function findFaults({ code, stdout, stderr }: Output, text: string, expected: Block | undefined): string[] {
  // curl's exit code for the end of the time that --max-time gives it, for instance to a stream.
  const mayEnd = text.includes('--max-time') ? [0, 28] : [0];
  if (!mayEnd.includes(code)) return [`exit code ${code}: ${stderr}`];
  if (expected?.language === 'text')
    return findMissingLines(expected.text, stdout).map((line) => `no line ${line}`);
  const real = parse(stdout);
  if (expected?.language === 'json') {
    return real === undefined ? ['the output is no JSON'] : findDifferences(JSON.parse(expected.text), real);
  }
  const isProblem = typeof real === 'object' && real !== null && 'requestId' in real && 'detail' in real;
  return isProblem ? ['the response is an error'] : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Each command starts a line with its name, or sets a variable, and further lines of it are indented. */
function onlyReads(text: string): boolean {
  const commands = text.split(/\n(?! )/).filter((command) => command.trim() !== '');
  return commands.every(
    (command) =>
      /^[A-Z_]+=[\w-]+$/.test(command.trim()) ||
      (/^(curl|cat|tail) /.test(command) && !/\s(-d|--data\S*|-X|-F|-T)\s/.test(command)),
  );
}

function fillIn(text: string, { replaceAddresses, values }: Reader): string {
  let filled = replaceAddresses(text);
  for (const [before, now] of values) filled = filled.replaceAll(before, now);
  return filled;
}

async function untilNone(find: () => Promise<string[]> | string[], print: () => string): Promise<void> {
  let faults: string[] = [];
  const isRight = async (): Promise<boolean> => (faults = await find()).length === 0;
  await until('what the page shows', isRight, patienceMs).catch((error: unknown) => {
    failIfAny(faults, print());
    throw error;
  });
}

function failIfAny(faults: string[], output: string): void {
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\n${output}`);
}

/** Waits until a program accepts connections. */
export async function untilListening(port: number, timeoutMs = patienceMs): Promise<void> {
  const isListening = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  await until('a program to listen', isListening, timeoutMs);
}
