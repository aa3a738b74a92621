import { globalOptions, type Command, type OptionSpec } from '../command.ts';

/** What can follow some words of a command line. */
export interface Entry {
  /** The words after `sms`; empty for the beginning. */
  words: string;
  /** The words that can follow, with their meaning: subcommands, or the choices of the first argument. */
  next: { word: string; meaning: string }[];
  options: { name: string; spec: OptionSpec }[];
  isFile: boolean;
}

/** Returns an entry for the beginning, for each group of commands, and for each command. */
export function entriesOf(commands: readonly Command[]): Entry[] {
  const groups = [
    ...new Set(commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0]!] : []))),
  ];
  const top = [
    ...groups.map((group) => ({ word: group, meaning: meaningOf(commands, group) })),
    ...commands.flatMap(({ name, summary }) =>
      name.includes(' ') ? [] : [{ word: name, meaning: summary }],
    ),
  ];
  return [
    { words: '', next: top, options: optionsOf({}), isFile: false },
    ...groups.map((group) => ({
      words: group,
      next: commands.flatMap(({ name, summary }) =>
        name.startsWith(`${group} `) ? [{ word: name.slice(group.length + 1), meaning: summary }] : [],
      ),
      options: optionsOf({}),
      isFile: false,
    })),
    ...commands.map((command) => ({
      words: command.name,
      next: (command.arguments[0]?.choices ?? []).map((word) => ({
        word,
        meaning: command.arguments[0]!.name,
      })),
      options: optionsOf(command.options),
      isFile: command.arguments.some(({ isFile }) => isFile),
    })),
  ];
}

function optionsOf(options: Command['options']): Entry['options'] {
  return Object.entries({ ...options, ...globalOptions }).map(([name, spec]) => ({ name, spec }));
}

function meaningOf(commands: readonly Command[], group: string): string {
  const words = commands.flatMap(({ name }) =>
    name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : [],
  );
  return words.join(', ');
}
