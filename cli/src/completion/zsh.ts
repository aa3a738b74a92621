import type { Command } from '../command.ts';
import { entriesOf, type Entry } from './entries.ts';

/** Returns the script that completes `sms` in zsh. */
export function zshCompletion(commands: readonly Command[]): string {
  const entries = entriesOf(commands);
  const known = entries.filter(({ words }) => words !== '').map(({ words }) => quote(words));
  return `#compdef sms
# Completion of sms for zsh.
_sms() {
  local command= word previous=\${words[CURRENT-1]}
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${command:+$command }$word" in
      (${known.join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  case "$command:$previous" in
${entries.flatMap(optionValues).join('\n')}
  esac
  case "$command" in
${entries.map(entryCase).join('\n')}
  esac
}
compdef _sms sms`;
}

function optionValues({ words, options }: Entry): string[] {
  return options.flatMap(({ name, spec: { type, choices = [], isFile, short } }) => {
    if (type === 'boolean') return [];
    const patterns = [
      quote(`${words}:--${name}`),
      ...(short === undefined ? [] : [quote(`${words}:-${short}`)]),
    ];
    const reply = isFile ? '_files' : `compadd -- ${choices.join(' ')}`;
    return [`    (${patterns.join('|')}) ${reply}; return ;;`];
  });
}

function entryCase({ words, next, options, isFile }: Entry): string {
  const described = [
    ...next.map(({ word, meaning }) => [word, meaning]),
    ...options.map(({ name, spec }) => [`--${name}`, spec.description]),
  ].map(([word = '', meaning = '']) => quote(`${word.replaceAll(':', '\\:')}:${meaning}`));
  return [
    `    (${quote(words)})`,
    `      candidates=(${described.join(' ')})`,
    `      _describe 'sms' candidates${isFile ? '; _files' : ''} ;;`,
  ].join('\n');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
