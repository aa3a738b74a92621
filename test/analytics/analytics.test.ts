import { foldCounts } from '../../src/analytics/fold-counts.ts';
import { gatewayToken, startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { makeBatch, makeSetting } from '../helpers/bulk.ts';
import { startBulkEngine } from '../helpers/bulk-engine.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, problemOf, signUp } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let db: TestDatabase;
let api: TestApi;
let now: Date;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => now });
});
beforeEach(() => {
  now = new Date();
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

async function newTenant(timezone?: string): Promise<Tenant & { key: string }> {
  const tenant = await createTenant(db.database);
  if (timezone !== undefined) {
    await db.query('update organizations set metadata = ? where id = ?', [
      JSON.stringify({ timezone }),
      tenant.organizationId,
    ]);
  }
  return { ...tenant, key: await tenant.createKey() };
}

async function send(key: string, at: string | Date, fields: Record<string, unknown> = {}): Promise<string> {
  now = new Date(at);
  const { status, body } = await api.call('POST', '/api/v1/messages', {
    key,
    json: { to: '0911234567', text: 'Selam', ...fields },
  });
  expect({ status, body }).toMatchObject({ status: 202 });
  return body.id as string;
}

/** What the gateway reports of a message: 1 delivered, 2 undelivered, 8 sent, 16 refused. */
async function report(messageId: string, status: number, at: Date): Promise<void> {
  now = at;
  const query = new URLSearchParams({ messageId, token: gatewayToken, status: String(status) });
  expect((await api.call('GET', `/api/v1/gateway/dlr?${String(query)}`)).status).toBe(200);
}

const later = (at: string | Date, ms: number): Date => new Date(new Date(at).getTime() + ms);

async function read(key: string, query = ''): Promise<Answer['body']> {
  const { status, body } = await api.call('GET', `/api/v1/analytics/${query}`, { key });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const none = {
  ...{ messages: 0, segments: 0, queued: 0, accepted: 0, sent: 0, delivered: 0, failed: 0, cancelled: 0 },
  ...{ deliveryRate: null },
};
const noTimes = { medianDeliveryMs: null, p95DeliveryMs: null };

describe('a day is one of the organization', () => {
  /** Moments of creation, and the date that it is then. */
  const scripts: [zone: string, range: [string, string], moments: [at: string, date: string][]][] = [
    [
      'Africa/Addis_Ababa',
      ['2026-03-13', '2026-03-16'],
      [
        ['2026-03-12T20:59:59.999Z', 'outside'],
        ['2026-03-12T21:00:00.000Z', '2026-03-13'],
        ['2026-03-14T20:59:59.999Z', '2026-03-14'],
        ['2026-03-14T21:00:00.000Z', '2026-03-15'],
        ['2026-03-15T20:59:59.999Z', '2026-03-15'],
        ['2026-03-16T20:59:59.999Z', '2026-03-16'],
        ['2026-03-16T21:00:00.000Z', 'outside'],
      ],
    ],
    [
      'Europe/Berlin',
      ['2026-03-28', '2026-03-30'],
      [
        ['2026-03-28T22:59:59.999Z', '2026-03-28'],
        ['2026-03-28T23:00:00.000Z', '2026-03-29'],
        ['2026-03-29T01:00:00.000Z', '2026-03-29'],
        ['2026-03-29T21:59:59.999Z', '2026-03-29'],
        // A day of 23 hours.
        ['2026-03-29T22:00:00.000Z', '2026-03-30'],
      ],
    ],
    [
      'Europe/Berlin',
      ['2026-10-24', '2026-10-26'],
      [
        ['2026-10-24T21:59:59.999Z', '2026-10-24'],
        ['2026-10-24T22:00:00.000Z', '2026-10-25'],
        // The same hour of the wall clock, twice.
        ['2026-10-25T00:30:00.000Z', '2026-10-25'],
        ['2026-10-25T01:30:00.000Z', '2026-10-25'],
        // A day of 25 hours.
        ['2026-10-25T22:59:59.999Z', '2026-10-25'],
        ['2026-10-25T23:00:00.000Z', '2026-10-26'],
      ],
    ],
    [
      'Asia/Kathmandu',
      ['2026-03-14', '2026-03-15'],
      [
        ['2026-03-13T18:14:59.999Z', 'outside'],
        ['2026-03-13T18:15:00.000Z', '2026-03-14'],
        ['2026-03-14T18:14:59.999Z', '2026-03-14'],
        ['2026-03-14T18:15:00.000Z', '2026-03-15'],
        ['2026-03-15T18:14:59.999Z', '2026-03-15'],
        ['2026-03-15T18:15:00.000Z', 'outside'],
      ],
    ],
  ];
  test.each(scripts)(
    'in %s from %j',
    async (zone, [from, to], moments) => {
      const { key, sender } = await newTenant(zone);
      const expected = new Map<string, { messages: number; delivered: number }>();
      for (const [index, [at, date]] of moments.entries()) {
        // Each moment has another number of messages, of which some arrive after the next midnight.
        for (let nth = 0; nth <= index; nth += 1) {
          const id = await send(key, at);
          const isDelivered = nth % 2 === 0;
          if (isDelivered) await report(id, 1, later(at, 5 * 3_600_000));
          const sum = expected.get(date) ?? { messages: 0, delivered: 0 };
          expected.set(date, {
            messages: sum.messages + 1,
            delivered: sum.delivered + (isDelivered ? 1 : 0),
          });
        }
        if (index === 2) await foldCounts(db.database);
      }
      expected.delete('outside');
      const counted = await read(key, `?from=${from}&to=${to}`);
      expect(counted).toMatchObject({ from, to, timezone: zone });
      const found = (counted.daily as { date: string; messages: number; delivered: number }[])
        .filter(({ messages }) => messages > 0)
        .map(({ date, messages, delivered }) => [date, { messages, delivered }]);
      expect(new Map(found as [string, { messages: number; delivered: number }][])).toEqual(expected);
      const messages = [...expected.values()].reduce((sum, day) => sum + day.messages, 0);
      expect(counted.totals.messages).toBe(messages);
      expect(counted.senders).toMatchObject([{ sender, messages }]);
      // And the export of messages has the very same.
      const lines = await exportLines(key, `?from=${from}&to=${to}`);
      expect(lines.length - 1).toBe(messages);
    },
    30_000,
  );

  test('an organization says its time zone in its metadata, and may change it', async () => {
    const owner = await signUp(api);
    const { organizationId } = await createOrganization(owner);
    const path = `/api/v1/analytics?organizationId=${organizationId}`;
    expect((await owner.call('GET', path)).body.timezone).toBe('Africa/Addis_Ababa');
    const change = (metadata: object) =>
      owner.post('/organization/update', { organizationId, data: { metadata: JSON.stringify(metadata) } });
    expect((await change({ timezone: 'asia/kathmandu' })).status).toBe(200);
    expect((await owner.call('GET', path)).body.timezone).toBe('Asia/Kathmandu');
    for (const timezone of ['Mars/Olympus', '+03:00', 3, null]) {
      const refused = await change({ timezone });
      expect(problemOf(refused)).toEqual({ status: 400, code: 'invalid_request' });
      expect(refused.body.errors).toMatchObject([{ path: '/body/data/metadata', code: 'unknown_timezone' }]);
    }
    expect((await owner.call('GET', path)).body.timezone).toBe('Asia/Kathmandu');
  });
});

test('analytics are what was sent, to the message: by status, error code, sender and how long it took', async () => {
  const { key, sender, organizationId } = await newTenant('UTC');
  const [second] = await db.query<{ value: string }>(
    // A name that must not be taken for the absence of one.
    `insert into sender_ids (id, organization_id, value, status, is_default, use_case, sample_message, created_at)
      values (gen_random_uuid(), ?, 'null', 'approved', false, '', '', now()) returning value`,
    [organizationId],
  );
  const at = '2026-05-05T12:00:00Z';
  const took = [1000, 2000, 3000, 4000, 60_000];
  for (const ms of took) await report(await send(key, at), 1, later(at, ms));
  await report(await send(key, at), 2, later(at, 1000));
  await report(await send(key, at), 16, later(at, 1000));
  await report(await send(key, at, { text: 'x'.repeat(161) }), 8, later(at, 1000));
  await report(await send(key, at, { from: second!.value }), 1, later(at, 10_000));
  await send(key, at, { from: second!.value });
  const within = (ms: number): unknown => expect.closeTo(ms, -Math.log10(ms * 0.05));
  const counts = {
    messages: 10,
    segments: 11,
    queued: 1,
    accepted: 0,
    sent: 1,
    delivered: 6,
    failed: 2,
    cancelled: 0,
  };
  for (const state of ['as changes', 'folded']) {
    const { totals, daily, senders, errorCodes, campaigns } = await read(
      key,
      '?from=2026-05-05&to=2026-05-06',
    );
    expect([state, totals]).toEqual([
      state,
      { ...counts, deliveryRate: 0.75, medianDeliveryMs: within(3000), p95DeliveryMs: within(60_000) },
    ]);
    expect(daily).toEqual([
      { date: '2026-05-05', ...totals },
      { date: '2026-05-06', ...none, ...noTimes },
    ]);
    expect(senders).toEqual([
      expect.objectContaining({ sender, messages: 8, delivered: 5, medianDeliveryMs: within(3000) }),
      expect.objectContaining({
        sender: 'null',
        messages: 2,
        queued: 1,
        deliveryRate: 1,
        p95DeliveryMs: within(10_000),
      }),
    ]);
    expect(errorCodes).toEqual([
      { errorCode: 'smsc_rejected', messages: 1 },
      { errorCode: 'undelivered', messages: 1 },
    ]);
    expect(campaigns).toEqual([]);
    while ((await foldCounts(db.database)) === 'more');
  }
});

test('an organization without messages gets every day of the last thirty, with nothing in it', async () => {
  const { key } = await newTenant('UTC');
  now = new Date('2026-11-21T00:00:00Z');
  const counted = await read(key);
  expect(counted).toMatchObject({
    from: '2026-10-23',
    to: '2026-11-21',
    senders: [],
    campaigns: [],
    errorCodes: [],
  });
  expect(counted.totals).toEqual({ ...none, ...noTimes });
  expect(counted.daily).toHaveLength(30);
  expect(counted.daily[29]).toEqual({ date: '2026-11-21', ...none, ...noTimes });
});

test('what was delivered and then deleted has left no delivery time behind', async () => {
  const { key, organizationId } = await newTenant('UTC');
  await report(await send(key, '2026-05-05T12:00:00Z'), 1, new Date('2026-05-05T12:00:03Z'));
  const query = '?from=2026-05-05&to=2026-05-05';
  expect((await read(key, query)).totals.medianDeliveryMs).not.toBeNull();
  while ((await foldCounts(db.database)) === 'more');
  await db.query('delete from messages where organization_id = ?', [organizationId]);
  for (const state of ['as changes', 'folded']) {
    const { totals, senders } = await read(key, query);
    expect([state, totals, senders]).toEqual([state, { ...none, ...noTimes }, []]);
    while ((await foldCounts(db.database)) === 'more');
  }
});

test('messages of bulk batches are counted for their campaign', async () => {
  const tenant = await newTenant('UTC');
  const setting = await makeSetting(api, db, tenant, 12);
  const engine = await startBulkEngine(api, db);
  try {
    for (let batches = 0; batches < 2; batches += 1) {
      const { id } = await makeBatch(api, setting);
      await engine.run(id as string);
    }
    await send(tenant.key, now);
    const counted = await until(
      'all of them delivered',
      async () => {
        now = new Date();
        const body = await read(tenant.key);
        return body.totals.delivered === 24 && body;
      },
      20_000,
    );
    expect(counted.campaigns).toMatchObject([
      {
        campaignId: setting.campaignId,
        name: 'x',
        messages: 24,
        segments: 24,
        delivered: 24,
        deliveryRate: 1,
      },
    ]);
    expect(counted.totals).toMatchObject({ messages: 25, queued: 1 });
    const [header, ...lines] = await exportLines(tenant.key, '?report=campaigns');
    expect(header!.slice(0, 3)).toEqual(['campaignId', 'name', 'messages']);
    expect(lines.map((line) => line.slice(0, 3))).toEqual([[setting.campaignId, 'x', '24']]);
  } finally {
    await engine.stop();
  }
}, 60_000);

describe('who sees what', () => {
  test('a test key sees the test environment, a live key the live one, a session both or the one it asks for', async () => {
    const owner = await signUp(api);
    const { organizationId } = await createOrganization(owner);
    const tenant = await newTenant();
    await db.query(
      `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, 'owner', now())`,
      [tenant.organizationId, owner.userId],
    );
    const testKey = await tenant.createKey({ environment: 'test' });
    await send(tenant.key, now);
    await send(testKey, now);
    await report(await send(testKey, now), 1, later(now, 1000));
    const bySession = async (query: string): Promise<number[]> => {
      const path = `/api/v1/analytics/?organizationId=${tenant.organizationId}${query}`;
      const { totals } = (await owner.call('GET', path)).body;
      return [totals.messages, totals.delivered, totals.medianDeliveryMs === null ? 0 : 1];
    };
    const byKey = async (key: string, query = ''): Promise<number> =>
      (await read(key, query)).totals.messages as number;
    for (const state of ['as changes', 'folded']) {
      expect([state, await byKey(tenant.key), await byKey(testKey)]).toEqual([state, 1, 2]);
      expect([
        await byKey(tenant.key, '?environment=test'),
        await byKey(testKey, '?environment=test'),
      ]).toEqual([0, 2]);
      expect(await bySession('')).toEqual([3, 1, 1]);
      expect(await bySession('&environment=live')).toEqual([1, 0, 0]);
      expect(await bySession('&environment=test')).toEqual([2, 1, 1]);
      while ((await foldCounts(db.database)) === 'more');
    }
    for (const [key, lines] of [
      [tenant.key, 1],
      [testKey, 2],
    ] as const) {
      expect(await exportLines(key, '')).toHaveLength(lines + 1);
    }
    expect(await exportLines(tenant.key, '?environment=test')).toHaveLength(1);
    // Another organization has none of it.
    const other = await owner.call('GET', `/api/v1/analytics?organizationId=${organizationId}`);
    expect(other.body.totals.messages).toBe(0);
  });

  test('a member reads analytics and exports none of them', async () => {
    const [owner, member] = [await signUp(api), await signUp(api)];
    const { organizationId } = await createOrganization(owner, [{ person: member, role: 'member' }]);
    const query = `?organizationId=${organizationId}`;
    expect((await member.call('GET', `/api/v1/analytics${query}`)).status).toBe(200);
    const refused = await member.call('GET', `/api/v1/analytics/export${query}`);
    expect(problemOf(refused)).toEqual({ status: 403, code: 'permission_denied' });
    expect((await owner.call('GET', `/api/v1/analytics/export${query}`)).status).toBe(200);
  });
});

describe('what cannot be asked for', () => {
  const wrong: [query: string, path: string][] = [
    ['from=yesterday', '/query/from'],
    ['from=2026-02-30', '/query/from'],
    ['to=2026-11-21T00:00:00Z', '/query/to'],
    ['from=1999-12-31', '/query/from'],
    ['from=0000-01-01', '/query/from'],
    ['from=2026-11-21&from=2026-11-22', '/query/from'],
    ['from=2026-11-02&to=2026-11-01', '/query/to'],
    ['from=2999-01-01', '/query/from'],
    ['from=2025-01-01&to=2026-11-01', '/query/from'],
    ['environment=staging', '/query/environment'],
  ];
  const wrongExports: [query: string, path: string][] = [
    ['report=yearly', '/query/report'],
    ['status=lost', '/query/status'],
    ['sender=abcdefghijklmnopqrstu', '/query/sender'],
  ];
  test.each([
    ...wrong.map(([query, path]) => ['analytics/', query, path] as const),
    ...[...wrong, ...wrongExports].map(([query, path]) => ['analytics/export', query, path] as const),
  ])('%s with %s', async (name, query, path) => {
    const { key } = await newTenant();
    const answer = await api.call('GET', `/api/v1/${name}?${query}`, { key });
    expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
    expect(answer.body.errors[0].path).toBe(path);
  });
});

/** The cells of an export. */
async function exportLines(key: string, query: string): Promise<string[][]> {
  const { status, headers, body } = await api.call('GET', `/api/v1/analytics/export${query}`, { key });
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  // The byte order mark is taken off by fetch.
  return (body as string)
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => line.split(','));
}
