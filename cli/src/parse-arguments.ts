import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import {
  globalOptions,
  type Command,
  type OptionSpec,
  type OptionSpecs,
  type OptionValues,
} from './command.ts';
import { UsageError } from './errors.ts';

/** A command as it was given. */
export interface Invocation {
  command: Command;
  options: OptionValues<OptionSpecs>;
  globals: OptionValues<typeof globalOptions>;
  args: string[];
}

/** The help that was asked for: of a command, or of all commands whose names begin with some words. */
export interface HelpRequest {
  help: Command | string;
}

/**
 * Finds the command and reads its arguments and options.
 *
 * @throws UsageError that says what is wrong
 */
export function parseArguments(
  commands: readonly Command[],
  argv: readonly string[],
): Invocation | HelpRequest {
  const { words, indexes } = leadingWords(argv);
  const command = findCommand(commands, words);
  if (command === undefined) return helpOrError(commands, argv, words);
  const isNameWord = new Set(indexes.slice(0, command.name.split(' ').length));
  const rest = argv.filter((_, index) => !isNameWord.has(index));
  const { values, positionals } = parse(command, rest);
  const globals = pick(globalOptions, values) as Invocation['globals'];
  if (globals.help) return { help: command };
  checkArguments(command, positionals);
  return { command, globals, options: pick(command.options, values), args: positionals };
}

/** The words before the first option that takes no part in finding the command. */
function leadingWords(argv: readonly string[]): { words: string[]; indexes: number[] } {
  const indexes: number[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index]!;
    if (word === '--') break;
    // These two take a value, which is no word of the command.
    if (word === '--profile' || word === '--organization') index += 1;
    else if (!word.startsWith('-')) indexes.push(index);
  }
  return { indexes, words: indexes.map((index) => argv[index]!) };
}

function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  return [2, 1]
    .map((count) => words.slice(0, count).join(' '))
    .map((name) => commands.find((command) => command.name === name))
    .find((command) => command !== undefined);
}

function helpOrError(
  commands: readonly Command[],
  argv: readonly string[],
  words: readonly string[],
): HelpRequest {
  const isHelp = words[0] === 'help';
  const [first, second] = isHelp ? words.slice(1) : words;
  const wantsHelp = isHelp || argv.includes('--help') || argv.includes('-h');
  if (first === undefined) {
    const unknown = argv.find((word) => !['--help', '-h', '--json', 'help'].includes(word));
    if (unknown !== undefined) throw new UsageError(`Unknown option ${unknown}.`);
    return { help: '' };
  }
  const named = findCommand(commands, words.slice(1));
  if (isHelp && named !== undefined) return { help: named };
  const subcommands = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (subcommands.length === 0) throw new UsageError(`There is no command ${first}.`);
  if (second === undefined || wantsHelp) {
    if (wantsHelp) return { help: first };
    throw new UsageError(
      `${first} needs one of: ${subcommands.map(({ name }) => name.slice(first.length + 1)).join(', ')}.`,
    );
  }
  throw new UsageError(`There is no command ${first} ${second}.`);
}

type ParsedValue = string | boolean | (string | boolean)[] | undefined;

type Parsed = { values: Record<string, ParsedValue>; positionals: string[] };

function parse(command: Command, args: string[]): Parsed {
  const specs: OptionSpecs = { ...command.options, ...globalOptions };
  const options: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(specs).map(([name, { type, short, multiple }]) => [
      name,
      {
        type: type === 'boolean' ? ('boolean' as const) : ('string' as const),
        ...(short !== undefined && { short }),
        ...(multiple && { multiple }),
      },
    ]),
  );
  let parsed: Parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(explain(error as Error & { code?: string }));
  }
  if (parsed.values['help'] === true) return parsed;
  const values = Object.entries(specs).map(([name, spec]) => [
    name,
    valueOf(name, spec, parsed.values[name]),
  ]);
  return { values: Object.fromEntries(values) as Parsed['values'], positionals: parsed.positionals };
}

/** Node explains its errors at length, in terms of `parseArgs`. */
function explain({ code, message }: Error & { code?: string }): string {
  const [, option] = /'(-[^' ]*)/.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    return `Unknown option ${option}. Put -- before arguments that begin with a dash.`;
  }
  if (message.includes('ambiguous'))
    return `${option} needs a value. One that begins with a dash: ${option}=-….`;
  if (message.includes('argument missing')) return `${option} needs a value.`;
  return message.split('\n')[0]!;
}

function valueOf(name: string, spec: OptionSpec, given: ParsedValue): unknown {
  if (given === undefined) {
    if (spec.isRequired) throw new UsageError(`--${name} is required.`);
    if (spec.type === 'boolean') return false;
    return spec.multiple ? [] : undefined;
  }
  for (const value of Array.isArray(given) ? given : [given]) {
    if (spec.choices !== undefined && !spec.choices.includes(String(value))) {
      throw new UsageError(`--${name} must be one of ${spec.choices.join(', ')}, not ${String(value)}.`);
    }
  }
  if (spec.type !== 'integer') return given;
  if (!/^[1-9]\d{0,8}$/.test(String(given))) {
    throw new UsageError(`--${name} must be a whole number from 1, not ${String(given)}.`);
  }
  return Number(given);
}

function checkArguments(command: Command, given: readonly string[]): void {
  command.arguments.forEach(({ name, isOptional, choices }, index) => {
    const value = given[index];
    if (value === undefined && !isOptional) throw new UsageError(`${name} is missing.`);
    if (value === '') throw new UsageError(`${name} is empty.`);
    if (value !== undefined && choices !== undefined && !choices.includes(value)) {
      throw new UsageError(`${name} must be one of ${choices.join(', ')}, not ${value}.`);
    }
  });
  const hasRest = command.arguments.at(-1)?.isRest === true;
  const superfluous = given[command.arguments.length];
  if (superfluous !== undefined && !hasRest) {
    throw new UsageError(`Unexpected argument ${superfluous}. A text with spaces needs quotes: 'like this'.`);
  }
}

function pick(specs: OptionSpecs, values: Record<string, unknown>): OptionValues<OptionSpecs> {
  return Object.fromEntries(
    Object.keys(specs).map((name) => [name, values[name]]),
  ) as OptionValues<OptionSpecs>;
}
