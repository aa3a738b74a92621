/**
 * npm run generate [-- --check]: writes facts from the code into the documents that repeat them, between markers, and
 * the types of the contract into a file of their own, so that each fact is maintained in one place. With --check it
 * writes nothing and fails when a file is outdated.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { variables } from '../src/config.ts';
import { magicRecipients } from '../src/gateway/magic-recipients.ts';
import { printContractTypes } from './contract-types.ts';
import { printGrafanaDashboard } from './grafana-dashboard.ts';
import { startVariables } from './embedded/settings.ts';

const root = new URL('../', import.meta.url);

/** The generated sections: the document, the name in its markers, and the lines between them. */
const sections = [
  { file: 'README.md', name: 'variables', lines: variablesTable },
  { file: 'openapi/messaging.yaml', name: 'magic-recipients', lines: magicRecipientsTable },
];

const contractTypes = 'src/http/contract/contract-types.ts';
const dashboard = 'deploy/grafana/sms-service.json';

/** The files that differ from what is generated for them, with the text that they should have. */
export async function findOutdatedFiles(): Promise<{ file: string; text: string }[]> {
  const documents = [...new Set(sections.map(({ file }) => file))].map((file) => ({
    file,
    text: sections
      .filter((section) => section.file === file)
      .reduce((document, { name, lines }) => replaceSection(document, name, lines()), read(file)),
  }));
  const types = await printContractTypes(fileURLToPath(new URL(contractTypes, root)));
  const files = [
    { file: contractTypes, text: types },
    { file: dashboard, text: printGrafanaDashboard() },
  ];
  return [...documents, ...files].filter(({ file, text }) => text !== read(file));
}

function read(file: string): string {
  const location = new URL(file, root);
  return existsSync(location) ? readFileSync(location, 'utf8') : '';
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

async function main(): Promise<void> {
  const outdated = await findOutdatedFiles();
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

if (import.meta.main) await main();
