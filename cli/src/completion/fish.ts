import type { Command } from '../command.ts';
import { entriesOf, type Entry } from './entries.ts';

/** Returns the script that completes `sms` in fish. */
export function fishCompletion(commands: readonly Command[]): string {
  const entries = entriesOf(commands);
  const known = entries.filter(({ words }) => words !== '').map(({ words }) => quote(words));
  return `# Completion of sms for fish.
function __sms_command
  set -l command
  for word in (commandline -opc)[2..]
    if contains -- (string join ' ' -- $command $word) ${known.join(' ')}
      set -a command $word
    end
  end
  string join ' ' -- $command
end
complete -c sms -f
${entries.flatMap(linesOf).join('\n')}`;
}

function linesOf({ words, next, options, isFile }: Entry): string[] {
  const condition = `-n ${quote(`test (__sms_command | string collect --allow-empty) = "${words}"`)}`;
  return [
    ...next.map(({ word, meaning }) => `complete -c sms ${condition} -a ${word} -d ${quote(meaning)}`),
    ...options.map(({ name, spec: { type, choices, isFile: takesFile, short, description } }) =>
      [
        `complete -c sms ${condition} -l ${name}`,
        ...(short === undefined ? [] : [`-s ${short}`]),
        ...(type === 'boolean' ? [] : ['-r']),
        ...(choices === undefined ? [] : [`-a ${quote(choices.join(' '))}`]),
        ...(takesFile ? ['-F'] : []),
        `-d ${quote(description)}`,
      ].join(' '),
    ),
    ...(isFile ? [`complete -c sms ${condition} -F`] : []),
  ];
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
