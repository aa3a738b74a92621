import { startTestApi, type Answer, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, problemOf, signUp } from '../helpers/people.ts';
import { duringChange } from '../helpers/uncommitted.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let live: string;
let testKey: string;
let now: Date;

const dayMs = 24 * 60 * 60 * 1000;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => now });
  tenant = await createTenant(db.database);
  live = await tenant.createKey();
  testKey = await tenant.createKey({ environment: 'test' });
});

beforeEach(() => {
  now = new Date('2027-01-15T12:00:00Z');
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const once = { to: '0911234567', text: 'Selam', scheduleType: 'once', startsAt: '2027-01-31T09:00:00+03:00' };
const monthly = { ...once, scheduleType: 'recurring', recurrence: { unit: 'month', interval: 1 } };

function create(json: unknown, key = live): Promise<Answer> {
  return api.call('POST', '/api/v1/messages/schedule', { key, json });
}

async function created(json: unknown, key = live): Promise<string> {
  const { status, body } = await create(json, key);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id as string;
}

function act(id: string, action: string, key = live): Promise<Answer> {
  return api.call('PATCH', `/api/v1/message-schedules/${id}/status`, { key, json: { action } });
}

async function list(query = '', caller: CallOptions = { key: live }): Promise<any[]> {
  const { status, body } = await api.call('GET', `/api/v1/message-schedules${query}`, caller);
  expect(status).toBe(200);
  return body.data;
}

async function read(id: string, key = live): Promise<any> {
  return (await list('?limit=200', { key })).find((schedule) => schedule.id === id);
}

const rows = () => db.query('select * from message_schedules order by id');

describe('POST /api/v1/messages/schedule', () => {
  test('201 is answered once the schedule is committed, while Temporal is down, and nothing is sent yet', async () => {
    const answer = await create({ ...monthly, from: 'ACME', timezone: 'europe/berlin' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      organizationId: tenant.organizationId,
      environment: 'live',
      to: '+251911234567',
      text: 'Selam',
      from: 'ACME',
      scheduleType: 'recurring',
      startsAt: '2027-01-31T06:00:00.000Z',
      endsAt: null,
      timezone: 'Europe/Berlin',
      recurrence: { unit: 'month', interval: 1 },
      status: 'active',
      nextRunAt: '2027-01-31T06:00:00.000Z',
      upcomingRuns: [
        '2027-01-31T06:00:00.000Z',
        '2027-02-28T06:00:00.000Z',
        '2027-03-31T05:00:00.000Z',
        '2027-04-30T05:00:00.000Z',
        '2027-05-31T05:00:00.000Z',
      ],
      lastRunAt: null,
      lastRuns: [],
      counts: { created: 0, failed: 0, missed: 0, skipped: 0 },
      createdAt: '2027-01-15T12:00:00.000Z',
    });
    expect(await read(answer.body.id)).toEqual(answer.body);
    expect(await db.query('select id from messages')).toEqual([]);
  });

  test('the three encodings carry the same fields and get the same answer', async () => {
    const fields = {
      to: '+251911234567',
      text: 'ሰላም & more',
      from: 'ACME',
      scheduleType: 'recurring',
      startsAt: '2027-01-31T06:00:00Z',
      endsAt: '2027-03-31T06:00:00Z',
      timezone: 'Africa/Addis_Ababa',
    };
    const brackets = { ...fields, 'recurrence[unit]': 'month', 'recurrence[interval]': '1' };
    const jsonInside = { ...fields, recurrence: '{"unit":"month","interval":1}' };
    const bodies: Record<string, CallOptions> = {
      json: { json: { ...fields, recurrence: { unit: 'month', interval: 1 } } },
      'json with a numeric string': { json: { ...fields, recurrence: { unit: 'month', interval: '01' } } },
      'urlencoded with brackets': { form: brackets },
      'urlencoded with JSON inside': { form: jsonInside },
      'multipart with brackets': { multipart: brackets },
      'multipart with JSON inside': { multipart: jsonInside },
    };
    for (const [encoding, body] of Object.entries(bodies)) {
      const answer = await api.call('POST', '/api/v1/messages/schedule', { key: testKey, ...body });
      expect({ encoding, status: answer.status, body: answer.body }).toMatchObject({
        encoding,
        status: 201,
        body: {
          to: fields.to,
          text: fields.text,
          from: 'ACME',
          environment: 'test',
          endsAt: '2027-03-31T06:00:00.000Z',
          recurrence: { unit: 'month', interval: 1 },
          upcomingRuns: ['2027-01-31T06:00:00.000Z', '2027-02-28T06:00:00.000Z', '2027-03-31T06:00:00.000Z'],
        },
      });
    }
    const id = await created(monthly);
    for (const body of [{ form: { action: 'pause' } }, { multipart: { action: 'resume' } }]) {
      const answer = await api.call('PATCH', `/api/v1/message-schedules/${id}/status`, {
        key: live,
        ...body,
      });
      expect(answer.status).toBe(200);
    }
  });

  test('without a time zone, the one of the organization holds', async () => {
    const other = await createTenant(db.database);
    await db.query(`update organizations set metadata = ? where id = ?`, [
      JSON.stringify({ timezone: 'Asia/Kathmandu' }),
      other.organizationId,
    ]);
    const { status, body } = await create({ ...once, from: other.sender }, await other.createKey());
    expect({ status, timezone: body.timezone }).toEqual({ status: 201, timezone: 'Asia/Kathmandu' });
  });

  test('without a sender, from is null and Addis Ababa the time zone; TEST is a sender of test keys', async () => {
    expect((await create(once)).body).toMatchObject({ from: null, timezone: 'Africa/Addis_Ababa' });
    expect((await create({ ...once, from: 'TEST' }, testKey)).status).toBe(201);
    expect(problemOf(await create({ ...once, from: 'TEST' }))).toEqual({
      status: 422,
      code: 'sender_not_approved',
    });
  });

  test('a session schedules live messages', async () => {
    now = new Date(); // Sessions expire by the clock.
    const owner = await signUp(api);
    const { organizationId } = await createOrganization(owner);
    const json = { ...once, startsAt: '2999-01-31T06:00:00Z', organizationId };
    const refused = await owner.call('POST', '/api/v1/messages/schedule', { json });
    expect(problemOf(refused)).toEqual({ status: 422, code: 'sender_required' });
    await db.query(
      `insert into sender_ids (id, organization_id, value, status, is_default, use_case, sample_message, created_at)
       values (gen_random_uuid(), ?, 'OTHER', 'approved', true, 'x', 'x', now())`,
      [organizationId],
    );
    const { status, body } = await owner.call('POST', '/api/v1/messages/schedule', { json });
    expect({ status, environment: body.environment }).toEqual({ status: 201, environment: 'live' });
    expect(await list('?environment=test', { session: owner.token })).toEqual([]);
    expect(await list('?environment=live', { session: owner.token })).toHaveLength(1);
  });

  test('what began up to a minute ago is taken, and due at once', async () => {
    const { status, body } = await create({ ...once, startsAt: '2027-01-15T11:59:00Z' });
    expect({ status, nextRunAt: body.nextRunAt }).toEqual({
      status: 201,
      nextRunAt: '2027-01-15T11:59:00.000Z',
    });
  });

  test('an interval without a second occurrence before the year 10000 is fine', async () => {
    const startsAt = '9999-06-01T00:00:00Z';
    const { status, body } = await create({
      ...monthly,
      startsAt,
      recurrence: { unit: 'year', interval: 1000 },
    });
    expect({ status, runs: body.upcomingRuns }).toEqual({ status: 201, runs: ['9999-06-01T00:00:00.000Z'] });
  });

  const recurrence = (unit: unknown, interval: unknown) => ({ ...monthly, recurrence: { unit, interval } });

  test.each<[name: string, json: unknown, code: string, path: string]>([
    ['no startsAt', { ...once, startsAt: undefined }, 'required', '/body/startsAt'],
    ['no scheduleType', { ...once, scheduleType: undefined }, 'required', '/body/scheduleType'],
    ['another scheduleType', { ...once, scheduleType: 'daily' }, 'not_allowed', '/body/scheduleType'],
    ['a short recipient', { ...once, to: '0911' }, 'too_short', '/body/to'],
    ['a long text', { ...once, text: 'x'.repeat(1601) }, 'too_long', '/body/text'],
    ['an unknown field', { ...once, colour: 'red' }, 'unknown_field', '/body/colour'],
    [
      'a webhook, which schedules have none of',
      { ...once, webhook: { url: 'https://a.com' } },
      'unknown_field',
      '/body/webhook',
    ],
    ['a time that is none', { ...once, startsAt: 'tomorrow' }, 'wrong_format', '/body/startsAt'],
    [
      'a time without an offset',
      { ...once, startsAt: '2027-01-31T09:00:00' },
      'wrong_format',
      '/body/startsAt',
    ],
    [
      'a time with half an offset',
      { ...once, startsAt: '2027-01-31T09:00:00+03' },
      'wrong_format',
      '/body/startsAt',
    ],
    ['a number for a time', { ...once, startsAt: 1_800_000_000 }, 'wrong_type', '/body/startsAt'],
    ['February 30', { ...once, startsAt: '2027-02-30T09:00:00Z' }, 'wrong_format', '/body/startsAt'],
    ['a time 61 seconds ago', { ...once, startsAt: '2027-01-15T11:58:59Z' }, 'in_the_past', '/body/startsAt'],
    ['the year 10000', { ...once, startsAt: '9999-12-31T23:59:59-01:00' }, 'wrong_format', '/body/startsAt'],
    ['a recurrence with once', { ...monthly, scheduleType: 'once' }, 'not_allowed', '/body/recurrence'],
    ['recurring without one', { ...once, scheduleType: 'recurring' }, 'required', '/body/recurrence'],
    ['an end at the start', { ...monthly, endsAt: '2027-01-31T06:00:00Z' }, 'before_start', '/body/endsAt'],
    [
      'an end before the start',
      { ...monthly, endsAt: '2027-01-31T05:59:59Z' },
      'before_start',
      '/body/endsAt',
    ],
    [
      'an end after the year 9999',
      { ...monthly, endsAt: '9999-12-31T23:59:59-01:00' },
      'wrong_format',
      '/body/endsAt',
    ],
    ['an interval of 0', recurrence('day', 0), 'too_small', '/body/recurrence/interval'],
    ['an interval of 1001', recurrence('day', 1001), 'too_large', '/body/recurrence/interval'],
    ['half an interval', recurrence('day', 1.5), 'wrong_type', '/body/recurrence/interval'],
    ['"0"', recurrence('day', '0'), 'wrong_format', '/body/recurrence/interval'],
    ['"1001"', recurrence('day', '1001'), 'wrong_format', '/body/recurrence/interval'],
    ['"1e2"', recurrence('day', '1e2'), 'wrong_format', '/body/recurrence/interval'],
    ['" 5"', recurrence('day', ' 5'), 'wrong_format', '/body/recurrence/interval'],
    ['no interval', recurrence('day', undefined), 'required', '/body/recurrence/interval'],
    ['null', recurrence('day', null), 'wrong_type', '/body/recurrence/interval'],
    ['seconds', recurrence('second', 1), 'not_allowed', '/body/recurrence/unit'],
    [
      'an unknown field of it',
      { ...monthly, recurrence: { unit: 'day', interval: 1, count: 3 } },
      'unknown_field',
      '/body/recurrence/count',
    ],
    ['a list for it', { ...monthly, recurrence: [] }, 'wrong_type', '/body/recurrence'],
    ...[
      'Mars/Phobos',
      '+03:00',
      'UTC+3',
      '2027-01-01T00:00Z',
      '2027-01-01T00:00[Europe/Berlin]',
      'T10:00Z',
      ' UTC',
      'Z',
      'Europe/Berlin[u-ca=hebrew]',
      '../etc/passwd',
      'x'.repeat(100),
      'አዲስ',
    ].map((timezone): [string, unknown, string, string] => [
      `the time zone ${timezone}`,
      { ...once, timezone },
      'unknown_timezone',
      '/body/timezone',
    ]),
    ['a long time zone', { ...once, timezone: 'x'.repeat(101) }, 'too_long', '/body/timezone'],
  ])('%s is refused and leaves no row', async (...[, json, code, path]) => {
    const before = await rows();
    const { status, body } = await create(json);
    expect({ status, code: body.code, errors: body.errors }).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
    expect(body.errors).toContainEqual({ path, code, message: expect.any(String) });
    expect(await rows()).toEqual(before);
  });

  test.each([
    ['a number of no Ethiopian area', { ...once, to: '0161234567' }, 'invalid_recipient'],
    ['a sender of nobody', { ...once, from: 'NOBODY' }, 'sender_not_approved'],
  ])('%s is refused and leaves no row', async (_name, json, code) => {
    const before = await rows();
    expect(problemOf(await create(json))).toEqual({ status: 422, code });
    expect(await rows()).toEqual(before);
  });
});

describe('GET /api/v1/message-schedules', () => {
  test('goes from the newest to the oldest, page by page, each schedule of the own environment once', async () => {
    const other = await createTenant(db.database);
    const [key, otherTestKey] = [await other.createKey(), await other.createKey({ environment: 'test' })];
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift(await created(once, key));
    const inTest = await created(once, otherTestKey);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await api.call('GET', `/api/v1/message-schedules?limit=2${cursor}`, { key });
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.pagination.nextCursor === null ? '' : `&cursor=${body.pagination.nextCursor}`;
    } while (cursor);
    expect(seen).toEqual(ids);
    expect((await list('', { key: otherTestKey })).map(({ id }) => id)).toEqual([inTest]);
  });

  test.each(['limit=0', 'limit=201', 'cursor=nonsense', 'colour=red', 'environment=staging'])(
    'the query %s is refused',
    async (query) => {
      const answer = await api.call('GET', `/api/v1/message-schedules?${query}`, { key: live });
      expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
    },
  );
});

describe('PATCH /api/v1/message-schedules/{scheduleId}/status', () => {
  const statuses = ['active', 'paused', 'completed', 'cancelled'];
  const transitions: Record<string, Record<string, string>> = {
    active: { pause: 'paused', cancel: 'cancelled' },
    paused: { resume: 'active', cancel: 'cancelled' },
    completed: {},
    cancelled: {},
  };
  const cases = statuses.flatMap((status) =>
    ['pause', 'resume', 'cancel'].map((action) => [status, action] as const),
  );

  test.each(cases)('%s, %s', async (status, action) => {
    const id = await created(monthly);
    await db.query(
      `update message_schedules set status = ?, next_run_at = case when ? then next_run_at end where id = ?`,
      [status, status === 'active' || status === 'paused', id],
    );
    const before = await rows();
    const answer = await act(id, action);
    const target = transitions[status]![action];
    if (target) {
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        status: target,
        nextRunAt: target === 'active' ? '2027-01-31T06:00:00.000Z' : null,
      });
      expect(answer.body.upcomingRuns).toHaveLength(target === 'active' ? 5 : 0);
      expect(await read(id)).toEqual(answer.body);
      return;
    }
    expect(problemOf(answer)).toEqual({ status: 409, code: 'invalid_state' });
    expect(answer.body.detail).toContain(status);
    for (const allowed of Object.keys(transitions[status]!)) expect(answer.body.detail).toContain(allowed);
    expect(await rows()).toEqual(before);
  });

  test('what came due during a pause is counted as skipped, and the next one is as announced before', async () => {
    const id = await created(monthly);
    await act(id, 'pause');
    now = new Date('2027-04-30T06:00:00Z');
    const { body } = await act(id, 'resume');
    expect(body).toMatchObject({
      status: 'active',
      nextRunAt: '2027-05-31T06:00:00.000Z',
      lastRunAt: null,
      counts: { created: 0, failed: 0, missed: 0, skipped: 4 },
    });
  });

  test.each([
    ['once', once],
    ['once, with an end', { ...once, endsAt: '2027-03-01T00:00:00Z' }],
    ['recurring to an end', { ...monthly, endsAt: '2027-03-01T00:00:00Z' }],
  ])('resuming what has nothing to come any more completes it: %s', async (_name, json) => {
    const id = await created(json);
    await act(id, 'pause');
    now = new Date('2028-01-01T00:00:00Z');
    const { status, body } = await act(id, 'resume');
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'completed', nextRunAt: null } });
    expect(body.counts.skipped).toBe(json.scheduleType === 'once' ? 1 : 2);
  });

  test('of many who ask at once one succeeds', async () => {
    const id = await created(monthly);
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(id, 'pause')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  test('whoever comes second sees what the first has made of it', async () => {
    const id = await created(monthly);
    const complete = `update message_schedules set status = 'completed', next_run_at = null where id = $1`;
    const answer = await duringChange(db, { statement: complete, parameters: [id] }, () => act(id, 'pause'));
    expect(problemOf(answer)).toEqual({ status: 409, code: 'invalid_state' });
    expect((await read(id)).status).toBe('completed');
  });

  test.each([
    [{ action: 'stop' }, 'not_allowed', '/body/action'],
    [{}, 'required', '/body/action'],
    [{ action: 'pause', status: 'paused' }, 'unknown_field', '/body/status'],
    [{ action: null }, 'wrong_type', '/body/action'],
  ])('%j is refused', async (json, code, path) => {
    const id = await created(monthly);
    const { status, body } = await api.call('PATCH', `/api/v1/message-schedules/${id}/status`, {
      key: live,
      json,
    });
    expect({ status, errors: body.errors }).toMatchObject({ status: 400 });
    expect(body.errors).toContainEqual({ path, code, message: expect.any(String) });
  });
});

describe('DELETE /api/v1/message-schedules/{scheduleId}', () => {
  test('204, then it is gone, in every state', async () => {
    for (const actions of [[], ['pause'], ['cancel']]) {
      const id = await created(monthly);
      for (const action of actions) await act(id, action);
      const answer = await api.call('DELETE', `/api/v1/message-schedules/${id}`, { key: live });
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: '' });
      expect(await read(id)).toBeUndefined();
      const again = await api.call('DELETE', `/api/v1/message-schedules/${id}`, { key: live });
      expect(problemOf(again)).toEqual({ status: 404, code: 'not_found' });
      expect(problemOf(await act(id, 'pause'))).toEqual({ status: 404, code: 'not_found' });
    }
  });
});

test('the schedule of another organization or environment answers like one that does not exist', async () => {
  const id = await created(monthly);
  const before = await rows();
  const stranger = await (await createTenant(db.database)).createKey();
  const bodies = new Set<string>();
  for (const [key, target] of [
    [stranger, id],
    [testKey, id],
    [live, '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11'],
    [live, 'no-uuid'],
  ] as const) {
    for (const answer of [
      await act(target, 'cancel', key),
      await api.call('DELETE', `/api/v1/message-schedules/${target}`, { key }),
    ]) {
      expect(answer.status).toBe(404);
      bodies.add(JSON.stringify({ ...answer.body, requestId: '' }));
    }
  }
  expect(bodies.size).toBe(1);
  expect(await rows()).toEqual(before);
});

test('a page of 200 schedules does not take long to make', async () => {
  const other = await createTenant(db.database);
  const key = await other.createKey();
  const id = await created({ ...monthly, timezone: 'Europe/Berlin' }, key);
  await db.query(
    `insert into message_schedules (id, organization_id, environment, recipient, text, starts_at, timezone,
       recurrence_unit, recurrence_interval, status, next_run_at, created_at)
     select gen_random_uuid(), organization_id, environment, recipient, text, starts_at, timezone,
       recurrence_unit, recurrence_interval, status, next_run_at, created_at
     from message_schedules, generate_series(1, 199) where id = ?`,
    [id],
  );
  now = new Date(now.getTime() + dayMs);
  const began = performance.now();
  expect(await list('?limit=200', { key })).toHaveLength(200);
  expect(performance.now() - began).toBeLessThan(15_000);
});
