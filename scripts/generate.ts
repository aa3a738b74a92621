/**
 * npm run generate [-- --check]: writes facts from the code into the documents that repeat them, between markers, and
 * the types of the contract, the client's methods and the pages of the errors into files of their own, so that each fact
 * is maintained in one place. With --check it writes nothing and fails when a file is outdated.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { variables } from '../src/config.ts';
import { magicRecipients } from '../src/gateway/magic-recipients.ts';
import { printClientResources } from './client/print-client-resources.ts';
import { printClientTypes } from './client/print-client-types.ts';
import { printContractTypes } from './contract-types.ts';
import { limitsTable, messageErrorsTable, permissionsTable, ratesTable } from './docs-tables.ts';
import { printErrorPages } from './error-pages.ts';
import { printGrafanaDashboard } from './grafana-dashboard.ts';
import { startVariables } from './embedded/settings.ts';
import { threatsTable } from './threats-table.ts';

const root = new URL('../', import.meta.url);

/** The generated sections: the document, the name in its markers, and the lines between them. */
const sections = [
  { file: 'docs/configuration.md', name: 'variables', lines: variablesTable },
  { file: 'openapi/messaging.yaml', name: 'magic-recipients', lines: magicRecipientsTable },
  { file: 'docs/guide/testing.md', name: 'magic-recipients', lines: magicRecipientsTable },
  { file: 'docs/guide/statuses.md', name: 'message-errors', lines: messageErrorsTable },
  { file: 'docs/guide/authentication.md', name: 'permissions', lines: permissionsTable },
  { file: 'docs/guide/limits.md', name: 'limits', lines: limitsTable },
  { file: 'docs/guide/limits.md', name: 'rates', lines: ratesTable },
  { file: 'docs/security.md', name: 'threats', lines: threatsTable },
];

/** The files that are generated as a whole, and the function that prints each of them for its path. */
const files: { file: string; print: (path: string) => string | Promise<string> }[] = [
  { file: 'src/http/contract/contract-types.ts', print: printContractTypes },
  { file: 'client/src/generated/types.ts', print: printClientTypes },
  { file: 'client/src/generated/resources.ts', print: printClientResources },
  { file: 'deploy/grafana/sms-service.json', print: printGrafanaDashboard },
];

/** The files that differ from what is generated for them, with the text that they should have. */
export async function findOutdatedFiles(): Promise<{ file: string; text: string }[]> {
  const documents = [...new Set(sections.map(({ file }) => file))].map((file) => ({
    file,
    text: sections
      .filter((section) => section.file === file)
      .reduce((document, { name, lines }) => replaceSection(document, name, lines()), read(file)),
  }));
  const printed = await Promise.all(
    files.map(async ({ file, print }) => ({ file, text: await print(fileURLToPath(new URL(file, root))) })),
  );
  return [...documents, ...printed, ...(await printErrorPages(root))].filter(
    ({ file, text }) => text !== read(file),
  );
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
function showDefault(value: string | number | boolean | readonly (string | object)[] | undefined): string {
  // Keys have no default, so a list of objects is empty.
  const text = [value ?? []]
    .flat()
    .map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item)))
    .join(',');
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
