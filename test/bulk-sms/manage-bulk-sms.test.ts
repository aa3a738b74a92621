import { startTestApi, type TestApi } from '../helpers/api.ts';
import {
  addContacts,
  makeBatch,
  makeSetting,
  unknownId,
  numberOf,
  readBatch,
  type BulkSetting,
} from '../helpers/bulk.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;
let setting: BulkSetting;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

beforeEach(async () => {
  tenant = await createTenant(db.database);
  key = await tenant.createKey({ environment: 'test' });
  setting = await makeSetting(api, db, { organizationId: tenant.organizationId, key }, 3);
});

const post = (json: Record<string, unknown>, path = '/api/v1/bulk-sms') =>
  api.call('POST', path, {
    key,
    json: { campaignId: setting.campaignId, contactListId: setting.contactListId, text: 'x', ...json },
  });

const countBatches = async () => (await db.query('select from bulk_batches')).length;

test('a batch is taken with 202, pending, with the sender of its campaign or else the default', async () => {
  const batch = await makeBatch(api, setting);
  expect(batch).toMatchObject({
    status: 'pending',
    from: tenant.sender,
    environment: 'test',
    scheduledAt: null,
  });
  await db.query('update campaigns set sender = ? where id = ?', [tenant.sender, setting.campaignId]);
  expect(await makeBatch(api, setting)).toMatchObject({ from: tenant.sender });
  const { body } = await api.call('GET', `/api/v1/campaigns?organizationId=${tenant.organizationId}`, {
    key,
  });
  expect(body.data[0]).toMatchObject({ batches: 2, messages: 0 });
});

test('a batch for later is scheduled; one for a moment ago starts', async () => {
  expect(await makeBatch(api, setting, { scheduledAt: '2999-01-01T00:00:00Z' })).toMatchObject({
    status: 'scheduled',
    scheduledAt: '2999-01-01T00:00:00.000Z',
  });
  const justNow = new Date(Date.now() - 1000).toISOString();
  expect(await makeBatch(api, setting, { scheduledAt: justNow })).toMatchObject({ status: 'pending' });
});

test.each<[what: string, fields: () => Record<string, unknown>, status: number, code: string, path?: string]>(
  [
    ['no text', () => ({ text: '' }), 400, 'invalid_request', '/body/text'],
    ['a text of 1,601 characters', () => ({ text: 'x'.repeat(1601) }), 400, 'invalid_request', '/body/text'],
    ['an unknown merge field', () => ({ text: '{{nickname}}' }), 400, 'invalid_request', '/body/text'],
    ['an unclosed merge field', () => ({ text: 'Hi {{firstName' }), 400, 'invalid_request', '/body/text'],
    [
      'a time long ago',
      () => ({ scheduledAt: '2020-01-01T00:00:00Z' }),
      400,
      'invalid_request',
      '/body/scheduledAt',
    ],
    ['a time that is none', () => ({ scheduledAt: 'tomorrow' }), 400, 'invalid_request', '/body/scheduledAt'],
    ['a campaign that is no id', () => ({ campaignId: 'x' }), 404, 'not_found'],
    ['a campaign of nobody', () => ({ campaignId: unknownId }), 404, 'not_found'],
    ['a contact list of nobody', () => ({ contactListId: unknownId }), 404, 'not_found'],
    ['a contact list that is no id', () => ({ contactListId: `${unknownId}'` }), 404, 'not_found'],
    ['a field too many', () => ({ ratePerSecond: 5 }), 400, 'invalid_request'],
  ],
)('refuses %s and stores nothing', async (...[, fields, status, code, path]) => {
  const before = await countBatches();
  const answer = await post(fields());
  expect(answer.body).toMatchObject({
    status,
    code,
    ...(path && { errors: expect.arrayContaining([expect.objectContaining({ path })]) as unknown }),
  });
  expect(await countBatches()).toBe(before);
});

test('campaign and phonebook of another organization are unknown', async () => {
  const other = await createTenant(db.database);
  const theirs = await makeSetting(
    api,
    db,
    { organizationId: other.organizationId, key: await other.createKey() },
    1,
  );
  for (const fields of [{ campaignId: theirs.campaignId }, { contactListId: theirs.contactListId }]) {
    expect((await post(fields)).body).toMatchObject({ status: 404, code: 'not_found' });
    expect((await post(fields, '/api/v1/bulk-sms/estimate')).body).toMatchObject({ status: 404 });
  }
});

test.each(['paused', 'archived'])('a campaign that is %s takes no batch, and says so', async (status) => {
  await db.query('update campaigns set status = ? where id = ?', [status, setting.campaignId]);
  const { body } = await post({});
  expect(body).toMatchObject({ status: 409, code: 'invalid_state' });
  expect(body.detail).toContain(status);
});

test('an empty phonebook is refused now, and accepted for later', async () => {
  await db.query('update phonebooks set member_count = 0 where id = ?', [setting.contactListId]);
  expect((await post({})).body).toMatchObject({ status: 422, code: 'contact_list_empty' });
  expect((await post({ scheduledAt: '2999-01-01T00:00:00Z' })).status).toBe(202);
});

test('without an approved sender nothing live is taken', async () => {
  key = await tenant.createKey();
  await db.query(`update sender_ids set status = 'pending', is_default = false where organization_id = ?`, [
    tenant.organizationId,
  ]);
  expect((await post({})).body).toMatchObject({
    ...{ status: 422, code: 'sender_required' },
    detail: expect.stringContaining('Get a default sender approved'),
  });
  await db.query('update campaigns set sender = ? where id = ?', [tenant.sender, setting.campaignId]);
  expect((await post({})).body).toMatchObject({ status: 422, code: 'sender_not_approved' });
});

test('a campaign with a batch cannot be deleted', async () => {
  await makeBatch(api, setting);
  const target = `/api/v1/campaigns/${setting.campaignId}?organizationId=${tenant.organizationId}`;
  expect((await api.call('DELETE', target, { key })).body).toMatchObject({
    status: 409,
    code: 'invalid_state',
  });
});

describe('every action in every status', () => {
  const actions = ['start', 'pause', 'resume', 'rate', 'cancel'] as const;
  const outcomes: Record<string, Partial<Record<(typeof actions)[number], string>>> = {
    pending: { rate: 'pending', cancel: 'cancelled' },
    scheduled: { start: 'pending', rate: 'scheduled', cancel: 'cancelled' },
    processing: { pause: 'paused', rate: 'processing', cancel: 'cancelled' },
    paused: { resume: 'processing', rate: 'paused', cancel: 'cancelled' },
    completed: {},
    cancelled: {},
    failed: {},
  };
  const cases = Object.keys(outcomes).flatMap((status) => actions.map((action) => [action, status] as const));

  test('says what is possible as a list', async () => {
    const { id } = await makeBatch(api, setting);
    await db.query(`update bulk_batches set status = 'scheduled' where id = ?`, [id]);
    const { body } = await api.call('PATCH', `/api/v1/bulk-sms/${id}/pause`, { key });
    expect(body.detail).toBe('The batch is scheduled. You can start, change the rate of, or cancel it.');
  });

  test.each(cases)('%s of a batch that is %s', async (action, status) => {
    const { id } = await makeBatch(api, setting);
    await db.query('update bulk_batches set status = ? where id = ?', [status, id]);
    const answer =
      action === 'cancel'
        ? await api.call('DELETE', `/api/v1/bulk-sms/${id}`, { key })
        : await api.call('PATCH', `/api/v1/bulk-sms/${id}/${action}`, {
            key,
            ...(action === 'rate' && { json: { ratePerSecond: 7 } }),
          });
    const expected = outcomes[status]![action];
    if (expected === undefined) {
      expect(answer.body).toMatchObject({ status: 409, code: 'invalid_state' });
      expect(answer.body.detail).toContain(`The batch is ${status}`);
      for (const [possible] of Object.entries(outcomes[status]!))
        expect(answer.body.detail).toContain(possible);
    } else {
      expect(answer.status).toBe(action === 'cancel' ? 204 : 200);
    }
    expect(await readBatch(api, setting, id)).toMatchObject({
      status: expected ?? status,
      ...(action === 'rate' && expected && { ratePerSecond: 7 }),
    });
  });
});

describe('a batch that would fail at once', () => {
  const take = (sql: string, id: () => string) => () => db.query(sql, [id()]);
  const pauseCampaign = take(`update campaigns set status = 'paused' where id = ?`, () => setting.campaignId);
  const archiveCampaign = take(
    `update campaigns set status = 'archived' where id = ?`,
    () => setting.campaignId,
  );
  const takeSender = take(
    `update sender_ids set status = 'rejected', is_default = false where organization_id = ?`,
    () => tenant.organizationId,
  );
  const deleteList = () =>
    api.call(
      'DELETE',
      `/api/v1/contact-lists/${setting.contactListId}?organizationId=${tenant.organizationId}`,
      {
        key,
      },
    );
  const emptyList = () =>
    api.call('PUT', `/api/v1/contact-lists/${setting.contactListId}/members`, {
      key,
      json: { organizationId: tenant.organizationId, contactIds: [] },
    });

  test.each<
    [
      action: 'start' | 'resume',
      why: string,
      hinder: () => Promise<unknown>,
      status: number,
      code: string,
      says: string,
    ]
  >([
    [
      'start',
      'whose campaign is paused',
      pauseCampaign,
      409,
      'invalid_state',
      'campaign of the batch is paused',
    ],
    ['start', 'whose campaign is archived', archiveCampaign, 409, 'invalid_state', 'Make it active'],
    ['start', 'whose list was deleted', deleteList, 409, 'invalid_state', 'another list'],
    ['start', 'whose list was emptied', emptyList, 422, 'contact_list_empty', 'Add members'],
    ['start', 'whose sender was taken away', takeSender, 422, 'sender_not_approved', 'ACME'],
    ['resume', 'whose campaign is paused', pauseCampaign, 409, 'invalid_state', 'Make it active'],
    ['resume', 'whose campaign is archived', archiveCampaign, 409, 'invalid_state', 'archived'],
    ['resume', 'whose sender was taken away', takeSender, 422, 'sender_not_approved', 'approved again'],
  ])('refuses to %s one %s, says what to do, and changes nothing', async (...row) => {
    const [action, , hinder, status, code, says] = row;
    const { id } = await makeBatch(api, setting, { scheduledAt: '2999-01-01T00:00:00Z' });
    if (action === 'resume') {
      await db.query(`update bulk_batches set status = 'paused', wake_at = null where id = ?`, [id]);
    }
    await hinder();
    const before = await db.query('select * from bulk_batches where id = ?', [id]);
    const { body } = await api.call('PATCH', `/api/v1/bulk-sms/${id}/${action}`, { key });
    expect(body).toMatchObject({ status, code });
    expect(body.detail).toContain(says);
    expect(await db.query('select * from bulk_batches where id = ?', [id])).toEqual(before);
    // What is no question of the batch's status does not hide it.
    await db.query(`update bulk_batches set status = 'completed' where id = ?`, [id]);
    const late = await api.call('PATCH', `/api/v1/bulk-sms/${id}/${action}`, { key });
    expect(late.body).toMatchObject({ status: 409, code: 'invalid_state' });
    expect(late.body.detail).toContain('The batch is completed');
  });

  test('can be cancelled, and held to a rate, all the same', async () => {
    const { id } = await makeBatch(api, setting, { scheduledAt: '2999-01-01T00:00:00Z' });
    await pauseCampaign();
    const rate = await api.call('PATCH', `/api/v1/bulk-sms/${id}/rate`, { key, json: { ratePerSecond: 5 } });
    expect(rate.status).toBe(200);
    expect((await api.call('DELETE', `/api/v1/bulk-sms/${id}`, { key })).status).toBe(204);
  });
});

test.each([0, -1, 1.5, '10', 100_001, true])('a rate of %p is refused', async (ratePerSecond) => {
  const { id } = await makeBatch(api, setting);
  const { body } = await api.call('PATCH', `/api/v1/bulk-sms/${id}/rate`, { key, json: { ratePerSecond } });
  expect(body).toMatchObject({ status: 400, code: 'invalid_request' });
});

test('of two who cancel at the same time, one does', async () => {
  const { id } = await makeBatch(api, setting);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => api.call('DELETE', `/api/v1/bulk-sms/${id}`, { key })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    204,
    ...Array.from({ length: 7 }, () => 409),
  ]);
});

test('a key sees the batches of its own environment, a session those of both; lists go on by cursor', async () => {
  const live = await tenant.createKey({ environment: 'live' });
  const first = await makeBatch(api, setting);
  const second = await makeBatch(api, { ...setting, key: live });
  const third = await makeBatch(api, setting);
  const list = async (path: string, as: string) =>
    (await api.call('GET', `/api/v1/bulk-sms${path}`, { key: as })).body;
  expect((await list('', live)).data.map(({ id }: { id: string }) => id)).toEqual([second.id]);
  expect((await api.call('GET', `/api/v1/bulk-sms/${second.id}`, { key })).status).toBe(404);
  const page = await list('?limit=1', key);
  expect(page.data.map(({ id }: { id: string }) => id)).toEqual([third.id]);
  const next = await list(`?limit=1&cursor=${page.pagination.nextCursor}`, key);
  expect(next.data.map(({ id }: { id: string }) => id)).toEqual([first.id]);
  expect(next.pagination.nextCursor).toBeNull();
});

describe('the estimate', () => {
  const estimate = async (text: string) =>
    (
      await api.call('POST', '/api/v1/bulk-sms/estimate', {
        key,
        json: { contactListId: setting.contactListId, text },
      })
    ).body;

  test('counts segments of what each recipient would get, and stores nothing', async () => {
    await db.query(`update contacts set first_name = 'ሰላም' where phone_number = ? and organization_id = ?`, [
      numberOf(1),
      tenant.organizationId,
    ]);
    await db.query(`update contacts set first_name = null where phone_number = ? and organization_id = ?`, [
      numberOf(2),
      tenant.organizationId,
    ]);
    const before = await countBatches();
    expect(await estimate(`${'x'.repeat(100)}{{firstName}}`)).toEqual({
      recipients: 3,
      refused: { optedOut: 0, duplicates: 0, invalid: 0 },
      unsendableTexts: 0,
      messages: 3,
      segments: 4,
      encodings: { gsm7: 2, ucs2: 1 },
      longestSegments: 2,
    });
    expect(await estimate('{{firstName}}')).toMatchObject({ unsendableTexts: 1, messages: 2 });
    expect(await estimate(' ')).toMatchObject({ unsendableTexts: 0, messages: 3, segments: 3 });
    expect(await estimate('{{firstName}} ')).toMatchObject({ unsendableTexts: 0, messages: 3 });
    expect(await estimate('{{firstName|there}}')).toMatchObject({ unsendableTexts: 0, messages: 3 });
    await db.query(`update contacts set first_name = ? where phone_number = ? and organization_id = ?`, [
      'x'.repeat(100),
      numberOf(3),
      tenant.organizationId,
    ]);
    expect(await estimate(`${'x'.repeat(1580)}{{firstName}}`)).toMatchObject({
      unsendableTexts: 1,
      messages: 2,
    });
    expect(await countBatches()).toBe(before);
  });

  test('tells who is left out, and why', async () => {
    await api.call('POST', '/api/v1/suppressions', { key, json: { phoneNumber: numberOf(3) } });
    await db.query(`update contacts set phone_number = '+0' where phone_number = ? and organization_id = ?`, [
      numberOf(1),
      tenant.organizationId,
    ]);
    expect(await estimate('x')).toMatchObject({
      recipients: 3,
      messages: 1,
      refused: { optedOut: 1, duplicates: 0, invalid: 1 },
    });
  });

  test('counts recipients of more texts than it holds at a time', async () => {
    await addContacts(db, setting, 4, 6000);
    expect(await estimate('Selam {{firstName}}, {{customFields.points}} points')).toMatchObject({
      messages: 6000,
      segments: 6000,
    });
  });
});
