import { startTestApi, type TestApi } from '../helpers/api.ts';
import { makeBatch, makeSetting } from '../helpers/bulk.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { approveNumber } from '../helpers/inbound.ts';
import { problemOf } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

const number = '+251911000002';
const to = '0911234567';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
  await approveNumber(db, tenant.organizationId, number);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

let made = 0;

/** What takes a sender: the path, the body, and the field of the answer in which the sender is. */
const users: Record<string, { path: string; field: string; body: (sender: string) => object }> = {
  'a message': { path: '/api/v1/messages', field: 'from', body: (from) => ({ to, text: 'x', from }) },
  'an estimate': {
    path: '/api/v1/messages/estimate',
    field: 'from',
    body: (from) => ({ to, text: 'x', from }),
  },
  'a schedule': {
    path: '/api/v1/messages/schedule',
    field: 'from',
    body: (from) => ({ to, text: 'x', from, scheduleType: 'once', startsAt: '2099-01-01T09:00:00Z' }),
  },
  'a security code': {
    path: '/api/v1/security-codes/send',
    field: 'from',
    // A recipient of its own, for one is sent 5 codes at most.
    body: (from) => ({ to: `09112345${(made += 1) + 10}`, from }),
  },
  'a campaign': {
    path: '/api/v1/campaigns/',
    field: 'sender',
    body: (sender) => ({ organizationId: tenant.organizationId, name: 'x', sender }),
  },
  'a keyword rule': {
    path: '/api/v1/inbound/keywords',
    field: 'sender',
    body: (sender) => ({ keyword: `WORD ${(made += 1)}`, response: 'x', sender }),
  },
};

describe.each(Object.keys(users))('%s', (name) => {
  const use = (sender: string) => {
    const { path, body } = users[name]!;
    return api.call('POST', path, { key, json: body(sender) });
  };

  test.each(['+251911000002', '0911000002', '911000002', '251911000002', '+251 91 100 0002'])(
    'takes an approved number written %s, and has it as it was approved',
    async (spelling) => {
      const { status, body } = await use(spelling);
      expect(status).toBeLessThan(300);
      expect(body[users[name]!.field]).toBe(number);
    },
  );

  test('takes no number that is not approved, in no spelling', async () => {
    for (const spelling of ['0911000003', '+251911000003']) {
      const answer = await use(spelling);
      const refusal = name === 'an estimate' ? answer.body.wouldBeRefused.code : problemOf(answer).code;
      expect(refusal).toBe('sender_not_approved');
    }
  });
});

test('a campaign and a keyword rule are changed to a number in any spelling', async () => {
  for (const [name, change] of [
    ['a campaign', { organizationId: tenant.organizationId, name: 'x', sender: '0911000002' }],
    ['a keyword rule', { sender: '0911000002' }],
  ] as const) {
    const { path, body } = users[name]!;
    const { body: first } = await api.call('POST', path, { key, json: body(tenant.sender) });
    const at = `${path.replace(/\/$/, '')}/${first.id as string}`;
    expect(await api.call('PATCH', at, { key, json: change })).toMatchObject({
      status: 200,
      body: { sender: number },
    });
  }
});

test('a bulk batch is sent by a campaign’s number whose spelling was another', async () => {
  const setting = await makeSetting(api, db, { organizationId: tenant.organizationId, key }, 1);
  await api.call('PATCH', `/api/v1/campaigns/${setting.campaignId}`, {
    key,
    json: { organizationId: tenant.organizationId, name: 'x', sender: '0911000002' },
  });
  expect(await makeBatch(api, setting)).toMatchObject({ from: number });
});

test('messages are found by their sender in any spelling', async () => {
  await api.call('POST', '/api/v1/messages', { key, json: { to, text: 'found', from: number } });
  const { body } = await api.call('GET', '/api/v1/messages?from=0911000002', { key });
  expect((body.data as { from: string }[]).map(({ from }) => from)).toContain(number);
});
