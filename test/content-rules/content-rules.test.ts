import { maxRules } from '../../src/content-rules/create-content-rule.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { makeAdministrator, signUp, type Person } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let administrator: Person;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
});

beforeEach(() => db.query('delete from content_rules'));

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const rules = '/api/v1/admin/content-rules';
const lottery = { kind: 'contains', values: ['you won'], reason: 'No lotteries.' };
const unknownId = '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa';

async function create(rule: object): Promise<string> {
  const { status, body } = await administrator.call('POST', rules, { json: rule });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id as string;
}

const send = (text: string, withKey = key) =>
  api.call('POST', '/api/v1/messages', { key: withKey, json: { to: '0911234567', text } });

const refused = { status: 422, body: { code: 'content_refused' } };

describe('a rule', () => {
  test.each<[rule: string, values: string[], text: string, isRefused: boolean]>([
    ['contains', ['you won'], 'You  WON, a prize!', true],
    ['contains', ['you won'], 'YOU-WON', true],
    ['contains', ['You won!'], 'and you won', true],
    ['contains', ['you won'], 'ｙｏｕ ｗｏｎ', true],
    ['contains', ['you won'], 'y\u00adou w\u200bon', true],
    ['contains', ['you won'], 'you\nwon', true],
    ['contains', ['you won'], 'you wonder', false],
    ['contains', ['you won'], 'won you', false],
    ['contains', ['you won'], 'you have won', false],
    ['contains', ['loan', 'casino'], 'Casino tonight', true],
    ['contains', ['እንኳን ደስ አለዎት'], 'ሰላም፣ እንኳን ደስ አለዎት።', true],
    ['contains', ['ሎተሪ'], 'ሎተሪዎች', false],
    ['contains', ['STRASSE'], 'strasse', true],
    ['contains', ['50%'], '50 percent', true],
    ['link_in', ['bit.ly'], 'See https://bit.ly/3xYz', true],
    ['link_in', ['bit.ly'], 'See HTTP://BIT.LY', true],
    ['link_in', ['bit.ly'], 'See bit.ly/3xYz', true],
    ['link_in', ['bit.ly'], 'See bit.ly.', true],
    ['link_in', ['Bit.LY'], 'See https://www.bit.ly:8443/x?y', true],
    ['link_in', ['bit.ly'], 'https://example.com@bit.ly/x', true],
    ['link_in', ['bit.ly'], 'https://bit.ly./x', true],
    ['link_in', ['203.0.113.7'], 'http://203.0.113.7/login', true],
    ['link_in', ['bit.ly'], 'See https://rabbit.ly/x', false],
    ['link_in', ['bit.ly'], 'https://bit.ly.example.com/', false],
    ['link_in', ['bit.ly'], 'https://example.com/bit.ly', true],
    ['link_in', ['bit.ly'], 'A bit lyrical', false],
    ['link_not_in', ['example.com'], 'https://example.com/a and www.example.com', false],
    ['link_not_in', ['example.com'], 'https://shop.example.com/a', false],
    ['link_not_in', ['example.com'], 'https://example.org/a', true],
    ['link_not_in', ['example.com'], 'example.org/a', true],
    ['link_not_in', ['example.com'], 'www.example.org', true],
    ['link_not_in', ['example.com'], 'http://203.0.113.7/login', true],
    ['link_not_in', ['example.com'], 'https://example.com and https://example.org', true],
    ['link_not_in', ['example.com'], 'Your code is ready.Come to us', false],
    ['link_not_in', ['example.com'], 'No link at all', false],
  ])('%s %j says of the text %j that it is refused: %s', async (kind, values, text, isRefused) => {
    await create({ kind, values, reason: 'Because.' });
    expect((await send(text)).status).toBe(isRefused ? 422 : 202);
  });

  test('refuses with its reason, and nothing is stored', async () => {
    await create(lottery);
    const before = await db.query('select id from messages');
    const { status, body } = await send('Hello, you won');
    expect({ status, body }).toMatchObject({
      ...refused,
      body: { detail: 'A rule of the service refuses the text: No lotteries.' },
    });
    expect(await db.query('select id from messages')).toHaveLength(before.length);
  });

  test('is foretold by the estimate', async () => {
    await create(lottery);
    const json = { to: '0911234567', text: 'You won' };
    const { body } = await api.call('POST', '/api/v1/messages/estimate', { key, json });
    expect(body.wouldBeRefused).toMatchObject({
      code: 'content_refused',
      message: expect.stringContaining('No lotteries.'),
    });
  });

  test('of one organization does not apply to another one', async () => {
    const other = await createTenant(db.database);
    await create({ ...lottery, organizationId: other.organizationId });
    expect((await send('You won')).status).toBe(202);
    expect(await send('You won', await other.createKey())).toMatchObject(refused);
  });

  test('does not apply to test messages, which reach no phone', async () => {
    await create(lottery);
    expect((await send('You won', await tenant.createKey({ environment: 'test' }))).status).toBe(202);
  });

  test('of two that refuse a text, the older one is named', async () => {
    await create({ ...lottery, reason: 'The first.' });
    await create({ ...lottery, values: ['won'], reason: 'The second.' });
    expect((await send('You won')).body.detail).toContain('The first.');
  });

  test('applies to the text of a security code', async () => {
    await create(lottery);
    const json = { to: '0922000001', template: 'You won: {{code}}' };
    expect(await api.call('POST', '/api/v1/security-codes/send', { key, json })).toMatchObject(refused);
    expect(await db.query(`select id from security_codes where recipient = '+251922000001'`)).toEqual([]);
  });

  test('applies to a schedule when it is created', async () => {
    await create(lottery);
    const json = {
      to: '0911234567',
      text: 'You won',
      scheduleType: 'once',
      startsAt: '2999-01-31T06:00:00Z',
    };
    expect(await api.call('POST', '/api/v1/messages/schedule', { key, json })).toMatchObject(refused);
    expect(await db.query('select id from message_schedules')).toEqual([]);
  });

  test('applies to a request with an Idempotency-Key, which succeeds once the rule is deleted', async () => {
    const id = await create(lottery);
    const options = {
      ...{ key, json: { to: '0911234567', text: 'You won' } },
      headers: { 'idempotency-key': 'prize-1' },
    };
    expect(await api.call('POST', '/api/v1/messages', options)).toMatchObject(refused);
    expect((await administrator.call('DELETE', `${rules}/${id}`)).status).toBe(204);
    expect((await api.call('POST', '/api/v1/messages', options)).status).toBe(202);
  });
});

test('rules are created, listed, changed and deleted, and each change is in the audit log', async () => {
  const { organizationId } = tenant;
  const first = await create({ ...lottery, organizationId: organizationId.toUpperCase() });
  const second = await create(lottery);
  const listed = async (query = '') =>
    (await administrator.call('GET', `${rules}${query}`)).body.data as { id: string }[];
  expect(await listed()).toMatchObject([
    { id: second, organizationId: null, ...lottery },
    { id: first, organizationId, ...lottery },
  ]);
  expect((await listed(`?organizationId=${organizationId}`)).map(({ id }) => id)).toEqual([first]);
  const changed = { kind: 'link_in', values: ['Bit.ly'], reason: 'No shorteners.' };
  expect(await administrator.call('PUT', `${rules}/${first}`, { json: changed })).toMatchObject({
    ...{ status: 200, body: { id: first, organizationId, ...changed } },
  });
  await administrator.call('DELETE', `${rules}/${second}`);
  expect((await send('You won')).status).toBe(202);
  expect(await send('https://bit.ly/x')).toMatchObject(refused);
  const audit = await administrator.call('GET', '/api/v1/admin/audit-events?limit=4');
  expect(
    audit.body.data.map((event: { action: string; organizationId: string; details: object }) => [
      ...[event.action, event.organizationId, event.details],
    ]),
  ).toEqual([
    ['content_rule.deleted', null, lottery],
    ['content_rule.updated', organizationId, changed],
    ['content_rule.created', null, lottery],
    ['content_rule.created', organizationId, lottery],
  ]);
});

test.each<[string, object]>([
  ['no kind', { kind: undefined }],
  ['an unknown kind', { kind: 'matches' }],
  ['no values', { values: [] }],
  ['101 values', { values: Array.from({ length: 101 }, (_, index) => `word ${index}`) }],
  ['a value of 101 characters', { values: ['x'.repeat(101)] }],
  ['a phrase without a letter or digit', { values: ['you won', '!!!'] }],
  ['a host with a scheme', { kind: 'link_in', values: ['https://bit.ly'] }],
  ['a host with a path', { kind: 'link_not_in', values: ['example.com/a'] }],
  ['a host with a wildcard', { kind: 'link_in', values: ['*.example.com'] }],
  ['a host without a dot', { kind: 'link_in', values: ['localhost'] }],
  ['no reason', { reason: undefined }],
  ['a reason of 201 characters', { reason: 'x'.repeat(201) }],
  ['an organization without an id', { organizationId: 'acme' }],
  ['an unknown field', { pattern: '.*' }],
])('a rule with %s is refused, and nothing is stored', async (_what, wrong) => {
  expect(await administrator.call('POST', rules, { json: { ...lottery, ...wrong } })).toMatchObject({
    ...{ status: 400, body: { code: 'invalid_request' } },
  });
  expect(await db.query('select id from content_rules')).toEqual([]);
});

test('a rule for an unknown organization is refused', async () => {
  const json = { ...lottery, organizationId: unknownId };
  expect((await administrator.call('POST', rules, { json })).status).toBe(404);
});

test.each(['not-an-id', unknownId])('the rule %s is not found', async (id) => {
  expect((await administrator.call('PUT', `${rules}/${id}`, { json: lottery })).status).toBe(404);
  expect((await administrator.call('DELETE', `${rules}/${id}`)).status).toBe(404);
});

test('of two last rules at once, one is one too many', async () => {
  await db.query(
    `insert into content_rules (id, kind, "values", terms, reason, created_at, updated_at)
      select gen_random_uuid(), 'contains', '{x}', '{" x "}', 'x', now(), now() from generate_series(2, ?::int)`,
    [maxRules],
  );
  const answers = await Promise.all([
    administrator.call('POST', rules, { json: lottery }),
    administrator.call('POST', rules, { json: lottery }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
  // Those of an organization count apart.
  await create({ ...lottery, organizationId: tenant.organizationId });
});
