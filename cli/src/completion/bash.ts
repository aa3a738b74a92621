import type { Command } from '../command.ts';
import { entriesOf, type Entry } from './entries.ts';

/** Returns the script that completes `sms` in bash 4 or newer. */
export function bashCompletion(commands: readonly Command[]): string {
  const entries = entriesOf(commands);
  const known = entries.filter(({ words }) => words !== '').map(({ words }) => `'${words}'`);
  return `# Completion of sms for bash.
_sms() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${command:+$command }$word" in
      ${known.join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  COMPREPLY=()
  case "$command:$previous" in
${entries.flatMap(optionValues).join('\n')}
  esac
  case "$command" in
${entries.map(entryCase).join('\n')}
  esac
}
complete -F _sms sms`;
}

/** The cases in which the word before is an option that takes a value. */
function optionValues({ words, options }: Entry): string[] {
  return options.flatMap(({ name, spec: { type, choices = [], isFile, short } }) => {
    if (type === 'boolean') return [];
    const patterns = [`'${words}:--${name}'`, ...(short === undefined ? [] : [`'${words}:-${short}'`])];
    const reply = isFile ? 'compgen -f -- "$current"' : `compgen -W '${choices.join(' ')}' -- "$current"`;
    return [`    ${patterns.join('|')}) mapfile -t COMPREPLY < <(${reply}); return ;;`];
  });
}

function entryCase({ words, next, options, isFile }: Entry): string {
  const all = [...next.map(({ word }) => word), ...options.map(({ name }) => `--${name}`)];
  const files = isFile ? ' compgen -f -- "$current";' : '';
  return `    '${words}') mapfile -t COMPREPLY < <(compgen -W '${all.join(' ')}' -- "$current";${files}) ;;`;
}
