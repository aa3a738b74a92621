import { defineCommand, type Command } from '../command.ts';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';

const printers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** Defines `sms completion` for these commands, itself included. */
export function definePrintCompletion(commands: () => readonly Command[]): Command {
  return defineCommand({
    name: 'completion',
    summary: 'Prints a script that makes a shell complete commands and options.',
    description: [
      'bash: add `source <(sms completion bash)` to ~/.bashrc. zsh: add `source <(sms completion zsh)` to ~/.zshrc, after ' +
        'compinit. fish: `sms completion fish > ~/.config/fish/completions/sms.fish`.',
    ],
    arguments: [{ name: 'SHELL', description: 'bash, zsh or fish.', choices: Object.keys(printers) }],
    examples: ['source <(sms completion bash)'],
    run: async ({ output }, { args: [shell = ''] }) => {
      const script = printers[shell as keyof typeof printers](commands());
      output.result({ shell, script }, () => script.split('\n'));
    },
  });
}
