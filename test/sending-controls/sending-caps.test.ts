import { v7 as uuidv7 } from 'uuid';
import { removeEndedCounts } from '../../src/sending-controls/remove-ended-counts.ts';
import type { TestApi } from '../helpers/api.ts';
import { joinAs } from '../helpers/owner.ts';
import { makeAdministrator, signUp, type Person } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { startTwoApis, type TwoApis } from '../helpers/two-apis.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The clock stands in the middle of an hour of this morning, so that no test meets the end of an hour or a day. */
const middleOfHour = new Date(Math.floor(Date.now() / dayMs) * dayMs + 10.5 * hourMs);

let apis: TwoApis;
let api: TestApi;
let administrator: Person;
let tenant: Tenant;
let key: string;
let clock = middleOfHour;

beforeAll(async () => {
  apis = await startTwoApis(() => clock);
  api = apis.api;
  administrator = await signUp(api);
  await makeAdministrator(apis.db, administrator);
});

beforeEach(async () => {
  clock = middleOfHour;
  await apis.db.query('delete from sending_controls');
  tenant = await createTenant(apis.db.database);
  key = await tenant.createKey();
});

afterAll(() => apis.stop());

const platform = '/api/v1/admin/sending-controls';
const ofTenant = (organizationId = tenant.organizationId) =>
  `/api/v1/admin/organizations/${organizationId}/sending-controls`;

async function change(path: string, json: object) {
  const { status, body } = await administrator.call('PUT', path, { json: { held: false, ...json } });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const send = (to = '+251911234567', withKey = key, headers: Record<string, string> = {}, by = api) =>
  by.call('POST', '/api/v1/messages', { key: withKey, json: { to, text: 'Selam' }, headers });

async function statusesOf(...recipients: string[]): Promise<number[]> {
  const statuses = [];
  for (const to of recipients) statuses.push((await send(to)).status);
  return statuses;
}

const storedOf = async (organizationId = tenant.organizationId) =>
  (await apis.db.query('select id from messages where organization_id = ?', [organizationId])).length;

const reached = { status: 429, body: { code: 'sending_cap_reached' } };
const [first, second, third] = ['+251911000001', '+251911000002', '+251911000003'];

describe('a cap', () => {
  test('on the hour of the organization refuses the message beyond it, until the next hour', async () => {
    await change(ofTenant(), { messagesPerHour: 2 });
    expect(await statusesOf(first, second)).toEqual([202, 202]);
    const refusal = await send(third);
    expect(refusal).toMatchObject(reached);
    const headers = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
    expect(headers.map((name) => refusal.headers.get(name))).toEqual(['1800', '2', '0', '1800']);
    expect(await storedOf()).toBe(2);
    clock = new Date(middleOfHour.getTime() + hourMs / 2);
    expect(await statusesOf(third)).toEqual([202]);
  });

  test.each([
    ['recipientMessagesPerHour', hourMs],
    ['recipientMessagesPerDay', dayMs],
  ])('%s counts each number for itself, and the next window anew', async (name, windowMs) => {
    await change(ofTenant(), { [name]: 1 });
    expect(await statusesOf(first, first, second, '0911000001')).toEqual([202, 429, 202, 429]);
    clock = new Date((Math.floor(clock.getTime() / windowMs) + 1) * windowMs - 1);
    expect(await statusesOf(first)).toEqual([429]);
    clock = new Date(clock.getTime() + 1);
    expect(await statusesOf(first)).toEqual([202]);
  });

  test('on a prefix counts the numbers that begin with it', async () => {
    await change(ofTenant(), {
      prefixCaps: [
        { prefix: '+254', messagesPerHour: 2 },
        { prefix: '+25470', messagesPerHour: 1 },
      ],
    });
    expect(
      await statusesOf('+254701234567', '+254701234568', '+254711234567', '+254711234568', first),
    ).toEqual([...[202, 429, 202, 429, 202]]);
  });

  test('that refuses a message takes no room of another cap', async () => {
    await change(ofTenant(), { messagesPerHour: 2, recipientMessagesPerDay: 1 });
    expect(await statusesOf(first, first, first, second)).toEqual([202, 429, 429, 202]);
    expect(await statusesOf(third)).toEqual([429]);
    clock = new Date(clock.getTime() + hourMs);
    // The number that only the hour of the organization refused has still its day.
    expect(await statusesOf(third, first)).toEqual([202, 429]);
  });

  test('of the platform applies to each organization without its own, and counts each for itself', async () => {
    const other = await createTenant(apis.db.database);
    const otherKey = await other.createKey();
    await change(platform, { messagesPerHour: 1 });
    expect(await statusesOf(first, second)).toEqual([202, 429]);
    expect((await send(first, otherKey)).status).toBe(202);
    await change(ofTenant(), { messagesPerHour: 2 });
    expect(await statusesOf(first, second)).toEqual([202, 429]);
    expect(await send(first, otherKey)).toMatchObject(reached);
  });

  test('of another organization changes nothing', async () => {
    const other = await createTenant(apis.db.database);
    await change(ofTenant(other.organizationId), { messagesPerHour: 1 });
    expect(await statusesOf(first, second, third)).toEqual([202, 202, 202]);
    const rows = await apis.db.query('select scope from sending_counts where organization_id = ?', [
      tenant.organizationId,
    ]);
    expect(rows).toEqual([]);
  });

  test('never counts test messages, which reach no phone', async () => {
    await change(ofTenant(), { messagesPerHour: 1 });
    const testKey = await tenant.createKey({ environment: 'test' });
    for (const to of [first, first, first]) expect((await send(to, testKey)).status).toBe(202);
    expect(await statusesOf(first, first)).toEqual([202, 429]);
    expect((await send(first, testKey)).status).toBe(202);
  });

  test('counts security codes, and refuses them before anything is stored', async () => {
    await change(ofTenant(), { messagesPerHour: 1 });
    const sendCode = () => api.call('POST', '/api/v1/security-codes/send', { key, json: { to: first } });
    expect((await sendCode()).status).toBe(202);
    const refusal = await sendCode();
    expect(refusal).toMatchObject(reached);
    expect(refusal.headers.get('retry-after')).toBe('1800');
    const codes = await apis.db.query<{ status: string }>(
      'select status from security_codes where organization_id = ?',
      [tenant.organizationId],
    );
    // The code that was sent is not superseded by one that was not.
    expect(codes.map(({ status }) => status)).toEqual(['pending']);
    expect(await statusesOf(second)).toEqual([429]);
  });

  test('counts nothing that is refused for another reason', async () => {
    await change(ofTenant(), { messagesPerHour: 1 });
    const withSender = { key, json: { to: first, text: 'Selam', from: 'PARCELS' } };
    expect((await api.call('POST', '/api/v1/messages', withSender)).status).toBe(422);
    await api.call('POST', '/api/v1/suppressions', { key, json: { phoneNumber: second } });
    expect(await statusesOf(second, first)).toEqual([422, 202]);
  });

  test('is foretold by the estimate, which counts nothing', async () => {
    await change(ofTenant(), { recipientMessagesPerHour: 1 });
    const estimate = async () =>
      (await api.call('POST', '/api/v1/messages/estimate', { key, json: { to: first, text: 'Selam' } })).body;
    for (let count = 0; count < 3; count += 1) expect((await estimate()).wouldBeRefused).toBeNull();
    expect((await send(first)).status).toBe(202);
    expect((await estimate()).wouldBeRefused).toMatchObject({ code: 'sending_cap_reached' });
  });

  test('that is set or raised applies to the next message of every process', async () => {
    expect(await statusesOf(first)).toEqual([202]);
    await change(ofTenant(), { messagesPerHour: 1 });
    expect(await statusesOf(first, second)).toEqual([202, 429]);
    await change(ofTenant(), { messagesPerHour: 2 });
    expect((await send(second, key, {}, apis.otherApi)).status).toBe(202);
    expect((await send(second, key, {}, apis.otherApi)).status).toBe(429);
    await change(ofTenant(), {});
    expect(await statusesOf(first, second)).toEqual([202, 202]);
  });
});

describe('at once', () => {
  const parallel = 50;
  const numbers = Array.from({ length: parallel }, (_, index) => `+2519111${String(10_000 + index)}`);

  test.each([
    ['messagesPerHour', { messagesPerHour: 10 }],
    ['a prefix', { prefixCaps: [{ prefix: '+251', messagesPerHour: 10 }] }],
    ['two caps', { messagesPerHour: 30, prefixCaps: [{ prefix: '+2519', messagesPerHour: 10 }] }],
  ])(
    'of 50 requests to two APIs, exactly as many are stored as the cap of 10 allows: %s',
    async (_what, caps) => {
      await change(ofTenant(), caps);
      const answers = await Promise.all(
        numbers.map((to, index) => send(to, key, {}, index % 2 === 0 ? api : apis.otherApi)),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([...Array(10).fill(202), ...Array(40).fill(429)]);
      expect(await storedOf()).toBe(10);
      const counts = await apis.db.query<{ used: number }>(
        'select used from sending_counts where organization_id = ?',
        [tenant.organizationId],
      );
      expect(new Set(counts.map(({ used }) => used))).toEqual(new Set([10]));
    },
  );

  test('of 50 requests to one number, as many are stored as its cap allows, security codes included', async () => {
    await change(ofTenant(), { recipientMessagesPerDay: 4 });
    await Promise.all(
      numbers.map((_, index) => {
        const by = index % 2 === 0 ? api : apis.otherApi;
        if (index % 5 > 0) return send(first, key, {}, by);
        return by.call('POST', '/api/v1/security-codes/send', { key, json: { to: first } });
      }),
    );
    expect(await storedOf()).toBe(4);
  });

  test('organizations with caps and without do not disturb each other', async () => {
    const other = await createTenant(apis.db.database);
    const otherKey = await other.createKey();
    await change(ofTenant(), { messagesPerHour: 10 });
    const answers = await Promise.all(
      numbers.flatMap((to, index) => {
        const by = index % 2 === 0 ? api : apis.otherApi;
        return [send(to, key, {}, by), send(to, otherKey, {}, by)];
      }),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(10 + parallel);
    expect([await storedOf(), await storedOf(other.organizationId)]).toEqual([10, parallel]);
  });
});

describe('with an Idempotency-Key', () => {
  test('a repetition at the cap gets the stored response, and counts nothing', async () => {
    await change(ofTenant(), { messagesPerHour: 2 });
    const headers = { 'idempotency-key': uuidv7() };
    const stored = await send(first, key, headers);
    expect(stored.status).toBe(202);
    for (let count = 0; count < 3; count += 1) {
      expect(await send(first, key, headers)).toMatchObject({ status: 202, body: { id: stored.body.id } });
    }
    expect(await statusesOf(second, third)).toEqual([202, 429]);
    expect(await send(first, key, headers)).toMatchObject({ status: 202, body: { id: stored.body.id } });
  });

  test('a refused request succeeds with the same key in the next hour', async () => {
    await change(ofTenant(), { messagesPerHour: 1 });
    expect(await statusesOf(first)).toEqual([202]);
    const headers = { 'idempotency-key': uuidv7() };
    expect(await send(second, key, headers)).toMatchObject(reached);
    clock = new Date(clock.getTime() + hourMs);
    expect((await send(second, key, headers)).status).toBe(202);
  });

  test('twenty repetitions at once store one message and count it once', async () => {
    await change(ofTenant(), { messagesPerHour: 2 });
    const headers = { 'idempotency-key': uuidv7() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(first, key, headers, index % 2 ? api : apis.otherApi)),
    );
    for (const { status } of answers) expect([202, 409]).toContain(status);
    expect(await storedOf()).toBe(1);
    expect(await statusesOf(second, third)).toEqual([202, 429]);
  });
});

describe('new organizations', () => {
  const limitNew = (days: number, messagesPerDay: number) =>
    change(platform, { newOrganizations: { days, messagesPerDay } });
  const age = (days: number) =>
    apis.db.query('update organizations set created_at = ? where id = ?', [
      new Date(clock.getTime() - days * dayMs).toISOString(),
      tenant.organizationId,
    ]);

  test('send no more in a day than the platform allows, until they are old enough', async () => {
    await limitNew(7, 2);
    await age(6.9);
    expect(await statusesOf(first, second, third)).toEqual([202, 202, 429]);
    await age(7.1);
    expect(await statusesOf(third)).toEqual([202]);
  });

  test('send more once an administrator has lifted the limit for one of them', async () => {
    const other = await createTenant(apis.db.database);
    const otherKey = await other.createKey();
    await limitNew(7, 1);
    await change(ofTenant(), { newOrganizationLimitLifted: true });
    expect(await statusesOf(first, second, third)).toEqual([202, 202, 202]);
    expect((await send(first, otherKey)).status).toBe(202);
    expect(await send(first, otherKey)).toMatchObject(reached);
  });

  test('have their caps besides the limit', async () => {
    await limitNew(7, 2);
    await change(ofTenant(), { recipientMessagesPerHour: 1 });
    expect(await statusesOf(first, first, second, third)).toEqual([202, 429, 202, 429]);
  });
});

describe('members', () => {
  const limitsOf = async (organizationId = tenant.organizationId) => {
    const owner = await joinAs('owner', apis, organizationId);
    const path = `/api/v1/organizations/limits?organizationId=${organizationId}`;
    return (await owner.call('GET', path)).body.sending;
  };

  test('see that there are no caps', async () => {
    expect(await limitsOf()).toEqual({
      ...{ messagesPerHour: null, recipientMessagesPerHour: null, recipientMessagesPerDay: null },
      ...{ prefixes: [], newOrganization: null },
    });
  });

  test('see the caps that apply to their organization, and how much of them is used', async () => {
    await change(platform, {
      recipientMessagesPerDay: 7,
      newOrganizations: { days: 10, messagesPerDay: 100 },
    });
    await change(ofTenant(), {
      messagesPerHour: 5,
      prefixCaps: [{ prefix: '+251', messagesPerHour: 3 }],
    });
    expect(await statusesOf(first, second)).toEqual([202, 202]);
    const [hourEnds, dayEnds] = [hourMs, dayMs].map((windowMs) =>
      new Date((Math.floor(clock.getTime() / windowMs) + 1) * windowMs).toISOString(),
    );
    expect(await limitsOf()).toEqual({
      messagesPerHour: { limit: 5, used: 2, resetsAt: hourEnds },
      recipientMessagesPerHour: null,
      recipientMessagesPerDay: 7,
      prefixes: [{ prefix: '+251', cap: { limit: 3, used: 2, resetsAt: hourEnds } }],
      newOrganization: {
        messagesPerDay: { limit: 100, used: 2, resetsAt: dayEnds },
        endsAt: expect.any(String),
      },
    });
    const other = await createTenant(apis.db.database);
    expect((await limitsOf(other.organizationId)).newOrganization.messagesPerDay.used).toBe(0);
  });
});

describe('administrators', () => {
  const caps = {
    messagesPerHour: 5,
    recipientMessagesPerHour: 2,
    recipientMessagesPerDay: 4,
    prefixCaps: [
      { prefix: '+254', messagesPerHour: 3 },
      { prefix: '+251', messagesPerHour: 9 },
    ],
  };

  test.each([
    ['json', (body: object) => ({ json: body })],
    ['form', (body: Record<string, unknown>) => ({ form: flat(body) })],
    ['multipart', (body: Record<string, unknown>) => ({ multipart: flat(body) })],
  ])(
    'set caps in the encoding %s, read them back, and find the change in the audit log',
    async (_name, encode) => {
      const input = { held: false, ...caps, newOrganizationLimitLifted: true };
      const changed = await administrator.call('PUT', ofTenant(), encode(input));
      const expected = {
        ...caps,
        ...{
          prefixCaps: caps.prefixCaps.toReversed(),
          newOrganizations: null,
          newOrganizationLimitLifted: true,
        },
      };
      expect(changed).toMatchObject({ status: 200, body: expected });
      expect((await administrator.call('GET', ofTenant())).body).toEqual(changed.body);
      const path = `/api/v1/admin/audit-events?organizationId=${tenant.organizationId}`;
      const [event] = (await administrator.call('GET', path)).body.data;
      expect(event).toMatchObject({
        action: 'sending_controls.changed',
        details: { held: false, ...caps, prefixCaps: expected.prefixCaps, newOrganizationLimitLifted: true },
      });
    },
  );

  test('a change without caps removes them', async () => {
    await change(ofTenant(), caps);
    expect(await change(ofTenant(), {})).toMatchObject({
      ...{ messagesPerHour: null, recipientMessagesPerHour: null, recipientMessagesPerDay: null },
      prefixCaps: null,
    });
  });

  const prefixCaps = (...caps: object[]) => ({ prefixCaps: caps });
  const bad: [what: string, where: () => string, body: Record<string, unknown>][] = [
    ['a cap of 0', ofTenant, { messagesPerHour: 0 }],
    ['a negative cap', ofTenant, { recipientMessagesPerHour: -1 }],
    ['a cap beyond a thousand million', ofTenant, { recipientMessagesPerDay: 1_000_000_001 }],
    ['a cap that is no number', ofTenant, { messagesPerHour: 'many' }],
    ['a broken cap', ofTenant, { messagesPerHour: 1.5 }],
    ['a prefix without its plus', ofTenant, prefixCaps({ prefix: '251', messagesPerHour: 1 })],
    ['a prefix that begins with 0', ofTenant, prefixCaps({ prefix: '+0911', messagesPerHour: 1 })],
    ['a prefix without its cap', ofTenant, prefixCaps({ prefix: '+251' })],
    ['a cap without its prefix', ofTenant, prefixCaps({ messagesPerHour: 1 })],
    ['a prefix with a cap of 0', ofTenant, prefixCaps({ prefix: '+251', messagesPerHour: 0 })],
    ['a prefix with another field', ofTenant, prefixCaps({ prefix: '+251', messagesPerHour: 1, per: 'day' })],
    [
      'a prefix twice',
      ofTenant,
      prefixCaps({ prefix: '+251', messagesPerHour: 1 }, { prefix: '+251', messagesPerHour: 2 }),
    ],
    ['no prefixes in the list', ofTenant, { prefixCaps: [] }],
    [
      '101 prefixes',
      ofTenant,
      prefixCaps(
        ...Array.from({ length: 101 }, (_, index) => ({ prefix: `+1${index}`, messagesPerHour: 1 })),
      ),
    ],
    [
      'a limit of new organizations for one organization',
      ofTenant,
      { newOrganizations: { days: 1, messagesPerDay: 1 } },
    ],
    [
      'a limit of new organizations without days',
      () => platform,
      { newOrganizations: { messagesPerDay: 1 } },
    ],
    ['a limit for 0 days', () => platform, { newOrganizations: { days: 0, messagesPerDay: 1 } }],
    ['a limit for 3651 days', () => platform, { newOrganizations: { days: 3651, messagesPerDay: 1 } }],
    ['a lifted limit of the platform', () => platform, { newOrganizationLimitLifted: true }],
    ['an unknown cap', ofTenant, { messagesPerMinute: 1 }],
  ];
  test.each(bad)('%s is refused in every encoding, and changes nothing', async (_what, where, body) => {
    const input = { held: false, ...body };
    for (const encoded of [{ json: input }, { form: flat(input) }, { multipart: flat(input) }]) {
      expect(await administrator.call('PUT', where(), encoded)).toMatchObject({
        ...{ status: 400, body: { code: 'invalid_request', errors: [expect.anything()] } },
      });
    }
    expect(await apis.db.query('select id from sending_controls')).toEqual([]);
  });

  test('nobody else sets caps', async () => {
    const owner = await joinAs('owner', apis, tenant.organizationId);
    for (const path of [platform, ofTenant()]) {
      const json = { held: false, messagesPerHour: 5 };
      expect((await owner.call('PUT', path, { json })).status).toBe(403);
      expect((await api.call('PUT', path, { key, json })).status).toBe(403);
    }
    expect(await apis.db.query('select id from sending_controls')).toEqual([]);
  });
});

test('counts do not keep numbers, and are removed an hour after their hour or day', async () => {
  await change(ofTenant(), { recipientMessagesPerHour: 5, recipientMessagesPerDay: 5 });
  expect(await statusesOf(first)).toEqual([202]);
  const read = () =>
    apis.db.query<{ scope: string }>('select scope from sending_counts where organization_id = ?', [
      tenant.organizationId,
    ]);
  const scopes = (await read()).map(({ scope }) => scope);
  expect(scopes).toHaveLength(2);
  for (const scope of scopes) expect(scope).not.toContain(first.slice(1));
  await removeEndedCounts(apis.db.database);
  expect(await read()).toHaveLength(2);
  const end = async (interval: string, scope: string) =>
    apis.db.query(
      `update sending_counts set window_end = now() - ?::interval where organization_id = ? and starts_with(scope, ?)`,
      [interval, tenant.organizationId, scope],
    );
  await end('61 minutes', 'recipient by day');
  await Promise.all([1, 2, 3].map(() => removeEndedCounts(apis.db.database, { rowsAtOnce: 1 })));
  expect(await read()).toHaveLength(1);
});

/** Writes a body as the fields of a form: objects and lists are JSON in their field. */
function flat(body: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );
}
