import { globalOptions, type ArgumentSpec, type Command, type OptionSpecs } from './command.ts';
import { exitCodes } from './exit-codes.ts';

/** Lines are readable in a terminal of the usual width. */
const lineWidth = 100;

/** Returns the help of one command. */
export function helpOfCommand(command: Command): string[] {
  const { name, summary, description = [], examples, options } = command;
  const words = command.arguments.map(inUsage).join(' ');
  return [
    summary,
    '',
    'Usage:',
    `  sms ${name}${words === '' ? '' : ` ${words}`} [options]`,
    ...description.flatMap((paragraph) => ['', ...wrap(paragraph)]),
    ...section(
      'Arguments',
      command.arguments.map((one) => [one.name, one.description]),
    ),
    ...section('Options', rowsOf(options)),
    ...section('Options of every command', rowsOf(globalOptions)),
    '',
    examples.length === 1 ? 'Example:' : 'Examples:',
    ...examples.map((example) => `  ${example}`),
  ];
}

/** Returns the help of all commands whose names begin with a word; of all commands if the word is empty. */
export function helpOfAll(commands: readonly Command[], first: string): string[] {
  const shown = commands.filter(({ name }) => first === '' || name.startsWith(`${first} `));
  return [
    ...(first === '' ? ['The command line of the SMS service.', ''] : []),
    'Usage:',
    `  sms ${first === '' ? 'COMMAND' : `${first} COMMAND`} [arguments] [options]`,
    ...section(
      'Commands',
      shown.map(({ name, summary }) => [name, summary]),
    ),
    ...section('Options of every command', rowsOf(globalOptions)),
    ...(first === '' ? [...section('Environment', environmentRows), ...section('Exit codes', exitRows)] : []),
    '',
    'Example:',
    `  ${shown[0]!.examples[0]}`,
    '',
    '`sms help COMMAND` explains a command.',
  ];
}

/** The variables that the command line reads. */
const environmentRows = [
  ['SMS_BASE_URL', 'Where the service is. Default: the profile, else http://127.0.0.1:3000.'],
  ['SMS_API_KEY', 'The API key, in place of the profile.'],
  ['SMS_TOKEN', 'The token of a session, in place of the profile.'],
  ['SMS_ORGANIZATION_ID', 'The organization to act for (only with a session).'],
  ['SMS_PROFILE', 'The profile, if --profile is not given.'],
  ['NO_COLOR', 'If set, nothing is coloured. What is not written to a terminal never is.'],
] as const;

const exitRows = Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning] as const);

function inUsage({ name, isOptional, isRest }: ArgumentSpec): string {
  const word = `${name}${isRest ? '…' : ''}`;
  return isOptional ? `[${word}]` : word;
}

function rowsOf(options: OptionSpecs): [string, string][] {
  return Object.entries(options).map(([name, { short, value, description, choices, type }]) => {
    const shown = type === 'boolean' ? '' : ` ${value ?? 'VALUE'}`;
    return [
      `${short === undefined ? '' : `-${short}, `}--${name}${shown}`,
      choices === undefined ? description : `${description} One of ${choices.join(', ')}.`,
    ];
  });
}

function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.flatMap(([name, meaning]) =>
    wrap(meaning, lineWidth - width - 4).map((line, index) =>
      `  ${(index === 0 ? name : '').padEnd(width)}  ${line}`.trimEnd(),
    ),
  );
  return rows.length === 0 ? [] : ['', `${title}:`, ...lines];
}

/** Breaks a paragraph into lines. */
function wrap(paragraph: string, width = lineWidth): string[] {
  const lines = [''];
  for (const word of paragraph.split(' ')) {
    const last = lines.at(-1)!;
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
