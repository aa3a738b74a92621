import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { fieldErrors } from '../src/error-catalogue/field-errors.ts';
import type { ErrorDescription } from '../src/error-catalogue/error-description.ts';
import { errorCatalogue, redirectErrors, titleOf, type ErrorCode } from '../src/errors.ts';
import { findErrorOperations, type NamedOperation } from './error-operations.ts';

const directory = 'docs/errors';
const notice = '<!-- Written by npm run generate from src/error-catalogue/; changes made here are lost. -->';

/** A request and the response to it, as test/docs/error-pages.test.ts sends and receives them. */
interface Example {
  request: string;
  response: object;
}

/** Prints the pages of docs/errors/: the list, one page for each code, and one for the codes of fields. */
export async function printErrorPages(root: URL): Promise<{ file: string; text: string }[]> {
  const examples = JSON.parse(readFileSync(new URL(`${directory}/examples.json`, root), 'utf8')) as Record<
    string,
    Example | undefined
  >;
  const operations = findErrorOperations();
  const pages = [
    { name: 'index', lines: indexPage() },
    { name: 'fields', lines: fieldsPage() },
    ...(Object.keys(errorCatalogue) as ErrorCode[]).map((code) => ({
      name: code,
      lines: codePage(code, examples[code], operations.get(code) ?? []),
    })),
  ];
  const style = (await resolveConfig(new URL('README.md', root))) ?? {};
  return Promise.all(
    pages.map(async ({ name, lines }) => ({
      file: `${directory}/${name}.md`,
      text: await format(lines.join('\n\n'), { ...style, parser: 'markdown' }),
    })),
  );
}

function codePage(code: ErrorCode, example: Example | undefined, operations: NamedOperation[]): string[] {
  const { status, meaning, happens, cure, anywhere }: ErrorDescription = errorCatalogue[code];
  return [
    `# ${titleOf(code)}`,
    notice,
    `\`${code}\`, HTTP status ${status}`,
    meaning,
    '## When it happens',
    happens,
    '## What to do',
    cure,
    ...(code === 'invalid_request'
      ? ['The codes in `errors` are explained in [Field errors](fields.md).']
      : []),
    ...(example
      ? [
          '## Example',
          fence('http', example.request),
          'The response:',
          fence('json', JSON.stringify(example.response, null, 2)),
        ]
      : []),
    '## Which operations return it',
    ...(anywhere === undefined ? [] : [anywhere]),
    ...(operations.length === 0 ? [] : [operations.map(operationItem).join('\n')]),
    '[All errors](index.md)',
  ];
}

function operationItem({ method, path, summary }: NamedOperation): string {
  return `- \`${method} ${path}\`: ${summary}`;
}

function indexPage(): string[] {
  const codes = Object.entries(errorCatalogue).map(([code, { status, meaning }]) =>
    row(`[\`${code}\`](${code}.md)`, String(status), meaning),
  );
  // The anchors are the targets of /errors?error=CODE.
  const redirects = Object.entries(redirectErrors).map(([code, meaning]) =>
    row(`<span id="${code}"></span>\`${code}\``, meaning),
  );
  return [
    '# Errors',
    notice,
    'Every error is `application/problem+json` (RFC 9457). `code` is stable and meant for programs, `detail` is meant for ' +
      'people, and `type` opens the page of the code. Give `requestId` to the operator if you ask them about an error.',
    [row('code', 'status', 'what it means'), row('---', '---', '---'), ...codes].join('\n'),
    'The codes in `errors` of a response are explained in [Field errors](fields.md).',
    '## Errors in redirects',
    'If a sign-in at a provider or the link of a mail fails, the browser is redirected to an address with one of these ' +
      'codes in the query parameter `error`.',
    [row('error', 'what it means'), row('---', '---'), ...redirects].join('\n'),
  ];
}

function fieldsPage(): string[] {
  const codes = Object.entries(fieldErrors).map(([code, meaning]) => row(`\`${code}\``, meaning));
  return [
    '# Field errors',
    notice,
    'A response with `errors` names each field that is wrong: `path` says where it is (`/body/to`, `/query/limit`, ' +
      '`/headers/idempotency-key`), `code` what is wrong with it, and `message` what it must be. If the error is about one ' +
      'field only, its `code` may be the one of the response, for example `invalid_recipient`.',
    [row('code', 'what is wrong'), row('---', '---'), ...codes].join('\n'),
    '[All errors](index.md)',
  ];
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
