/**
 * npm run generate [-- --check]: writes facts from the code into the documents that repeat them, between markers, so
 * that each fact is maintained in one place. With --check it writes nothing and fails when a document is outdated.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { variables } from '../src/config.ts';
import { magicRecipients } from '../src/gateway/magic-recipients.ts';
import { startVariables } from './embedded/settings.ts';

const root = new URL('../', import.meta.url);

/** The generated sections: the document, the name in its markers, and the lines between them. */
const sections = [
  { file: 'README.md', name: 'variables', lines: variablesTable },
  { file: 'openapi/messaging.yaml', name: 'magic-recipients', lines: magicRecipientsTable },
];

/** The documents whose sections differ from the code, with the text that they should have. */
export function findOutdatedDocuments(): { file: string; text: string }[] {
  const files = [...new Set(sections.map(({ file }) => file))];
  return files.flatMap((file) => {
    const current = readFileSync(new URL(file, root), 'utf8');
    const text = sections
      .filter((section) => section.file === file)
      .reduce((document, { name, lines }) => replaceSection(document, name, lines()), current);
    return text === current ? [] : [{ file, text }];
  });
}

/**
 * Puts lines between the markers of a section, with the indentation of its first marker, because in YAML the section
 * is part of a block scalar. The markers are HTML comments, so neither Markdown nor Swagger UI shows them.
 *
 * @throws Error if the document does not have both markers
 */
export function replaceSection(document: string, name: string, lines: string[]): string {
  const section = new RegExp(`^( *)<!-- generated: ${name}\\b.*?^ *<!-- end of ${name} -->$`, 'ms');
  const [found, indentation = ''] = section.exec(document) ?? [];
  if (found === undefined) throw new Error(`The document has no markers of the section ${name}.`);
  const text = [
    `<!-- generated: ${name}, by npm run generate; changes made here are lost -->`,
    '',
    ...lines,
    '',
    `<!-- end of ${name} -->`,
  ].map((line) => (line === '' ? '' : indentation + line));
  return document.replace(found, () => text.join('\n'));
}

function variablesTable(): string[] {
  const all = { ...variables.shape, DATA_DIR: startVariables.shape.DATA_DIR };
  return [
    '| variable | default | meaning |',
    '|---|---|---|',
    ...Object.entries(all).map(([name, schema]) => {
      if (!schema.description) throw new Error(`${name} has no description: add .describe() to it.`);
      const unset = schema.safeParse(undefined);
      return `| \`${name}\` | ${unset.success ? showDefault(unset.data) : 'required'} | ${cell(schema.description)} |`;
    }),
  ];
}

/** The value of a variable that is not set; empty if the description explains it. */
function showDefault(value: string | number | boolean | string[] | undefined): string {
  const text = [value ?? []].flat().join(',');
  return text === '' ? '' : `\`${text}\``;
}

function magicRecipientsTable(): string[] {
  return [
    '| recipient | what happens | ends as |',
    '|---|---|---|',
    ...magicRecipients.map(({ number, description, ends: { status, errorCode } }) => {
      const end = errorCode === undefined ? `\`${status}\`` : `\`${status}\`, \`${errorCode}\``;
      return `| \`${number}\` | ${cell(description)} | ${end} |`;
    }),
  ];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function main(): void {
  const outdated = findOutdatedDocuments();
  if (process.argv.includes('--check')) {
    for (const { file } of outdated) process.stderr.write(`${file} is outdated: run npm run generate.\n`);
    if (outdated.length > 0) process.exit(1);
    return;
  }
  for (const { file, text } of outdated) {
    writeFileSync(new URL(file, root), text);
    process.stdout.write(`${file} is updated.\n`);
  }
}

if (import.meta.main) main();
