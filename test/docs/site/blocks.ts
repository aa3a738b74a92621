import { readdirSync, readFileSync } from 'node:fs';

/** A fenced code block of a page: ```language [label] */
export interface Block {
  page: string;
  line: number;
  language: string;
  /** The name of a file, or of a terminal. */
  label: string | undefined;
  text: string;
}

/** The pages whose commands and programs are run: README.md and the guide, as a reader begins. */
export function listGuidePages(): string[] {
  const guide = readdirSync('docs/guide').filter((file) => file.endsWith('.md'));
  const first = 'quick-start.md';
  return [
    'README.md',
    ...[first, ...guide.filter((file) => file !== first)].map((file) => `docs/guide/${file}`),
  ];
}

/** The code blocks of a page, in order. A block in a list is indented; its text is not. */
export function readBlocks(page: string): Block[] {
  const source = readFileSync(page, 'utf8');
  return [...source.matchAll(/^( *)```([\w-]*)([^\n]*)\n([^]*?)^ *```$/gm)].map((match) => {
    const [, indentation = '', language = '', rest = '', text = ''] = match;
    return {
      page,
      line: source.slice(0, match.index).split('\n').length,
      language,
      label: /\[([^\]]+)\]/.exec(rest)?.[1],
      text: text.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    };
  });
}
