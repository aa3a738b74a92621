import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { errorCatalogue, type ErrorCode } from '../../src/errors.ts';
import {
  provokeAccountErrors,
  provokeCredentialErrors,
  provokeOrganizationErrors,
} from '../helpers/errors-of-accounts.ts';
import {
  provokeRequestErrors,
  provokeSendingErrors,
  provokeServerErrors,
} from '../helpers/errors-of-requests.ts';
import { createErrorWorld, type ErrorWorld, type Provoked } from '../helpers/provoke-errors.ts';

/** The requests and responses that the pages show. WRITE_ERROR_EXAMPLES=true writes what the service answers now. */
const examplesFile = 'docs/errors/examples.json';
const isWriting = process.env['WRITE_ERROR_EXAMPLES'] === 'true';
const examples = existsSync(examplesFile)
  ? (JSON.parse(readFileSync(examplesFile, 'utf8')) as Record<string, unknown>)
  : {};
const seen: Record<string, unknown> = {};

let world: ErrorWorld;
let provocations: Record<ErrorCode, () => Promise<Provoked>>;

beforeAll(async () => {
  world = await createErrorWorld();
  provocations = {
    ...provokeRequestErrors(world),
    ...provokeCredentialErrors(world),
    ...provokeAccountErrors(world),
    ...provokeOrganizationErrors(world),
    ...provokeSendingErrors(world),
    ...provokeServerErrors(world),
  };
}, 60_000);

afterAll(async () => {
  if (isWriting) {
    const sorted = Object.keys(errorCatalogue).map((code) => [code, seen[code]]);
    writeFileSync(examplesFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  }
  await world.stop();
});

const codes = Object.keys(errorCatalogue) as ErrorCode[];

test.each(codes)(
  '%s: the type of a real response opens its page, and the page shows that response',
  async (code) => {
    const { request, headers, problem } = await provocations[code]();
    expect(problem).toMatchObject({ code, status: errorCatalogue[code].status });
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const page = await fetch(problem.type as string);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await page.text()).toContain(code);
    seen[code] = withoutChance({ request, response: problem });
    if (!isWriting) expect(seen[code]).toEqual(examples[code]);
  },
);

/** Replaces what differs from run to run: addresses, ids, waiting times and long texts. */
function withoutChance(example: object): unknown {
  const text = JSON.stringify(example)
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://sms.example.com')
    .replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa',
    )
    .replace(/Try again in \d+ s/g, 'Try again in 42 s')
    .replace(/x{100,}/g, 'xxx…');
  return JSON.parse(text);
}

test('an unknown code has no page', async () => {
  for (const code of ['nonsense', 'constructor', '__proto__'])
    expect((await world.api.call('GET', `/errors/${code}`)).status).toBe(404);
});

test('the list of errors names every code, and those of redirects', async () => {
  const page = await (await fetch(`${world.api.baseUrl}/errors?error=state_mismatch`)).text();
  expect([...codes, 'state_mismatch'].filter((code) => !page.includes(code))).toEqual([]);
});

test('docs/errors has a page for each code, the list, and the codes of fields; and no other page', () => {
  const pages = readdirSync('docs/errors').filter((file) => file.endsWith('.md'));
  expect(pages.toSorted()).toEqual([...codes, 'index', 'fields'].map((page) => `${page}.md`).toSorted());
});
