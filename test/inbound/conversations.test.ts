import { selectConversations } from '../../src/inbound/list-conversations.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { approveNumber, giveMessage, processWaiting } from '../helpers/inbound.ts';
import { countRowsRead } from '../helpers/rows-read.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let key: string;
let testKey: string;
let organizationId: string;
// Not before the moment: ids are in the order of time.
let clock = new Date();
const code = '8080';

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => clock });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

beforeEach(async () => {
  await db.query(`delete from sender_ids where value = '${code}'`);
  const tenant = await createTenant(db.database);
  ({ organizationId } = tenant);
  [key, testKey] = [await tenant.createKey(), await tenant.createKey({ environment: 'test' })];
  await approveNumber(db, organizationId, code);
});

const later = () => (clock = new Date(clock.getTime() + 1000));
let phones = 0;
const newPhone = () => `+2519220${String((phones += 1)).padStart(5, '0')}`;

async function receive(from: string, text: string): Promise<void> {
  later();
  expect((await giveMessage(api, { from, to: code, text })).status).toBe(200);
  await processWaiting(db, () => clock);
}

async function send(to: string, text: string, by = key): Promise<void> {
  later();
  expect(
    (await api.call('POST', '/api/v1/messages', { key: by, json: { to, text, from: code } })).status,
  ).toBe(202);
}

const list = async (query = '') =>
  (await api.call('GET', `/api/v1/inbound/conversations${query}`, { key })).body;
const textsOf = ({ data }: { data: { text: string }[] }) => data.map(({ text }) => text);

describe('conversations', () => {
  test('are listed once each, by their latest inbound message, newest first, page by page', async () => {
    const [one, two, three] = [newPhone(), newPhone(), newPhone()];
    for (const [phone, text] of [
      [one, 'one, first'],
      [two, 'two'],
      [three, 'three'],
      [one, 'one, second'],
    ] as const)
      await receive(phone, text);
    const first = await list('?limit=2');
    expect(textsOf(first)).toEqual(['one, second', 'three']);
    expect(textsOf(await list(`?limit=2&cursor=${first.pagination.nextCursor}`))).toEqual(['two']);
  });

  test('have both directions in their thread, newest first, page by page, and only what the caller may see', async () => {
    const [phone, other] = [newPhone(), newPhone()];
    await receive(phone, 'Do you deliver to Adama?');
    await send(phone, 'Yes, every day.');
    await send(phone, 'A test', testKey);
    await send(other, 'To somebody else');
    await receive(other, 'From somebody else');
    await receive(phone, 'Thank you!');
    const { data } = (await list()) as { data: { id: string; from: string }[] };
    const { id } = data.find(({ from }) => from === phone)!;
    const thread = async (query: string, by: object = { key }) =>
      (await api.call('GET', `/api/v1/inbound/messages/${id}/thread${query}`, by)).body;
    const whole = await thread('');
    expect(textsOf(whole)).toEqual(['Thank you!', 'Yes, every day.', 'Do you deliver to Adama?']);
    expect(whole.data[1]).toMatchObject({
      ...{ direction: 'outbound', from: code, to: phone, environment: 'live', status: 'queued' },
    });
    expect(whole.data[0]).toMatchObject({
      ...{ direction: 'inbound', from: phone, to: code, environment: null, status: 'unmatched' },
    });
    const page = await thread('?limit=2');
    expect(textsOf(await thread(`?limit=2&cursor=${page.pagination.nextCursor}`))).toEqual([
      'Do you deliver to Adama?',
    ]);
    expect(textsOf(await thread('', { key: testKey }))).toContain('A test');
    const stranger = await createTenant(db.database);
    expect(await thread('', { key: await stranger.createKey() })).toMatchObject({ code: 'not_found' });
  });

  test('a page costs the same, however many messages a phone has sent and however many are stored', async () => {
    await db.query(
      `insert into inbound_messages (id, organization_id, sender, recipient, text, deduplication_key, status, created_at)
        select uuidv7(interval '-1 day' + n * interval '1 s'), ?, '+25193' || lpad((n % 2000)::text, 7, '0'), '${code}', 'x',
          decode(md5('conversation' || n), 'hex'), 'unmatched', now() - interval '1 day'
        from generate_series(1, 4000) n`,
      [organizationId],
    );
    await db.query('analyze inbound_messages');
    expect(textsOf(await list('?limit=20'))).toHaveLength(20);
    const statement = selectConversations(organizationId, { before: null, limit: 20 });
    const read = await countRowsRead(db.database, 'inbound_messages', statement);
    // Each listed row and the one after the page, its probe, and the join with its reply.
    expect(read).toBeLessThan(200);
  });
});

describe('a tried text', () => {
  const tryText = async (text: string, by = key) =>
    (await api.call('POST', '/api/v1/inbound/keywords/test', { key: by, json: { text } })).body;
  const makeRule = async (keyword: string, more: object = {}) =>
    (
      await api.call('POST', '/api/v1/inbound/keywords', {
        key,
        json: { keyword, response: `Reply to ${keyword}`, ...more },
      })
    ).body.id as string;

  test('names the rule that an inbound message would match, and stores nothing', async () => {
    const contains = await makeRule('PRICE', { matchType: 'contains' });
    const exact = await makeRule('price list');
    await makeRule('PRICE LISTS', { matchType: 'starts_with', enabled: false });
    expect(await tryText(' Price LIST ')).toMatchObject({
      matched: 'keyword',
      rule: { id: exact },
      reply: 'Reply to price list',
    });
    expect(await tryText('price lists')).toMatchObject({ rule: { id: contains } });
    expect(await tryText('hello')).toEqual({ matched: null, rule: null, reply: null });
    expect(await tryText('Stop!')).toMatchObject({ matched: 'stop', rule: null });
    expect(
      await db.query('select 1 from inbound_messages where organization_id = ?', [organizationId]),
    ).toEqual([]);
    const stranger = await createTenant(db.database);
    expect(await tryText('price list', await stranger.createKey())).toMatchObject({ matched: null });
  });

  test('matches as a received message does', async () => {
    await makeRule('INFO', { matchType: 'starts_with' });
    await receive(newPhone(), 'info please');
    const { data } = await list();
    expect(data[0].keywordId).toBe((await tryText('info please')).rule.id);
  });
});
