import * as fc from 'fast-check';
import { lowestTimeOrderedId, makeTimeOrderedId } from '../../src/time-ordered-id.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { signUp } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

interface Sent {
  id: string;
  to: string;
  from: string;
  status: string;
  environment: string;
  createdAt: string;
}

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let live: string;
let testKey: string;
let session: string;
/** Newest first. */
let all: Sent[];
let now = new Date('2026-03-01T10:00:00.000Z');

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => now });
  tenant = await createTenant(db.database);
  await db.query(
    `insert into sender_ids (id, organization_id, value, status, use_case, sample_message, created_at)
     values (gen_random_uuid(), ?, 'OTHER', 'approved', '', '', now())`,
    [tenant.organizationId],
  );
  live = await tenant.createKey();
  testKey = await tenant.createKey({ environment: 'test' });
  const stranger = await (await createTenant(db.database)).createKey();
  const statuses = ['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled', 'delivered'];
  all = [];
  for (let index = 0; index < 84; index += 1) {
    now = new Date(now.getTime() + (index % 3) * 1000);
    const json = {
      to: ['0911234567', '0911234568', '+254712345678'][index % 3],
      text: 'x',
      from: index % 4 === 0 ? 'OTHER' : tenant.sender,
    };
    const key = index % 5 === 0 ? testKey : live;
    const { body } = await api.call('POST', '/api/v1/messages', { key, json });
    const status = statuses[index % 7]!;
    await db.query('update messages set status = ? where id = ?', [status, body.id]);
    all.unshift({ ...(body as Sent), status });
    if (index % 10 === 0) {
      await api.call('POST', '/api/v1/messages', { key: stranger, json: { to: json.to, text: 'x' } });
    }
  }
  now = new Date();
  const person = await signUp(api);
  await db.query(
    `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, 'member', now())`,
    [tenant.organizationId, person.userId],
  );
  session = person.token;
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

/** All pages of a list, by their ids. */
async function list(query: Record<string, string>, caller: { key?: string; session?: string }) {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const parameters = new URLSearchParams({ limit: '4', ...query, ...(cursor !== null && { cursor }) });
    const { status, body } = await api.call('GET', `/api/v1/messages?${String(parameters)}`, caller);
    expect({ query, status }).toEqual({ query, status: 200 });
    seen.push(...body.data.map(({ id }: Sent) => id));
    cursor = body.pagination.nextCursor as string | null;
  } while (cursor !== null);
  return seen;
}

test('any combination of filters lists what fits all of them, newest first, page by page, each once', async () => {
  const moments = all.map(({ createdAt }) => createdAt);
  const optional = <T>(...values: T[]) => fc.constantFrom(undefined, ...values);
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        status: optional('queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled'),
        to: optional('+251911234567', '+254712345678', '+251911999999'),
        from: optional(tenant.sender, 'OTHER', 'NOBODY'),
        environment: optional('live', 'test'),
        createdFrom: optional(moments.at(-1)!, moments[60]!, moments[36]!),
        createdBefore: optional(moments[28]!, moments[10]!, moments[0]!),
      }),
      fc.constantFrom('live', 'test', 'session'),
      async (filters, caller) => {
        const expected = all.filter(
          (message) =>
            (caller === 'session' || message.environment === caller) &&
            (filters.environment ?? message.environment) === message.environment &&
            (filters.status ?? message.status) === message.status &&
            (filters.to ?? message.to) === message.to &&
            (filters.from ?? message.from) === message.from &&
            (filters.createdFrom ?? '') <= message.createdAt &&
            message.createdAt < (filters.createdBefore ?? '9'),
        );
        const query = JSON.parse(JSON.stringify(filters)) as Record<string, string>;
        const callers = { live: { key: live }, test: { key: testKey }, session: { session } };
        expect(await list(query, callers[caller])).toEqual(expected.map(({ id }) => id));
      },
    ),
    { numRuns: 80 },
  );
});

test('a filter selects something of each kind, so that the test above can fail', () => {
  for (const name of ['status', 'to', 'from', 'environment'] as const) {
    expect(new Set(all.map((message) => message[name])).size).toBeGreaterThan(1);
  }
});

test.each(['+251911234567', '0911234567', '911234567', '251911234567', '0911-234-567'])(
  'the recipient may be written %s',
  async (to) => {
    const expected = all.filter((each) => each.to === '+251911234567' && each.environment === 'live');
    expect(await list({ to }, { key: live })).toEqual(expected.map(({ id }) => id));
  },
);

test('a + that was not encoded is understood', async () => {
  const { body } = await api.call('GET', '/api/v1/messages?to=+251911234567', { key: live });
  expect(body.data.length).toBeGreaterThan(0);
});

test('the record of a filtered list is that of the message', async () => {
  const { body } = await api.call('GET', '/api/v1/messages?status=failed&limit=1', { key: live });
  const [record] = body.data;
  expect((await api.call('GET', `/api/v1/messages/${record.id}`, { key: live })).body).toEqual(record);
});

test.each([
  ['status=done', 'status'],
  ['status=queued&status=sent', 'status'],
  ['to=12345678', 'to'],
  ['to=091123456x', 'to'],
  ['to=1', 'to'],
  [`from=${'x'.repeat(21)}`, 'from'],
  ['environment=production', 'environment'],
  ['createdFrom=yesterday', 'createdFrom'],
  ['createdFrom=2026-02-30T00:00:00Z', 'createdFrom'],
  ['createdFrom=2026-06-30T23:59:60Z', 'createdFrom'],
  ['createdBefore=2026-03-01', 'createdBefore'],
  ['createdBefore=2026-03-01T00:00:00+03:00', 'createdBefore'],
  ['createdBefore=2026-03-01T00:00:00', 'createdBefore'],
  ['createdFrom=2026-03-02T00:00:00Z&createdBefore=2026-03-01T00:00:00Z', 'createdBefore'],
  ['createdFrom=2026-03-01T00:00:00Z&createdBefore=2026-03-01T00:00:00Z', 'createdBefore'],
  ['createdTo=2026-03-01T00:00:00Z', 'createdTo'],
])('the filter %s is refused', async (query, name) => {
  const { status, body } = await api.call('GET', `/api/v1/messages?${query}`, { key: live });
  expect({ status, code: body.code, path: body.errors?.[0]?.path }).toEqual({
    status: 400,
    code: 'invalid_request',
    path: `/query/${name}`,
  });
});

test.each(['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59Z'])(
  'the moment %s is one like any other',
  async (moment) => {
    const query = `createdFrom=${moment}`;
    const { status, body } = await api.call('GET', `/api/v1/messages?${query}`, { key: live });
    expect({ status, some: body.data.length > 0 }).toEqual({ status: 200, some: !moment.startsWith('9999') });
  },
);

describe('ids of messages', () => {
  test('begin with the millisecond of creation, so that a range of times is a range of ids', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 47 }), (milliseconds) => {
        const [moment, next] = [new Date(milliseconds), new Date(milliseconds + 1)];
        const id = makeTimeOrderedId(moment);
        expect(lowestTimeOrderedId(moment) <= id && id < lowestTimeOrderedId(next)).toBe(true);
      }),
    );
  });

  test('of one millisecond are in the order of making, and none is made twice', () => {
    const moment = new Date();
    const ids = Array.from({ length: 10_000 }, () => makeTimeOrderedId(moment));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
