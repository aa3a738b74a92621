import { redrivableErrorCodes } from '../../src/redrives/redrivable-errors.ts';
import { auditActions } from '../../src/audit/audit-event.entity.ts';
import { loadContract } from '../../src/http/contract/contract.ts';
import { storeFailedMessages } from '../helpers/failed-messages.ts';
import { createOrganization, problemOf, signUp } from '../helpers/people.ts';
import { redrivePaths, startRedriveTest, withinAnHour, type RedriveTest } from '../helpers/redrives.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let redrives: RedriveTest;
let tenant: Tenant;

beforeAll(async () => {
  redrives = await startRedriveTest();
}, 60_000);

beforeEach(async () => {
  tenant = await createTenant(redrives.db.database);
  redrives.takeStarted();
});

afterAll(() => redrives.stop());

/** The filter that finds the tenant's. */
const ours = (more: object = {}) => ({ ...withinAnHour(tenant.organizationId), ...more });

const storedRedrives = async () => (await redrives.db.query('select id from redrives')).length;

describe.each([['messages'], ['webhook_deliveries']] as const)('the request to redrive %s', (kind) => {
  test('is stored with its line in the audit log and answered though Temporal is down', async () => {
    const errorCode = kind === 'messages' ? 'undelivered' : '503';
    const filter = ours({ errorCode, environment: 'test' });
    const body = await redrives.request(kind, { ...filter, limit: 7 });
    expect(body).toMatchObject({
      ...{ kind, status: 'pending', filter, limit: 7, matched: 0, redriven: 0, skipped: {} },
      ...{ requestedBy: redrives.administrator.userId, startedAt: null, endedAt: null },
    });
    expect(await redrives.read(body.id as string)).toEqual(body);
    expect(
      await redrives.db.query(
        'select action, actor_id, organization_id, details from audit_events where subject_id = ?',
        [body.id],
      ),
    ).toEqual([
      {
        action: `${kind}.redriven`,
        actor_id: redrives.administrator.userId,
        organization_id: tenant.organizationId,
        details: { filter, limit: 7 },
      },
    ]);
  });

  test('is answered alike in the three encodings', async () => {
    const fields = { ...ours(), limit: '20', environment: 'live' };
    const answers = await Promise.all([
      redrives.administrator.call('POST', redrivePaths[kind], { json: { ...fields, limit: 20 } }),
      redrives.administrator.call('POST', redrivePaths[kind], { form: fields }),
      redrives.administrator.call('POST', redrivePaths[kind], { multipart: fields }),
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
    const body = await redrives.request(kind, withinAnHour());
    expect(body).toMatchObject({ limit: 1000, filter: { organizationId: null } });
    const [line] = await redrives.db.query<{ organization_id: null }>(
      'select organization_id from audit_events where subject_id = ?',
      [body.id],
    );
    expect(line!.organization_id).toBeNull();
    await redrives.administrator.call('POST', `/api/v1/admin/redrives/${body.id}/cancel`);
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
    ['a number for a time', { from: 0 }, '/body/from', 'wrong_type'],
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
      const answer = await redrives.administrator.call('POST', redrivePaths[kind], {
        json: { ...withinAnHour(), ...change },
      });
      expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
      expect(answer.body.errors).toContainEqual({ path: field, code, message: expect.any(String) });
      expect(await storedRedrives()).toBe(before);
    },
  );

  test('of an organization that is none is not found, and nothing is stored', async () => {
    const before = await storedRedrives();
    const organizationId = '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa';
    const answer = await redrives.administrator.call('POST', redrivePaths[kind], {
      json: { ...withinAnHour(), organizationId },
    });
    expect(problemOf(answer)).toEqual({ status: 404, code: 'not_found' });
    expect(await storedRedrives()).toBe(before);
  });

  test('is for administrators: an owner can neither make one nor see nor stop it', async () => {
    const owner = await signUp(redrives.api);
    const { organizationId } = await createOrganization(owner);
    const { id } = await redrives.request(kind, ours());
    for (const [method, target, json] of [
      ['POST', redrivePaths[kind], { ...withinAnHour(), organizationId }],
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
    const answer = await redrives.administrator.call('POST', redrivePaths.messages, {
      json: ours({ errorCode }),
    });
    expect(answer.body.errors).toMatchObject([{ path: '/body/errorCode', code: 'not_allowed' }]);
  },
);

test('the interface names the codes that may be redriven, and the actions of the log', () => {
  const contract = loadContract();
  const { properties } = contract.resolve({ $ref: '#/components/schemas/MessageRedriveInput' });
  expect(properties!['errorCode']).toMatchObject({ enum: redrivableErrorCodes });
  expect(auditActions).toEqual(expect.arrayContaining(['messages.redriven', 'webhook_deliveries.redriven']));
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
  const plan = await redrives.db.database.em.fork().transactional(async (em) => {
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
    for (let n = 0; n < 3; n += 1) ids.push((await redrives.request('messages', ours())).id as string);
    const first = await redrives.administrator.call('GET', '/api/v1/admin/redrives?limit=2');
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]]);
    const { nextCursor } = first.body.pagination;
    const second = await redrives.administrator.call(
      'GET',
      `/api/v1/admin/redrives?limit=1&cursor=${nextCursor}`,
    );
    expect(second.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
  });

  test.each([
    ['GET', 'x', ''],
    ['GET', '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa', ''],
    ['POST', 'x', '/cancel'],
    ['POST', '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa', '/cancel'],
  ])('%s of an id that is none, %s%s, is not found', async (method, id, action) => {
    const answer = await redrives.administrator.call(method, `/api/v1/admin/redrives/${id}${action}`);
    expect(problemOf(answer)).toEqual({ status: 404, code: 'not_found' });
  });

  test.each(['limit=0', 'limit=201', 'cursor=nonsense', 'kind=x'])(
    'the list with %s is refused',
    async (query) => {
      const answer = await redrives.administrator.call('GET', `/api/v1/admin/redrives?${query}`);
      expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
    },
  );

  test('one that is cancelled does no page more, keeps what it did, and can be cancelled once', async () => {
    await storeFailedMessages(redrives.db, tenant, { count: 450 });
    const { id } = await redrives.request('messages', ours());
    await redrives.redrivePage(id as string);
    const cancel = () => redrives.administrator.call('POST', `/api/v1/admin/redrives/${id}/cancel`);
    const answers = await Promise.all([cancel(), cancel(), cancel()]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409']);
    const { body } = answers.find(({ status }) => status === 200)!;
    expect(body).toMatchObject({ status: 'cancelled', matched: 200, redriven: 200 });
    expect(body.endedAt).not.toBeNull();
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ code: 'invalid_state' });
    expect(await redrives.redrivePage(id as string)).toMatchObject({ status: 'cancelled', redriven: 200 });
    const copies = await redrives.db.query(
      'select id from messages where redriven_from is not null and organization_id = ?',
      [tenant.organizationId],
    );
    expect(copies).toHaveLength(200);
    expect(await redrives.read(id as string)).toEqual(body);
    expect(
      await redrives.db.query(
        'select action, actor_id, details from audit_events where subject_id = ? order by id',
        [id],
      ),
    ).toMatchObject([
      { action: 'messages.redriven' },
      {
        action: 'redrive.cancelled',
        actor_id: redrives.administrator.userId,
        details: { matched: 200, redriven: 200 },
      },
    ]);
  });

  test.each([
    ['a broken constraint', '23514', 'failed'],
    ['a value that cannot be stored', '22P05', 'failed'],
    ['a deadlock', '40P01', 'pending'],
    ['a lost connection', '08006', 'pending'],
  ])('one whose page fails by %s (%s) is %s', async (_what, code, status) => {
    const { db, redrivePage, read } = redrives;
    const [old] = await storeFailedMessages(db, tenant, {});
    await db.query(`create function refuse_row() returns trigger language plpgsql as $$
      begin raise exception 'refused' using errcode = '${code}'; end $$`);
    await db.query(`create trigger refuse_row before insert on messages for each row
      when (new.redriven_from = '${old}') execute function refuse_row()`);
    const { id } = await redrives.request('messages', ours());
    await expect(redrivePage(id as string)).rejects.toThrow('refused');
    await db.query('drop function refuse_row cascade');
    const hasFailed = status === 'failed';
    expect(await read(id as string)).toMatchObject({
      ...{ status, matched: 0, redriven: 0, endedAt: hasFailed ? expect.any(String) : null },
      failure: hasFailed
        ? { code: 'processing_failed', message: expect.stringContaining('permanent') }
        : null,
    });
    // The next attempt: it reads that the redrive has failed, or takes the page.
    expect(await redrivePage(id as string)).toMatchObject(
      hasFailed ? { status, redriven: 0 } : { status: 'completed', redriven: 1 },
    );
  });

  test('one that has ended cannot be cancelled', async () => {
    const { id } = await redrives.request('messages', ours());
    await redrives.carryOut(id as string);
    const answer = await redrives.administrator.call('POST', `/api/v1/admin/redrives/${id}/cancel`);
    expect(problemOf(answer)).toEqual({ status: 409, code: 'invalid_state' });
    expect(answer.body.detail).toContain('completed');
  });

  test('one that is not there, as after a restored backup, ends its workflow', async () => {
    expect(await redrives.redrivePage('019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa')).toBeNull();
  });
});
