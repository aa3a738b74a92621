import { v7 as uuidv7 } from 'uuid';
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
});

beforeEach(async () => {
  await db.query('delete from sending_controls');
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const platform = '/api/v1/admin/sending-controls';
const ofTenant = () => `/api/v1/admin/organizations/${tenant.organizationId}/sending-controls`;

async function change(path: string, json: object) {
  const { status, body } = await administrator.call('PUT', path, { json });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const send = (to: string, withKey = key) =>
  api.call('POST', '/api/v1/messages', { key: withKey, json: { to, text: 'Selam' } });

const refused = { status: 422, body: { code: 'destination_not_allowed' } };
const noCaps = {
  ...{
    messagesPerHour: null,
    recipientMessagesPerHour: null,
    recipientMessagesPerDay: null,
    prefixCaps: null,
  },
  ...{ newOrganizations: null, newOrganizationLimitLifted: false },
};
const unlimited = { held: false, heldAt: null, reason: null, destinations: null, ...noCaps, updatedAt: null };

test('nothing is held or limited until an administrator says so', async () => {
  expect((await administrator.call('GET', platform)).body).toEqual({ organizationId: null, ...unlimited });
  expect((await administrator.call('GET', ofTenant())).body).toEqual({
    organizationId: tenant.organizationId,
    ...unlimited,
  });
  expect((await send('+12025550123')).status).toBe(202);
});

test('a change replaces the controls as a whole, and is in the audit log of the organization', async () => {
  const first = await change(ofTenant(), {
    held: true,
    reason: 'Fraud',
    destinations: ['+254', '+251', '+251'],
  });
  expect(first).toEqual({
    organizationId: tenant.organizationId,
    held: true,
    heldAt: expect.any(String),
    reason: 'Fraud',
    destinations: ['+251', '+254'],
    ...noCaps,
    updatedAt: first.heldAt,
  });
  expect(await change(ofTenant(), { held: true })).toMatchObject({
    ...{ held: true, heldAt: first.heldAt, reason: null, destinations: null },
  });
  expect(await change(ofTenant(), { held: false })).toMatchObject({ held: false, heldAt: null });
  const { body } = await administrator.call(
    'GET',
    `/api/v1/admin/audit-events?organizationId=${tenant.organizationId}`,
  );
  expect(
    body.data.map(({ action, details }: { action: string; details: object }) => [action, details]),
  ).toEqual([
    ['sending_controls.changed', { held: false, reason: null, destinations: null }],
    ['sending_controls.changed', { held: true, reason: null, destinations: null }],
    ['sending_controls.changed', { held: true, reason: 'Fraud', destinations: ['+251', '+254'] }],
  ]);
});

describe('destinations', () => {
  const destinations = ['+251', '+25470'];
  test.each([
    ['+251911234567', 202],
    ['0911234567', 202],
    ['+254701234567', 202],
    ['+254711234567', 422],
    ['+12025550123', 422],
  ])('of the organization: a message to %s is answered with %i', async (to, status) => {
    await change(ofTenant(), { held: false, destinations });
    expect((await send(to)).status).toBe(status);
  });

  test('a refusal names the code, stores nothing, and is foretold by the estimate', async () => {
    await change(ofTenant(), { held: false, destinations });
    expect(await send('+12025550123')).toMatchObject(refused);
    const json = { to: '+12025550123', text: 'Selam' };
    const { body } = await api.call('POST', '/api/v1/messages/estimate', { key, json });
    expect(body.wouldBeRefused).toMatchObject({ code: 'destination_not_allowed' });
    const rows = await db.query('select id from messages where organization_id = ?', [tenant.organizationId]);
    expect(rows).toEqual([]);
  });

  test('a request with an Idempotency-Key that was refused succeeds once the destination is allowed', async () => {
    await change(ofTenant(), { held: false, destinations });
    const options = {
      ...{ key, json: { to: '+12025550123', text: 'Selam' } },
      headers: { 'idempotency-key': uuidv7() },
    };
    expect(await api.call('POST', '/api/v1/messages', options)).toMatchObject(refused);
    await change(ofTenant(), { held: false, destinations: ['+1'] });
    expect((await api.call('POST', '/api/v1/messages', options)).status).toBe(202);
  });

  test('of the platform apply to an organization without its own', async () => {
    await change(platform, { held: false, destinations: ['+251'] });
    expect(await send('+254701234567')).toMatchObject(refused);
    await change(ofTenant(), { held: false, destinations: ['+254'] });
    expect((await send('+254701234567')).status).toBe(202);
    expect(await send('+251911234567')).toMatchObject(refused);
    await change(ofTenant(), { held: false, destinations: ['+'] });
    expect((await send('+12025550123')).status).toBe(202);
  });

  test('of another organization change nothing', async () => {
    const other = await createTenant(db.database);
    await change(`/api/v1/admin/organizations/${other.organizationId}/sending-controls`, {
      ...{ held: true, destinations: ['+1'] },
    });
    expect((await send('+251911234567')).status).toBe(202);
  });

  test('do not limit test messages, which reach no phone', async () => {
    await change(ofTenant(), { held: true, destinations: ['+251'] });
    expect((await send('+12025550123', await tenant.createKey({ environment: 'test' }))).status).toBe(202);
  });

  test('limit security codes', async () => {
    await change(ofTenant(), { held: false, destinations: ['+251'] });
    const json = { to: '+12025550123' };
    expect(await api.call('POST', '/api/v1/security-codes/send', { key, json })).toMatchObject(refused);
    const rows = await db.query('select id from security_codes where organization_id = ?', [
      tenant.organizationId,
    ]);
    expect(rows).toEqual([]);
  });
});

test('two first changes at once leave one row', async () => {
  await Promise.all([change(ofTenant(), { held: true }), change(ofTenant(), { held: false })]);
  const rows = await db.query('select id from sending_controls where organization_id = ?', [
    tenant.organizationId,
  ]);
  expect(rows).toHaveLength(1);
});

test.each([
  ['no held', {}],
  ['held that is no boolean', { held: 'maybe' }],
  ['a reason without a hold', { held: false, reason: 'Fraud' }],
  ['a reason of 501 characters', { held: true, reason: 'x'.repeat(501) }],
  ['a destination without its plus', { held: false, destinations: ['251'] }],
  ['a destination that begins with 0', { held: false, destinations: ['+0911'] }],
  ['a destination with 16 digits', { held: false, destinations: [`+${'1'.repeat(16)}`] }],
  [
    '301 destinations',
    { held: false, destinations: Array.from({ length: 301 }, (_, index) => `+1${index}`) },
  ],
  ['an unknown field', { held: false, destination: ['+251'] }],
])('%s is refused, and changes nothing', async (_what, json) => {
  expect(await administrator.call('PUT', ofTenant(), { json })).toMatchObject({
    ...{ status: 400, body: { code: 'invalid_request' } },
  });
  expect(await db.query('select id from sending_controls')).toEqual([]);
});

test.each([['not-an-id'], ['019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa']])(
  'the controls of the unknown organization %s are not found',
  async (id) => {
    const path = `/api/v1/admin/organizations/${id}/sending-controls`;
    expect((await administrator.call('GET', path)).status).toBe(404);
    expect((await administrator.call('PUT', path, { json: { held: true } })).status).toBe(404);
    expect(await db.query('select id from sending_controls')).toEqual([]);
  },
);
