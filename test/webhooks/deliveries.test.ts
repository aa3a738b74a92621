import { v7 as uuidv7 } from 'uuid';
import type { Environment } from '../../src/principal.ts';
import { selectDeliveriesOf } from '../../src/webhooks/list-deliveries.ts';
import { startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, makeAdministrator, signUp, type Person } from '../helpers/people.ts';
import { countRowsRead } from '../helpers/rows-read.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;
let testKey: string;
let administrator: Person;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
}, 60_000);

beforeEach(async () => {
  tenant = await createTenant(db.database);
  [key, testKey] = [await tenant.createKey(), await tenant.createKey({ environment: 'test' })];
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

type Status = 'pending' | 'delivered' | 'retrying' | 'dead';

/** Stores a delivery with its message, as one that came to this status by these attempts. */
async function store(
  status: Status,
  options: { environment?: Environment; of?: Tenant; attempts?: number } = {},
): Promise<string> {
  const { environment = 'live', of = tenant, attempts = status === 'dead' ? 8 : 1 } = options;
  const [messageId, id] = [uuidv7(), uuidv7()];
  await db.query(
    `insert into messages (id, organization_id, environment, sender, recipient, text, encoding, segments, status,
        metadata, created_at, valid_until)
      values (?, ?, ?, 'ACME', '+251911234567', 'x', 'gsm7', 1, 'accepted', '{}', now(), now())`,
    [messageId, of.organizationId, environment],
  );
  await db.query(
    `insert into webhook_deliveries (id, organization_id, environment, message_id, event, position, url, body,
        status, attempts, created_at, delivered_at, dispatch_id, due_at)
      values (?, ?, ?, ?, 'message.accepted', 1, 'https://example.com/hook', '{"a":1}', ?, ?, now(), ?, ?, ?)`,
    [
      ...[id, of.organizationId, environment, messageId, status, attempts],
      status === 'delivered' ? new Date() : null,
      id,
      status === 'pending' || status === 'retrying' ? new Date(Date.now() + 60_000) : null,
    ],
  );
  for (let number = 1; number <= attempts; number += 1) {
    await db.query(
      `insert into webhook_attempts (organization_id, delivery_id, number, started_at, duration_ms, response_status, response_body)
        values (?, ?, ?, now(), 12, ?, ?)`,
      [of.organizationId, id, number, status === 'delivered' ? 200 : 503, `answer ${number}`],
    );
  }
  return id;
}

/** What of a delivery a redrive may change. */
async function stateOf(id: string) {
  const [row] = await db.query<Record<string, unknown>>(
    `select status, attempts, attempts_before, body, dispatch_id, due_at,
      (select count(*)::int from webhook_attempts where delivery_id = webhook_deliveries.id) as kept,
      (select count(*)::int from audit_events where subject_id = webhook_deliveries.id::text) as audited
      from webhook_deliveries where id = ?`,
    [id],
  );
  return row!;
}

const list = async (options: CallOptions, query = '', path = '/api/v1/webhook-deliveries') => {
  const { status, body } = await api.call('GET', `${path}${query}`, options);
  expect(status).toBe(200);
  return body as { data: any[]; pagination: { limit: number; nextCursor: string | null } };
};
const idsOf = ({ data }: { data: any[] }): string[] => data.map(({ id }) => id as string);
const redrive = (id: string, options: CallOptions) =>
  api.call('POST', `/api/v1/webhook-deliveries/${id}/redrive`, options);

describe('the list of deliveries', () => {
  test('shows each with its last attempt, its error and what to do', async () => {
    const id = await store('dead');
    const { data } = await list({ key });
    expect(data).toEqual([
      {
        id,
        messageId: expect.any(String),
        organizationId: tenant.organizationId,
        environment: 'live',
        event: 'message.accepted',
        url: 'https://example.com/hook',
        status: 'dead',
        attempts: 8,
        nextAttemptAt: null,
        createdAt: expect.stringMatching(/Z$/),
        deliveredAt: null,
        lastAttempt: {
          number: 8,
          at: expect.stringMatching(/Z$/),
          durationMs: 12,
          httpStatus: 503,
          response: 'answer 8',
          error: { code: 'http_error', message: expect.stringContaining('responded with 503') },
        },
      },
    ]);
  });

  test('shows one that was never attempted, one that runs and one that was taken', async () => {
    const [fresh, running, taken] = [
      await store('pending', { attempts: 0 }),
      await store('pending'),
      await store('delivered'),
    ];
    await db.query(
      'update webhook_attempts set duration_ms = null, response_status = null where delivery_id = ?',
      [running],
    );
    const { data } = await list({ key });
    expect(
      data.map(({ id, lastAttempt, nextAttemptAt, deliveredAt }) => ({
        id,
        error: lastAttempt && lastAttempt.error,
        attempted: lastAttempt !== null,
        next: nextAttemptAt !== null,
        delivered: deliveredAt !== null,
      })),
    ).toEqual([
      { id: taken, error: null, attempted: true, next: false, delivered: true },
      { id: running, error: null, attempted: true, next: true, delivered: false },
      { id: fresh, error: null, attempted: false, next: true, delivered: false },
    ]);
  });

  test('is filtered by status and paged by cursor, newest first, and misses none', async () => {
    const made: { id: string; status: Status }[] = [];
    for (const status of ['dead', 'delivered', 'pending', 'dead', 'retrying', 'dead', 'delivered'] as const)
      made.push({ id: await store(status), status });
    const newestFirst = made.toReversed();
    expect(idsOf(await list({ key }))).toEqual(newestFirst.map(({ id }) => id));
    for (const status of ['pending', 'delivered', 'retrying', 'dead'])
      expect(idsOf(await list({ key }, `?status=${status}`))).toEqual(
        newestFirst.filter((one) => one.status === status).map(({ id }) => id),
      );
    for (const filter of ['', '&status=dead']) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await list({ key }, `?limit=2${filter}${cursor && `&cursor=${cursor}`}`);
        expect(page.data.length).toBeLessThanOrEqual(2);
        seen.push(...idsOf(page));
        cursor = page.pagination.nextCursor;
      }
      expect(seen).toEqual(idsOf(await list({ key }, `?limit=200${filter}`)));
    }
  });

  test('shows a key its own environment and a session both, or the one asked for', async () => {
    const [live, test] = [await store('dead'), await store('dead', { environment: 'test' })];
    expect(idsOf(await list({ key }))).toEqual([live]);
    expect(idsOf(await list({ key: testKey }))).toEqual([test]);
    expect(idsOf(await list({ key }, '?environment=test'))).toEqual([]);
    const owner = await signUp(api);
    await db.query(
      `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, 'member', now())`,
      [tenant.organizationId, owner.userId],
    );
    expect(idsOf(await list({ session: owner.token }))).toEqual([test, live]);
    expect(idsOf(await list({ session: owner.token }, '?environment=test&status=dead'))).toEqual([test]);
    // A member may look, and not redrive.
    expect((await redrive(live, { session: owner.token })).body.code).toBe('permission_denied');
  });

  test.each([
    '?status=queued',
    '?limit=0',
    '?limit=201',
    '?limit=x',
    '?cursor=x',
    '?environment=x',
    '?page=1',
  ])('refuses %s', async (query) => {
    const { status, body } = await api.call('GET', `/api/v1/webhook-deliveries${query}`, { key });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
  });

  test('costs what its page costs: rare statuses are found by the index', async () => {
    await db.query(
      `insert into messages (id, organization_id, environment, sender, recipient, text, encoding, segments, status, metadata, created_at, valid_until)
        select gen_random_uuid(), ?, 'live', 'ACME', '+251911234567', 'x', 'gsm7', 1, 'accepted', '{}', now(), now()
        from generate_series(1, 20000)`,
      [tenant.organizationId],
    );
    await db.query(
      `insert into webhook_deliveries (id, organization_id, environment, message_id, event, position, url, body, status, created_at)
        select gen_random_uuid(), organization_id, 'live', id, 'message.accepted', 1, 'https://example.com/', '{}', 'delivered', now()
        from messages where organization_id = ?`,
      [tenant.organizationId],
    );
    await store('dead');
    await db.query('vacuum analyze webhook_deliveries');
    const { organizationId } = tenant;
    for (const status of ['dead', undefined] as const) {
      const select = selectDeliveriesOf(
        { organizationId, environments: ['live', 'test'] },
        { status, limit: 50, before: null },
      );
      const rowsRead = await countRowsRead(db.database, 'webhook_deliveries', select);
      expect(rowsRead).toBeLessThanOrEqual(8 * 51);
    }
    expect((await list({ key }, '?status=dead')).data).toHaveLength(1);
    expect((await list({ key })).data).toHaveLength(50);
    await db.query('delete from messages where organization_id = ?', [organizationId]);
  });
});

describe('a redrive', () => {
  const encodings: [string, (fields: Record<string, string>) => CallOptions][] = [
    ['JSON', (fields) => ({ json: fields })],
    ['urlencoded', (fields) => ({ form: fields })],
    ['multipart', (fields) => ({ multipart: fields })],
  ];

  test('makes a dead delivery pending with a fresh budget, due at once, and keeps all the rest', async () => {
    const id = await store('dead');
    const before = await stateOf(id);
    const { status, body } = await redrive(id, { key });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'pending', attempts: 8, lastAttempt: { number: 8 } });
    expect(Math.abs(Date.parse(body.nextAttemptAt) - Date.now())).toBeLessThan(10_000);
    expect(await stateOf(id)).toMatchObject({
      ...{ status: 'pending', attempts: 8, attempts_before: 8, body: before['body'], kept: 8, audited: 1 },
    });
    const [line] = await db.query(
      'select action, actor_kind, organization_id, details from audit_events where subject_id = ?',
      [id],
    );
    expect(line).toEqual({
      action: 'webhook_delivery.redriven',
      actor_kind: 'api_key',
      organization_id: tenant.organizationId,
      details: { messageId: body.messageId, event: 'message.accepted', attempts: 8 },
    });
  });

  test('takes the same body in all three encodings, or none, and answers alike', async () => {
    const answers = [];
    for (const options of [
      ...encodings.map(([, encode]) => encode({ organizationId: tenant.organizationId })),
      {},
      { json: {} },
      { headers: { 'Content-Type': 'application/json' } },
    ]) {
      const { status, body } = await redrive(await store('dead'), { key, ...options });
      answers.push({
        status,
        body: { ...body, id: '', messageId: '', createdAt: '', nextAttemptAt: '', lastAttempt: null },
      });
    }
    expect(answers[0]!.status).toBe(200);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test.each(encodings)(
    'refuses what it does not know, and another organization, in %s, and changes nothing',
    async (_name, encode) => {
      const id = await store('dead');
      const other = await createTenant(db.database);
      const before = await stateOf(id);
      const answers = [
        await redrive(id, { key, ...encode({ status: 'pending' }) }),
        await redrive(id, { key, ...encode({ organizationId: other.organizationId }) }),
        await redrive(id, {
          key: await other.createKey(),
          ...encode({ organizationId: other.organizationId }),
        }),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [400, 'invalid_request'],
        [404, 'not_found'],
        [404, 'not_found'],
      ]);
      expect(await stateOf(id)).toEqual(before);
    },
  );

  test.each<Status>(['pending', 'retrying', 'delivered'])(
    'of a %s delivery is a 409 that says so, and changes nothing',
    async (status) => {
      const id = await store(status);
      const before = await stateOf(id);
      const answer = await redrive(id, { key });
      expect(answer.body).toMatchObject({ status: 409, code: 'invalid_state' });
      expect(answer.body.detail).toContain(`The delivery is ${status}, and only a dead one can be redriven`);
      expect(await stateOf(id)).toEqual(before);
    },
  );

  test.each([
    ['no id', () => 'x'],
    ['an id of nothing', () => uuidv7()],
    ['an id with a NUL', () => '%00'],
    ['one of the other environment', () => store('dead', { environment: 'test' })],
    ['one of another organization', async () => store('dead', { of: await createTenant(db.database) })],
  ])('of %s is the same 404 as of any', async (_name, make) => {
    const { status, body } = await redrive(await make(), { key });
    const nothing = await redrive(uuidv7(), { key });
    expect(status).toBe(404);
    expect({ ...body, requestId: '' }).toEqual({ ...nothing.body, requestId: '' });
  });

  test('by twenty at once is done by one, once', async () => {
    const id = await store('dead');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? redrive(id, { key })
          : administrator.call('POST', `/api/v1/admin/webhook-deliveries/${id}/redrive`),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(await stateOf(id)).toMatchObject({ status: 'pending', attempts_before: 8, audited: 1 });
  });

  test('that fails leaves neither a change nor a line in the audit log', async () => {
    const id = await store('dead');
    await db.query(`alter table audit_events add constraint none_now check (subject_id <> '${id}')`);
    expect((await redrive(id, { key })).status).toBe(500);
    await db.query('alter table audit_events drop constraint none_now');
    expect(await stateOf(id)).toMatchObject({ status: 'dead', audited: 0 });
  });
});

describe('an administrator', () => {
  const path = '/api/v1/admin/webhook-deliveries';

  test('sees the deliveries of all organizations and environments, or of one, by status and page', async () => {
    const other = await createTenant(db.database);
    const [ours, theirs, tests] = [
      await store('dead'),
      await store('dead', { of: other }),
      await store('retrying', { environment: 'test' }),
    ];
    const session = { session: administrator.token };
    const all = await list(session, '?limit=3', path);
    expect(all.data.map(({ id, organizationId }) => [id, organizationId])).toEqual([
      [tests, tenant.organizationId],
      [theirs, other.organizationId],
      [ours, tenant.organizationId],
    ]);
    expect(idsOf(await list(session, '?limit=2&status=dead', path))).toEqual([theirs, ours]);
    const next = await list(
      session,
      `?limit=1&cursor=${(await list(session, '?limit=1', path)).pagination.nextCursor}`,
      path,
    );
    expect(idsOf(next)).toEqual([theirs]);
    expect(idsOf(await list(session, `?organizationId=${tenant.organizationId}`, path))).toEqual([
      tests,
      ours,
    ]);
    expect(idsOf(await list(session, `?organizationId=${tenant.organizationId}&status=dead`, path))).toEqual([
      ours,
    ]);
    expect(idsOf(await list(session, '?organizationId=nothing', path))).toEqual([]);
  });

  test('redrives any dead delivery; the audit log of its organization names the administrator', async () => {
    const owner = await signUp(api);
    const { organizationId } = await createOrganization(owner);
    const id = await store('dead', { of: { ...tenant, organizationId }, environment: 'test' });
    const { status, body } = await administrator.call('POST', `${path}/${id}/redrive`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, organizationId, status: 'pending' });
    const { body: log } = await owner.call('GET', `/api/v1/audit-events?organizationId=${organizationId}`);
    expect(log.data[0]).toMatchObject({
      action: 'webhook_delivery.redriven',
      subjectId: id,
      actor: { kind: 'user', id: administrator.userId },
    });
    const again = await administrator.call('POST', `${path}/${id}/redrive`);
    expect(again.body).toMatchObject({ status: 409, code: 'invalid_state' });
    expect((await administrator.call('POST', `${path}/${uuidv7()}/redrive`)).status).toBe(404);
    expect((await administrator.call('POST', `${path}/x/redrive`)).status).toBe(404);
  });
});

describe('one delivery', () => {
  const read = (id: string, caller: CallOptions = { key }) =>
    api.call('GET', `/api/v1/webhook-deliveries/${id}`, caller);

  test('is returned with the body of its requests and its attempts, newest first', async () => {
    const id = await store('dead', { attempts: 3 });
    const { body } = await read(id);
    expect(body).toMatchObject({ delivery: { id, status: 'dead', attempts: 3 }, body: '{"a":1}' });
    expect((body.attempts as { response: string }[]).map(({ response }) => response)).toEqual([
      ...['answer 3', 'answer 2', 'answer 1'],
    ]);
    expect(body.attempts[0]).toEqual(body.delivery.lastAttempt);
  });

  test('has no attempts before the first one', async () => {
    expect((await read(await store('pending', { attempts: 0 }))).body.attempts).toEqual([]);
  });

  test('of the other environment, or of another organization, is unknown', async () => {
    const id = await store('dead');
    const stranger = await createTenant(db.database);
    for (const caller of [{ key: testKey }, { key: await stranger.createKey() }])
      expect((await read(id, caller)).status).toBe(404);
    expect((await read('no-id')).status).toBe(404);
  });
});

test('the list of one message has its deliveries and no others', async () => {
  const id = await store('dead');
  await store('dead');
  const { messageId } = (await api.call('GET', `/api/v1/webhook-deliveries/${id}`, { key })).body.delivery;
  const idsBy = async (query: string, by = key) =>
    (
      (await api.call('GET', `/api/v1/webhook-deliveries?${query}`, { key: by })).body.data as {
        id: string;
      }[]
    ).map((delivery) => delivery.id);
  expect(await idsBy(`messageId=${messageId}`)).toEqual([id]);
  expect(await idsBy(`messageId=${messageId}&status=delivered`)).toEqual([]);
  expect(await idsBy(`messageId=${messageId}`, testKey)).toEqual([]);
  expect(await idsBy('messageId=no-id')).toEqual([]);
});
