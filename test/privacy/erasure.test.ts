import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Activities } from '../../activities/index.ts';
import { erasureWorkflowIdOf, retentionWorkflowIdOf } from '../../workflows/contract.ts';
import type { Answer, CallOptions } from '../helpers/api.ts';
import { textOf } from '../helpers/history-text.ts';
import { giveMessage } from '../helpers/inbound.ts';
import { joinAs } from '../helpers/owner.ts';
import { makeAdministrator, problemOf, signUp, type Person } from '../helpers/people.ts';
import { searchDatabase } from '../helpers/search-database.ts';
import { startTestService, type TestService } from '../helpers/temporal-service.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

const path = '/api/v1/privacy/erasures';
const number = '+251911837465';
/** The digits that every spelling of the number has. */
const digits = '911837465';

let service: TestService;
let receiver: Server;
let webhookUrl: string;
let tenant: Tenant;
let owner: Person;
let live: string;
let testKey: string;
/** Every second page of an erasure loses its answer: its activity runs again. */
let pages = 0;

const losesAnswers = (activities: Activities): Activities => ({
  ...activities,
  discardPage: async (input) => {
    const progress = await activities.discardPage(input);
    pages += 1;
    if (pages % 2 === 1) throw new Error('The process died after the commit.');
    return progress;
  },
});

beforeAll(async () => {
  service = await startTestService({ wrapActivities: losesAnswers });
  // The receiver answers with what it was sent, so that the number is in the stored response too.
  receiver = createServer((request, response) => void request.pipe(response));
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
}, 60_000);

beforeEach(async () => {
  await service.syncClock();
  tenant = await createTenant(service.db.database, {
    sender: `+25190000${String(Math.random()).slice(2, 6)}`,
  });
  owner = await joinAs('owner', service, tenant.organizationId);
  live = await tenant.createKey();
  testKey = await tenant.createKey({ environment: 'test' });
});

afterAll(async () => {
  receiver.close();
  await service.stop();
});

const call = (method: string, at: string, given: object, key = live, more: CallOptions = {}) => {
  const namesOrganization = /contact|campaigns|bulk-sms|templates/.test(at);
  const json = namesOrganization ? { organizationId: tenant.organizationId, ...given } : given;
  return service.api.call(method, at, { key, json, ...more });
};
const erase = (phoneNumber = number) => owner.call('POST', path, { json: { phoneNumber } });
const read = async (id: string): Promise<Answer['body']> => (await owner.call('GET', `${path}/${id}`)).body;
const consent = async (phoneNumber = number) =>
  (await owner.call('GET', `/api/v1/privacy/consent?phoneNumber=${encodeURIComponent(phoneNumber)}`)).body;

/** Waits in small steps of skipped time: longer ones would end sessions. */
async function waitFor(what: string, condition: () => Promise<boolean>): Promise<void> {
  await until(
    what,
    async () => {
      if (await condition()) return true;
      await service.env.sleep('2 seconds');
      return false;
    },
    60_000,
  );
}

async function finish(id: string): Promise<Answer['body']> {
  await waitFor('the end of the erasure', async () => (await read(id)).status === 'completed');
  return read(id);
}

/** Everything of the tenant that has to come to its end before the erasure goes on. */
const settled = async (): Promise<boolean> => {
  const [open] = await service.db.query<{ rows: number }>(
    `select (select count(*) from messages where organization_id = ? and status in ('queued', 'accepted', 'sent'))::int
        + (select count(*) from webhook_deliveries where organization_id = ? and status in ('pending', 'retrying'))::int
        + (select count(*) from inbound_messages where status in ('received', 'processing'))::int as rows`,
    [tenant.organizationId, tenant.organizationId],
  );
  return open!.rows === 0;
};

/** Uses the number in every way there is. */
async function useNumber(): Promise<void> {
  const national = `0${digits}`;
  const contact = await call('POST', '/api/v1/contacts', {
    phoneNumber: number,
    firstName: 'Abebe',
    customFields: { phone: Number(digits) },
  });
  await call('POST', '/api/v1/contacts', {
    phoneNumber: '+251911000001',
    lastName: `of ${national}`,
    customFields: { spouse: national, town: 'Adama' },
    tags: [national, 'vip'],
  });
  const list = await call('POST', '/api/v1/contact-lists', { name: 'All' });
  await call('PUT', `/api/v1/contact-lists/${list.body.id}/members`, { contactIds: [contact.body.id] });
  const campaign = await call('POST', '/api/v1/campaigns', { name: 'November' });
  for (const [at, given] of [
    // Without the number, these two names are equal.
    ['templates', { name: `Call ${national}`, content: `Call Abebe: ${number}` }],
    ['templates', { name: `Call ${number}`, content: 'Selam' }],
    ['campaigns', { name: `For ${national}`, description: `Asked by ${number}` }],
    ['contact-lists', { name: `Friends of ${national}`, description: number }],
    ['inbound/keywords', { keyword: national, response: `Call ${national}` }],
    ['inbound/keywords', { keyword: number, response: 'Selam' }],
    ['sender-ids', { value: 'Abebe', useCase: `Parcels of ${national}.`, sampleMessage: `Call ${number}` }],
  ] as const)
    expect([at, (await call('POST', `/api/v1/${at}`, given)).status]).toEqual([at, 201]);
  await service.db.query(
    `update api_keys set name = ?, metadata = ?::jsonb where organization_id = ? and environment = 'live'`,
    [...[`Of ${national}`, JSON.stringify({ owner: national, team: 'A' }), tenant.organizationId]],
  );
  const imported = await call('POST', '/api/v1/contacts/import', {
    file: `phone,email\n${national},a@example.com\n${national},b@example.com\n12,${digits}@example.com\n`,
  });
  expect(imported.status).toBe(200);
  const webhook = { url: webhookUrl, secret: 'a-secret-of-16-characters' };
  const message = { to: national, text: `Selam ${national}`, metadata: { phone: Number(digits) }, webhook };
  const sent = await call('POST', '/api/v1/messages', message, live, {
    headers: { 'Idempotency-Key': `welcome-${digits}` },
  });
  await call('POST', '/api/v1/messages', message, live, { headers: { 'Idempotency-Key': 'other' } });
  expect((await call('POST', '/api/v1/messages', message, testKey)).status).toBe(202);
  await call('POST', '/api/v1/messages', {
    to: '+251911000002',
    text: `Your driver: +251 91 183 7465.`,
    metadata: { driver: number, order: 7 },
  });
  const code = await call('POST', '/api/v1/security-codes/send', { to: number, ttlSeconds: 60 });
  await call('POST', '/api/v1/messages/schedule', {
    ...{ to: number, text: 'Selam', scheduleType: 'once', startsAt: '2999-01-01T00:00:00Z' },
  });
  const batch = await call('POST', '/api/v1/bulk-sms', {
    ...{
      campaignId: campaign.body.id,
      contactListId: list.body.id,
      text: `Selam {{firstName}}, call ${national}`,
    },
  });
  for (const made of [sent, code, batch]) expect(made.status).toBe(202);
  await waitFor('the batch', async () => {
    const { body } = await service.api.call('GET', `/api/v1/bulk-sms/${batch.body.id}`, { key: live });
    return body.status === 'completed';
  });
  await call('POST', '/api/v1/suppressions', {
    phoneNumber: '+251911000003',
    reason: `Asked by ${national}.`,
  });
  expect(
    (await giveMessage(service.api, { from: number, to: tenant.sender, text: `Salam ${number}` })).status,
  ).toBe(200);
  await waitFor('all to settle', settled);
  expect((await giveMessage(service.api, { from: number, to: tenant.sender, text: 'STOP' })).status).toBe(
    200,
  );
  await waitFor('all to settle', settled);
  expect(await consent()).toMatchObject({ optedOut: true });
}

test('after an erasure the number is in no table, export or history; analytics stay, and so does the opt-out', async () => {
  await useNumber();
  expect((await searchDatabase(service.db, [digits])).length).toBeGreaterThan(15);
  const exported = await owner.call(
    'GET',
    `/api/v1/privacy/export?phoneNumber=${encodeURIComponent(number)}`,
  );
  for (const section of [
    'contacts',
    'phonebooks',
    'messages',
    'securityCodes',
    'schedules',
    'bulkRecipients',
  ]) {
    expect([section, exported.body[section].length]).toEqual([section, expect.any(Number)]);
    expect(exported.body[section].length).toBeGreaterThan(0);
  }
  for (const section of [
    'inboundMessages',
    'webhookDeliveries',
    'importRejects',
    'suppressions',
    'mentions',
    'consent',
  ])
    expect(exported.body[section].length).toBeGreaterThan(0);
  const analytics = async () => (await owner.call('GET', '/api/v1/analytics/')).body;
  // The text of the batch names the number, and loses it.
  const ledger = async () =>
    (await service.api.call('GET', '/api/v1/bulk-sms/', { key: live })).body.data.map(
      ({ text: _text, ...batch }: { text: string }) => batch,
    );
  const before = [await analytics(), await ledger()];

  const requested = await erase(`0${digits}`);
  expect(requested).toMatchObject({ status: 202, body: { status: 'running', waitingFor: null } });
  const erasure = await finish(requested.body.id as string);

  expect(await searchDatabase(service.db, [digits, digits.split('').join(' ')])).toEqual([]);
  expect([await analytics(), await ledger()]).toEqual(before);
  expect(erasure.erased).toMatchObject({
    ...{ contacts: 2, message_schedules: 1, bulk_recipients: 1, security_codes: 1, idempotency_keys: 2 },
    ...{ contact_import_rejects: expect.any(Number), inbound_messages: 2, suppressions: 2 },
    ...{
      templates: 2,
      campaigns: 1,
      phonebooks: 1,
      inbound_keywords: 2,
      bulk_batches: 1,
      sender_ids: 1,
      api_keys: 1,
    },
  });
  const again = await owner.call('GET', `/api/v1/privacy/export?phoneNumber=${encodeURIComponent(number)}`);
  expect(again.body).toMatchObject({
    contacts: [],
    messages: [],
    inboundMessages: [],
    mentions: [],
    consent: [{ kind: 'opted_out' }],
  });

  // The workflow learns of the end after the row has it.
  const handle = service.env.client.workflow.getHandle(erasureWorkflowIdOf(erasure.id));
  const history = await until('the end of the workflow', async () => {
    await service.env.sleep('2 seconds');
    const found = await handle.fetchHistory();
    return textOf(found).includes('"status":"completed"') && found;
  });
  expect(textOf(history)).not.toContain(digits);
  await service.saveHistory(erasureWorkflowIdOf(erasure.id), 'discard-personal-data-erasure');

  // What else mentions the person loses the number only.
  const rows = await service.db.query(
    `select text, metadata from messages where recipient = '+251911000002' and organization_id = ?`,
    [tenant.organizationId],
  );
  expect(rows).toEqual([{ text: 'Your driver: +251*******65.', metadata: { order: 7 } }]);
  const contacts = await service.db.query(
    `select last_name, tags, custom_fields from contacts where organization_id = ? order by id limit 1`,
    [tenant.organizationId],
  );
  expect(contacts).toEqual([
    { last_name: 'of +251*******65', tags: ['vip'], custom_fields: { town: 'Adama' } },
  ]);

  // The opt-out is in force for single messages and, with the contact stored anew, for batches.
  const refused = await call('POST', '/api/v1/messages', { to: number, text: 'Selam' });
  expect(problemOf(refused)).toEqual({ status: 422, code: 'recipient_opted_out' });
  const estimate = await call('POST', '/api/v1/messages/estimate', { to: number, text: 'Selam' });
  expect(estimate.body.wouldBeRefused).toMatchObject({ code: 'recipient_opted_out' });
  expect(await consent()).toMatchObject({
    optedOut: true,
    history: [{ kind: 'opted_out', source: 'recipient' }],
  });
  const contact = await call('POST', '/api/v1/contacts', { phoneNumber: number });
  const list = await call('POST', '/api/v1/contact-lists', { name: 'Again' });
  await call('PUT', `/api/v1/contact-lists/${list.body.id}/members`, { contactIds: [contact.body.id] });
  const campaign = await call('POST', '/api/v1/campaigns', { name: 'December' });
  const batch = await call('POST', '/api/v1/bulk-sms', {
    ...{ campaignId: campaign.body.id, contactListId: list.body.id, text: 'Selam' },
  });
  await waitFor('the batch', async () => {
    const [made] = await service.db.query<{ code: string }>(
      'select error_code as code from messages where bulk_batch_id = ?',
      [batch.body.id],
    );
    return made?.code === 'recipient_opted_out';
  });

  // START ends it.
  await giveMessage(service.api, { from: number, to: tenant.sender, text: 'START' });
  await waitFor('all to settle', settled);
  expect(await consent()).toMatchObject({
    optedOut: false,
    history: [{ kind: 'opted_in' }, { kind: 'opted_out' }],
  });
  expect((await call('POST', '/api/v1/messages', { to: number, text: 'Selam' })).status).toBe(202);
  await waitFor('all to settle', settled);
}, 180_000);

describe('what belongs to no organization', () => {
  const adminPath = '/api/v1/admin/privacy';
  const unrouted = '8999';
  let administrator: Person;

  beforeAll(async () => {
    administrator = await signUp(service.api);
    await makeAdministrator(service.db, administrator);
  });

  const give = async (from: string, text: string) => {
    expect((await giveMessage(service.api, { from, to: unrouted, text })).status).toBe(200);
    await waitFor('all to settle', settled);
  };
  const exported = async (phoneNumber: string) =>
    (await administrator.call('GET', `${adminPath}/export?phoneNumber=${encodeURIComponent(phoneNumber)}`))
      .body;

  test('is erased and exported by administrators, and is in no table, log or history afterwards', async () => {
    const phone = '+251911837461';
    await give(phone, 'Where is my parcel?');
    await give('+251911000009', `Ask 0${phone.slice(4)}.`);
    expect(await exported(phone)).toMatchObject({
      phoneNumber: phone,
      inboundMessages: [{ from: phone, to: unrouted, text: 'Where is my parcel?' }],
    });
    // The organization has nothing of it, and its erasure changes nothing of others.
    expect((await finish((await erase(phone)).body.id as string)).erased).toEqual({});
    expect((await searchDatabase(service.db, [phone.slice(4)])).length).toBe(2);

    const json = { phoneNumber: phone };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => administrator.call('POST', `${adminPath}/erasures`, { json })),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    const id = answers[0]!.body.id as string;
    const read = async () => (await administrator.call('GET', `${adminPath}/erasures/${id}`)).body;
    await waitFor('the end of the erasure', async () => (await read()).status === 'completed');

    expect(await read()).toMatchObject({ status: 'completed', erased: { inbound_messages: 2 } });
    expect((await administrator.call('GET', `${adminPath}/erasures`)).body.data).toMatchObject([{ id }]);
    expect(await searchDatabase(service.db, [phone.slice(4)])).toEqual([]);
    expect((await exported(phone)).inboundMessages).toEqual([]);
    expect(
      await service.db.query(`select sender, text from inbound_messages where recipient = ? order by id`, [
        unrouted,
      ]),
    ).toEqual([
      { sender: '+251*******61', text: '' },
      { sender: '+251911000009', text: 'Ask +251*******61.' },
    ]);
    const history = await service.env.client.workflow.getHandle(erasureWorkflowIdOf(id)).fetchHistory();
    expect(textOf(history)).not.toContain(phone.slice(4));
    const events = await service.db.query(
      `select action, organization_id from audit_events where actor_id = ? order by id`,
      [administrator.userId],
    );
    expect(events).toEqual([
      { action: 'person.exported', organization_id: null },
      { action: 'erasure.requested', organization_id: null },
      { action: 'person.exported', organization_id: null },
    ]);
  }, 120_000);

  test('is for administrators only, and their erasures are not those of an organization', async () => {
    const json = { phoneNumber: '+251911837462' };
    expect(problemOf(await owner.call('POST', `${adminPath}/erasures`, { json })).status).toBe(403);
    expect(problemOf(await owner.call('GET', `${adminPath}/export?phoneNumber=0911837462`)).status).toBe(403);
    const { body } = await administrator.call('POST', `${adminPath}/erasures`, { json });
    expect(problemOf(await owner.call('GET', `${path}/${body.id}`)).code).toBe('not_found');
    const ofTenant = await erase('+251911837462');
    const at = `${adminPath}/erasures/${ofTenant.body.id}`;
    expect(problemOf(await administrator.call('GET', at)).code).toBe('not_found');
  });
});

test('an erasure waits for a message that is on its way, and erases it then', async () => {
  const phone = '+251911837466';
  await service.gatewayLine.cut();
  const { body } = await call('POST', '/api/v1/messages', { to: phone, text: 'Selam' });
  const requested = await erase(phone);
  await waitFor(
    'the erasure to wait',
    async () => (await read(requested.body.id as string)).status === 'waiting',
  );
  expect((await read(requested.body.id as string)).waitingFor).toBe('messages');
  await service.gatewayLine.restore();
  await finish(requested.body.id as string);
  const [message] = await service.db.query('select recipient, text, status from messages where id = ?', [
    body.id,
  ]);
  expect(message).toEqual({ recipient: '+251*******66', text: '', status: 'delivered' });
}, 120_000);

test('of ten requests at once for a number, one erases it; afterwards a new one may', async () => {
  const phone = '+251911837467';
  const answers = await Promise.all(Array.from({ length: 10 }, () => erase(phone)));
  const ids = new Set(answers.map(({ body }) => body.id as string));
  expect([...ids]).toHaveLength(1);
  await finish([...ids][0]!);
  const [audited] = await service.db.query<{ events: number; details: object }>(
    `select count(*)::int as events, jsonb_agg(details) as details from audit_events
      where organization_id = ? and action = 'erasure.requested'`,
    [tenant.organizationId],
  );
  expect(audited).toEqual({ events: 1, details: [{}] });
  expect((await erase(phone)).body.id).not.toBe([...ids][0]);
});

test('the retention of an organization is carried out by its workflow', async () => {
  const id = '01900000-0000-7000-8000-000000000001';
  await service.db.query(
    `insert into messages (id, organization_id, environment, sender, recipient, text, encoding, segments, status,
        metadata, created_at, valid_until)
      values (?, ?, 'live', 'ACME', '+251911837468', 'Selam', 'gsm7', 1, 'delivered', '{}', now(), now())`,
    [id, tenant.organizationId],
  );
  await owner.call('PUT', '/api/v1/privacy/retention', { json: { textDays: 7, numberDays: 7 } });
  await waitFor('the end of the day', async () => {
    const { body } = await owner.call('GET', '/api/v1/privacy/retention');
    return body.lastRunAt !== null;
  });
  const [message] = await service.db.query('select recipient, text from messages where id = ?', [id]);
  expect(message).toEqual({ recipient: '+251*******68', text: '' });
  const workflowId = retentionWorkflowIdOf(tenant.organizationId);
  // `finish` would skip time up to the next timer of any workflow.
  const workflow = service.env.client.workflow.getHandle(workflowId);
  await waitFor('its workflow to end', async () => (await workflow.describe()).status.name === 'COMPLETED');
  await service.saveHistory(workflowId, 'discard-personal-data-retention');
}, 60_000);

describe('a request', () => {
  test.each([
    ['no number', {}, 400, 'invalid_request'],
    ['a number of 7 characters', { phoneNumber: '0911234' }, 400, 'invalid_request'],
    ['letters', { phoneNumber: 'ACME-PARCELS' }, 422, 'invalid_recipient'],
    ['an impossible number', { phoneNumber: '+25191123456' }, 422, 'invalid_recipient'],
    ['a field there is not', { phoneNumber: number, now: true }, 400, 'invalid_request'],
  ])('with %s is refused, and nothing is stored', async (_name, json, status, code) => {
    expect(problemOf(await owner.call('POST', path, { json }))).toEqual({ status, code });
    expect(
      await service.db.query('select from erasures where organization_id = ?', [tenant.organizationId]),
    ).toEqual([]);
  });

  test('is for owners and admins, of their own organization', async () => {
    const member = await joinAs('member', service, tenant.organizationId);
    const stranger = await joinAs('owner', service, (await createTenant(service.db.database)).organizationId);
    const { body } = await erase('+251911837469');
    for (const [method, at] of [
      ['POST', path],
      ['GET', path],
      ['GET', `${path}/${body.id}`],
      ['GET', '/api/v1/privacy/export?phoneNumber=0911837469'],
      ['GET', '/api/v1/privacy/consent?phoneNumber=0911837469'],
    ] as const) {
      const options = method === 'POST' ? { json: { phoneNumber: number } } : {};
      expect(problemOf(await member.call(method, at, options)).code).toBe('permission_denied');
    }
    expect(problemOf(await stranger.call('GET', `${path}/${body.id}`))).toEqual({
      status: 404,
      code: 'not_found',
    });
    expect((await stranger.call('GET', path)).body.data).toEqual([]);
    await finish(body.id as string);
  });
});
