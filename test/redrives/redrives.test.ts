import { createRedrivePage } from '../../src/redrives/redrive-page.ts';
import { redrivableErrorCodes } from '../../src/redrives/redrivable-errors.ts';
import { auditActions } from '../../src/audit/audit-event.entity.ts';
import { loadContract } from '../../src/http/contract.ts';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { storeFailedMessages } from '../helpers/failed-messages.ts';
import { createOrganization, makeAdministrator, problemOf, signUp, type Person } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let administrator: Person;
let started: string[];
let redrivePage: ReturnType<typeof createRedrivePage>;

beforeAll(async () => {
  db = await createTestDatabase();
  // Without a workflow client Temporal is down: every request below is answered all the same.
  api = await startTestApi({ database: db.database });
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
  const start = ({ id }: { id: string }) => void started.push(id);
  redrivePage = createRedrivePage({
    database: db.database,
    startRows: { messages: start, webhook_deliveries: start },
    now: () => new Date(),
  });
}, 60_000);

beforeEach(async () => {
  tenant = await createTenant(db.database);
  started = [];
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const messages = '/api/v1/admin/messages/redrive';
const deliveries = '/api/v1/admin/webhook-deliveries/redrive';
const hourMs = 3_600_000;
const hour = () => ({
  from: new Date(Date.now() - hourMs).toISOString(),
  to: new Date(Date.now() + hourMs).toISOString(),
});

/** The filter that finds the tenant's of the last hour. */
const ours = (more: object = {}) => ({ ...hour(), organizationId: tenant.organizationId, ...more });

async function request(path: string, json: object): Promise<Answer['body']> {
  const { status, body } = await administrator.call('POST', path, { json });
  expect({ status, body }).toMatchObject({ status: 202 });
  return body;
}

const read = async (id: string): Promise<Answer['body']> =>
  (await administrator.call('GET', `/api/v1/admin/redrives/${id}`)).body;

/** Carries a redrive to its end, as its workflow does. */
async function carryOut(id: string): Promise<Answer['body']> {
  for (let page = 1; page < 100; page += 1) {
    const progress = await redrivePage(id);
    if (progress?.status !== 'running') return read(id);
  }
  throw new Error('The redrive does not end.');
}

const redrive = async (path: string, json: object) => carryOut((await request(path, json)).id as string);

interface Row {
  id: string;
  status: string;
  redriven_from: string | null;
  [column: string]: unknown;
}

const copiesOf = (ids: string[]): Promise<Row[]> =>
  db.query(
    `select * from messages where redriven_from::text = any (string_to_array(?, ',')) order by created_at, id`,
    [ids.join(',')],
  );

const timeline = (id: string) =>
  db.query<{ kind: string; status: string | null; details: Record<string, string> }>(
    'select kind, status, details from message_events where message_id = ? order by id',
    [id],
  );

const storedRedrives = async () => (await db.query('select id from redrives')).length;

describe.each([
  ['messages', messages],
  ['webhook_deliveries', deliveries],
])('the request to redrive %s', (...[kind, path]) => {
  test('is stored with its line in the audit log and answered though Temporal is down', async () => {
    const errorCode = kind === 'messages' ? 'undelivered' : '503';
    const filter = ours({ errorCode, environment: 'test' });
    const body = await request(path, { ...filter, limit: 7 });
    expect(body).toMatchObject({
      ...{ kind, status: 'pending', filter, limit: 7, matched: 0, redriven: 0, skipped: {} },
      ...{ requestedBy: administrator.userId, startedAt: null, endedAt: null },
    });
    expect(await read(body.id as string)).toEqual(body);
    expect(
      await db.query(
        'select action, actor_id, organization_id, details from audit_events where subject_id = ?',
        [body.id],
      ),
    ).toEqual([
      {
        action: `${kind}.redriven`,
        actor_id: administrator.userId,
        organization_id: tenant.organizationId,
        details: { filter, limit: 7 },
      },
    ]);
  });

  test('is answered alike in the three encodings', async () => {
    const fields = { ...ours(), limit: '20', environment: 'live' };
    const answers = await Promise.all([
      administrator.call('POST', path, { json: { ...fields, limit: 20 } }),
      administrator.call('POST', path, { form: fields }),
      administrator.call('POST', path, { multipart: fields }),
    ]);
    const facts = answers.map(({ status, body: { id, createdAt, ...rest } }) => {
      expect([id, createdAt]).toEqual([expect.any(String), expect.any(String)]);
      return { status, ...rest };
    });
    expect(facts[0]).toMatchObject({ limit: 20, filter: { environment: 'live', errorCode: null } });
    expect(facts[1]).toEqual(facts[0]);
    expect(facts[2]).toEqual(facts[0]);
  });

  test('asks for a thousand when it does not say how many, and for the whole platform without an organization', async () => {
    const body = await request(path, hour());
    expect(body).toMatchObject({ limit: 1000, filter: { organizationId: null } });
    const [line] = await db.query<{ organization_id: null }>(
      'select organization_id from audit_events where subject_id = ?',
      [body.id],
    );
    expect(line!.organization_id).toBeNull();
    await administrator.call('POST', `/api/v1/admin/redrives/${body.id}/cancel`);
  });

  const at = '2026-11-20T00:00:00Z';
  test.each<[what: string, change: object, field: string, code: string]>([
    ['no from', { from: undefined }, '/body/from', 'required'],
    ['no to', { to: undefined }, '/body/to', 'required'],
    ['a to before from', { from: at, to: '2026-11-19T23:59:59Z' }, '/body/to', 'too_small'],
    ['a to that is from', { from: at, to: '2026-11-20T03:00:00+03:00' }, '/body/to', 'too_small'],
    ['a from before 1970', { from: '0000-01-01T00:00:00Z' }, '/body/from', 'too_small'],
    ['a date without a time', { from: '2026-11-20' }, '/body/from', 'wrong_format'],
    ['30 February', { from: '2026-02-30T00:00:00Z' }, '/body/from', 'wrong_format'],
    ['a number for a time', { from: 0 }, '/body/from', 'invalid'],
    ['limit 0', { limit: 0 }, '/body/limit', 'too_small'],
    ['limit 100001', { limit: 100_001 }, '/body/limit', 'too_large'],
    ['half a limit', { limit: 1.5 }, '/body/limit', 'wrong_type'],
    ['a limit in words', { limit: 'many' }, '/body/limit', 'wrong_type'],
    ['a numeric string for a limit', { limit: '5' }, '/body/limit', 'wrong_type'],
    ['an organization that is no id', { organizationId: 'acme' }, '/body/organizationId', 'wrong_format'],
    ['another environment', { environment: 'staging' }, '/body/environment', 'not_allowed'],
    ['an unknown code', { errorCode: 'no_such_code' }, '/body/errorCode', 'not_allowed'],
    ['an unknown field', { status: 'failed' }, '/body/status', 'unknown_field'],
  ])(
    '%s is refused with the field it is about, and nothing is stored',
    async (_what, change, field, code) => {
      const before = await storedRedrives();
      const answer = await administrator.call('POST', path, { json: { ...hour(), ...change } });
      expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
      expect(answer.body.errors).toContainEqual({ path: field, code, message: expect.any(String) });
      expect(await storedRedrives()).toBe(before);
    },
  );

  test('of an organization that is none is not found, and nothing is stored', async () => {
    const before = await storedRedrives();
    const organizationId = '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa';
    const answer = await administrator.call('POST', path, { json: { ...hour(), organizationId } });
    expect(problemOf(answer)).toEqual({ status: 404, code: 'not_found' });
    expect(await storedRedrives()).toBe(before);
  });

  test('is for administrators: an owner can neither make one nor see nor stop it', async () => {
    const owner = await signUp(api);
    const { organizationId } = await createOrganization(owner);
    const { id } = await request(path, ours());
    for (const [method, target, json] of [
      ['POST', path, { ...hour(), organizationId }],
      ['GET', '/api/v1/admin/redrives', undefined],
      ['GET', `/api/v1/admin/redrives/${id}`, undefined],
      ['POST', `/api/v1/admin/redrives/${id}/cancel`, undefined],
    ] as const) {
      const answer = await owner.call(method, target, json && { json });
      expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_denied' });
    }
  });
});

test.each([['recipient_opted_out'], ['503'], ['http_error']])(
  'messages that failed with %s cannot be asked for',
  async (errorCode) => {
    const answer = await administrator.call('POST', messages, { json: ours({ errorCode }) });
    expect(answer.body.errors).toMatchObject([{ path: '/body/errorCode', code: 'not_allowed' }]);
  },
);

test('the interface names the codes that may be redriven, and the actions of the log', () => {
  const contract = loadContract();
  const { properties } = contract.resolve({ $ref: '#/components/schemas/MessageRedriveInput' });
  expect(properties!['errorCode']).toMatchObject({ enum: redrivableErrorCodes });
  expect(auditActions).toEqual(expect.arrayContaining(['messages.redriven', 'webhook_deliveries.redriven']));
});

describe('a redrive of messages', () => {
  test('sends each as a new message like the old one, linked both ways, and leaves the old one as it is', async () => {
    const webhook = { url: 'https://example.com/hook', secret: 'a-secret-of-the-tests' };
    const [old] = await storeFailedMessages(db, tenant, { webhook, errorCode: 'undelivered' });
    const [before] = await db.query<Row>('select * from messages where id = ?', [old]);
    const asked = Date.now();
    const done = await redrive(messages, ours());
    expect(done).toMatchObject({ status: 'completed', matched: 1, redriven: 1, skipped: {} });
    expect(Date.parse(done.endedAt as string)).toBeGreaterThanOrEqual(Date.parse(done.startedAt as string));

    const [copy, ...others] = await copiesOf([old!]);
    expect(others).toEqual([]);
    const same = [
      ...[
        'organization_id',
        'environment',
        'sender',
        'recipient',
        'text',
        'encoding',
        'segments',
        'metadata',
      ],
      ...['webhook_url', 'webhook_secret'],
    ];
    for (const column of same) expect({ [column]: copy![column] }).toEqual({ [column]: before![column] });
    expect(copy).toMatchObject({
      ...{ status: 'queued', error_code: null, error_message: null, provider_message_id: null, attempts: 0 },
      ...{ accepted_at: null, sent_at: null, delivered_at: null, failed_at: null, dispatch_id: null },
      redriven_from: old,
    });
    const createdAt = Date.parse(copy!['created_at'] as string);
    expect(createdAt).toBeGreaterThanOrEqual(asked);
    expect(Date.parse(copy!['valid_until'] as string) - createdAt).toBe(72 * hourMs);
    expect(copy!['due_at']).toEqual(copy!['created_at']);
    expect(started).toEqual([copy!.id]);

    expect(await db.query('select * from messages where id = ?', [old])).toEqual([before]);
    expect((await timeline(old!)).slice(1)).toEqual([
      { kind: 'redriven', status: null, details: { messageId: copy!.id, redriveId: done.id } },
    ]);
    expect(await timeline(copy!.id)).toEqual([
      { kind: 'queued', status: 'queued', details: {} },
      { kind: 'redrive_of', status: null, details: { messageId: old, redriveId: done.id } },
    ]);
  });

  test('takes what fits its filter and nothing else', async () => {
    const stranger = await createTenant(db.database);
    const createdAt = new Date('2026-11-20T10:00:00.000Z');
    const before = new Date(createdAt.getTime() - 1);
    const store = (options: object = {}) =>
      storeFailedMessages(db, tenant, { createdAt: before, environment: 'test', ...options });
    const [first, last] = [await store(), await store({ createdAt: new Date(before.getTime() + 1) })];
    await store({ createdAt: new Date(before.getTime() - 1) });
    await store({ createdAt: new Date(before.getTime() + 2) });
    await store({ environment: 'live' });
    await store({ errorCode: 'undelivered' });
    await storeFailedMessages(db, stranger, { createdAt: before, environment: 'test' });
    for (const status of ['queued', 'accepted', 'sent', 'delivered', 'cancelled']) await store({ status });
    const done = await redrive(messages, {
      ...{ from: createdAt.toISOString(), to: new Date(createdAt.getTime() + 2).toISOString() },
      ...{ organizationId: tenant.organizationId, environment: 'test', errorCode: 'dlr_timeout' },
    });
    expect(done).toMatchObject({ status: 'completed', matched: 2, redriven: 2, skipped: {} });
    const redriven = await db.query<Row>(
      'select redriven_from from messages where redriven_from is not null and organization_id = any (array[?::uuid, ?::uuid])',
      [tenant.organizationId, stranger.organizationId],
    );
    expect(redriven.map((row) => String(row.redriven_from)).sort()).toEqual([...first, ...last].sort());
  });

  test('counts what it cannot send again by its reason, and sends nothing of it', async () => {
    const createdAt = new Date(Date.now() - 120_000);
    await storeFailedMessages(db, tenant, { count: 2, errorCode: 'recipient_opted_out' });
    await storeFailedMessages(db, tenant, { count: 3, oneTimeText: true });
    await storeFailedMessages(db, tenant, { count: 4, sender: 'FORMER' });
    await storeFailedMessages(db, tenant, { count: 1, sender: 'TEST' });
    await storeFailedMessages(db, tenant, { count: 2, sender: 'TEST', environment: 'test' });
    const again = await storeFailedMessages(db, tenant, { count: 5, createdAt });
    await redrive(messages, ours({ to: new Date(createdAt.getTime() + 1000).toISOString() }));
    expect(await copiesOf(again)).toHaveLength(5);
    const done = await redrive(messages, ours());
    expect(done).toMatchObject({
      matched: 17,
      redriven: 2,
      skipped: { error_not_redrivable: 2, one_time_text: 3, sender_not_approved: 5, already_redriven: 5 },
    });
    const [stored] = await db.query<{ count: string }>(
      'select count(*) from messages where organization_id = ? and redriven_from is not null',
      [tenant.organizationId],
    );
    expect(Number(stored!.count)).toBe(7);
  });

  test('a sender that was approved and is no longer is not used', async () => {
    await storeFailedMessages(db, tenant);
    await db.query(`update sender_ids set status = 'rejected' where organization_id = ?`, [
      tenant.organizationId,
    ]);
    expect(await redrive(messages, ours())).toMatchObject({
      redriven: 0,
      skipped: { sender_not_approved: 1 },
    });
  });

  test.each([
    ['within a page', 3, 10],
    ['at the end of a page', 200, 260],
    ['on a later page', 250, 450],
  ])('stops at its limit %s, oldest first, and another goes on from there', async (...[, limit, count]) => {
    const createdAt = new Date(Date.now() - 120_000);
    await storeFailedMessages(db, tenant, {
      count: 2,
      sender: 'FORMER',
      createdAt: new Date(createdAt.getTime() - 10),
    });
    const ids = await storeFailedMessages(db, tenant, { count, createdAt });
    expect(await redrive(messages, ours({ limit }))).toMatchObject({
      ...{ status: 'completed', redriven: limit, matched: limit + 2, skipped: { sender_not_approved: 2 } },
    });
    const copied = (await copiesOf(ids)).map((row) => String(row.redriven_from));
    expect(copied.sort()).toEqual(ids.slice(0, limit).sort());
    const rest = await redrive(messages, ours());
    expect(rest).toMatchObject({
      ...{ redriven: count - limit, matched: count + 2 },
      skipped: { sender_not_approved: 2, already_redriven: limit },
    });
    expect(await copiesOf(ids)).toHaveLength(count);
  });

  test('a time that ends in the future does not make it find its own messages when they fail', async () => {
    const [old] = await storeFailedMessages(db, tenant);
    const { id } = await request(messages, ours());
    await redrivePage(id as string);
    const [copy] = await copiesOf([old!]);
    await db.query(`update messages set status = 'failed', error_code = 'not_routable' where id = ?`, [
      copy!.id,
    ]);
    // As if the process had died before it wrote that nothing is left.
    await db.query(`update redrives set status = 'running', ended_at = null where id = ?`, [id]);
    expect(await carryOut(id as string)).toMatchObject({ status: 'completed', matched: 1, redriven: 1 });
    expect(await copiesOf([copy!.id])).toEqual([]);
    // A message that failed again is a message like others: a later redrive may send it once more.
    expect(await redrive(messages, ours())).toMatchObject({ redriven: 1, skipped: { already_redriven: 1 } });
  });

  test('two redrives of the same filter at the same time send each message once, and count it once each', async () => {
    const ids = await storeFailedMessages(db, tenant, { count: 900 });
    const both = await Promise.all([redrive(messages, ours()), redrive(messages, ours())]);
    const copies = await copiesOf(ids);
    expect(copies).toHaveLength(900);
    expect(new Set(copies.map((row) => String(row.redriven_from))).size).toBe(900);
    for (const { matched, redriven, skipped } of both) {
      expect({ matched, sum: redriven + (skipped.already_redriven ?? 0) }).toEqual({
        matched: 900,
        sum: 900,
      });
    }
    expect(both[0].redriven + both[1].redriven).toBe(900);
    expect(started.toSorted()).toEqual(copies.map(({ id }) => id).toSorted());
  });

  test('two pages of one redrive at the same time do two pages, not one twice', async () => {
    const ids = await storeFailedMessages(db, tenant, { count: 700 });
    const { id } = await request(messages, ours());
    await Promise.all([redrivePage(id as string), redrivePage(id as string), redrivePage(id as string)]);
    expect(await read(id as string)).toMatchObject({ status: 'running', matched: 600, redriven: 600 });
    expect(await copiesOf(ids)).toHaveLength(600);
  });

  test('a page that fails leaves no message, no event, no count', async () => {
    const ids = await storeFailedMessages(db, tenant, { count: 3 });
    const { id } = await request(messages, ours());
    await db.query(`alter table redrives add constraint no_progress check (redriven = 0) not valid`);
    await expect(redrivePage(id as string)).rejects.toThrow('no_progress');
    await db.query(`alter table redrives drop constraint no_progress`);
    expect(await copiesOf(ids)).toEqual([]);
    expect(await timeline(ids[0]!)).toHaveLength(1);
    expect(await read(id as string)).toMatchObject({ status: 'pending', matched: 0, redriven: 0 });
    expect(started).toEqual([]);
    expect(await carryOut(id as string)).toMatchObject({ status: 'completed', redriven: 3 });
  });

  test('a message cannot be redriven twice, whoever tries', async () => {
    const [old] = await storeFailedMessages(db, tenant);
    await redrive(messages, ours());
    const [other] = await storeFailedMessages(db, tenant);
    await expect(
      db.query('update messages set redriven_from = ? where id = ?', [old, other]),
    ).rejects.toThrow('messages_redriven_from_unique');
  });

  test('what fits rarely is found by pages that cost the same', async () => {
    const createdAt = new Date(Date.now() - 300_000);
    await storeFailedMessages(db, tenant, { count: 950, createdAt });
    await storeFailedMessages(db, tenant, { count: 2, errorCode: 'not_routable' });
    const { id } = await request(messages, ours({ errorCode: 'not_routable' }));
    let pages = 1;
    while ((await redrivePage(id as string))?.status === 'running') pages += 1;
    expect(pages).toBe(5);
    expect(await read(id as string)).toMatchObject({ matched: 2, redriven: 2, skipped: {} });
  });
});

test.each([
  ['messages', 'failed', `created_at < '2026-11-21T00:00:00Z'`, 'messages_failed'],
  [
    'messages',
    'failed',
    `organization_id = '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa'`,
    'messages_failed_of_organization',
  ],
  ['webhook_deliveries', 'dead', `created_at < '2026-11-21T00:00:00Z'`, 'webhook_deliveries_dead_in_time'],
  [
    ...(['webhook_deliveries', 'dead', `organization_id = '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa'`] as const),
    'webhook_deliveries_dead_of_organization',
  ],
])('a page of %s, %s, where %s is read from %s', async (...[table, status, condition, index]) => {
  // Whether there is a way, not whether it pays on the few rows of a test.
  const plan = await db.database.em.fork().transactional(async (em) => {
    await em.execute('set local enable_seqscan = off');
    await em.execute('set local enable_bitmapscan = off');
    await em.execute('set local enable_sort = off');
    return em.execute(`explain select * from ${table} where status = '${status}' and ${condition}
      and (created_at, id) > ('2026-11-20T00:00:00Z', '00000000-0000-0000-0000-000000000000')
      order by created_at, id limit 200`);
  });
  expect(JSON.stringify(plan)).toContain(`using ${index} `);
});

describe('redrives', () => {
  test('are listed newest first, page by page', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await request(messages, ours())).id as string);
    const first = await administrator.call('GET', '/api/v1/admin/redrives?limit=2');
    expect(first.body.data.map(({ id }: Row) => id)).toEqual([ids[2], ids[1]]);
    const { nextCursor } = first.body.pagination;
    const second = await administrator.call('GET', `/api/v1/admin/redrives?limit=1&cursor=${nextCursor}`);
    expect(second.body.data.map(({ id }: Row) => id)).toEqual([ids[0]]);
  });

  test.each([
    ['GET', 'x', ''],
    ['GET', '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa', ''],
    ['POST', 'x', '/cancel'],
    ['POST', '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa', '/cancel'],
  ])('%s of an id that is none, %s%s, is not found', async (method, id, action) => {
    const answer = await administrator.call(method, `/api/v1/admin/redrives/${id}${action}`);
    expect(problemOf(answer)).toEqual({ status: 404, code: 'not_found' });
  });

  test.each(['limit=0', 'limit=201', 'cursor=nonsense', 'kind=x'])(
    'the list with %s is refused',
    async (query) => {
      const answer = await administrator.call('GET', `/api/v1/admin/redrives?${query}`);
      expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
    },
  );

  test('one that is cancelled does no page more, keeps what it did, and can be cancelled once', async () => {
    const ids = await storeFailedMessages(db, tenant, { count: 450 });
    const { id } = await request(messages, ours());
    await redrivePage(id as string);
    const cancel = () => administrator.call('POST', `/api/v1/admin/redrives/${id}/cancel`);
    const answers = await Promise.all([cancel(), cancel(), cancel()]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409']);
    const { body } = answers.find(({ status }) => status === 200)!;
    expect(body).toMatchObject({ status: 'cancelled', matched: 200, redriven: 200 });
    expect(body.endedAt).not.toBeNull();
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ code: 'invalid_state' });
    expect(await redrivePage(id as string)).toMatchObject({ status: 'cancelled', redriven: 200 });
    expect(await copiesOf(ids)).toHaveLength(200);
    expect(await read(id as string)).toEqual(body);
    expect(
      await db.query('select action, actor_id, details from audit_events where subject_id = ? order by id', [
        id,
      ]),
    ).toMatchObject([
      { action: 'messages.redriven' },
      {
        action: 'redrive.cancelled',
        actor_id: administrator.userId,
        details: { matched: 200, redriven: 200 },
      },
    ]);
  });

  test('one that has ended cannot be cancelled', async () => {
    const { id } = await redrive(messages, ours());
    const answer = await administrator.call('POST', `/api/v1/admin/redrives/${id}/cancel`);
    expect(problemOf(answer)).toEqual({ status: 409, code: 'invalid_state' });
    expect(answer.body.detail).toContain('completed');
  });

  test('one that is not there, as after a restored backup, ends its workflow', async () => {
    expect(await redrivePage('019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa')).toBeNull();
  });
});
