import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The pages of a folder of docs/ except its index, with their first heading as their name, in alphabetical order. */
export function listPages(folder: string): { text: string; link: string }[] {
  const directory = fileURLToPath(new URL(`../${folder}`, import.meta.url));
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((file) => file.endsWith('.md') && !['README.md', 'index.md'].includes(file))
    .map((file) => ({
      text: headingOf(readFileSync(`${directory}/${file}`, 'utf8')) ?? file,
      link: `/${folder}/${file.replace(/\.md$/, '')}`,
    }))
    .toSorted((a, b) => a.text.localeCompare(b.text));
}

function headingOf(page: string): string | undefined {
  return /^# (.+)$/m.exec(page)?.[1]?.replaceAll('`', '');
}
