/**
 * A test over openapi.yaml: every operation below /api/v1 that takes a body takes it in all three encodings, with
 * equal answers. An operation joins it by being written there, and by a line of the table below.
 */
import { loadContract, type Operation } from '../../src/http/contract/contract.ts';
import { startTestApi, type Answer, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, makeAdministrator, signUp, type Person } from '../helpers/people.ts';
import { codeOf } from '../helpers/sent-code.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;
let owner: Person;
let organizationId: string;
let administrator: Person;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, webhookAllowedHosts: ['example.com'] });
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
  [owner, administrator] = [await signUp(api), await signUp(api)];
  ({ organizationId } = await createOrganization(owner));
  await makeAdministrator(db, administrator);
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

type Body = Record<string, unknown>;
interface Case {
  status: number;
  /** A request that succeeds; made anew for each encoding, for it may succeed only once. */
  request: () => Promise<{ path?: Record<string, string>; body: Body }>;
}

const to = '0911234567';
let recipients = 0;
/** A number that has not been sent a code yet. */
const newRecipient = () => `+2519${String((recipients += 1)).padStart(8, '0')}`;
const just = (body: Body) => () => Promise.resolve({ body });

const lastHour = {
  ...{ from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00.000Z', environment: 'test' },
  ...{ errorCode: 'not_routable', limit: 12 },
};

const cases: Record<string, Case> = {
  sendMessage: {
    status: 202,
    request: just({
      ...{ to, text: 'ሰላም & "x"', from: 'ACME', metadata: { order: { lines: [1, 2.5, true, null, 'é'] } } },
      webhook: { url: 'https://example.com/hook?a=1&b=2', secret: '0123456789abcdef' },
    }),
  },
  estimateMessage: {
    status: 200,
    request: just({ to, text: 'Line\r\nሰላም', from: 'ACME', webhook: { url: 'https://example.com/' } }),
  },
  scheduleMessage: {
    status: 201,
    request: just({
      ...{ to, text: 'x', scheduleType: 'recurring', startsAt: '2999-01-31T06:00:00Z' },
      ...{ endsAt: '3001-01-31T06:00:00Z', timezone: 'Africa/Addis_Ababa' },
      recurrence: { unit: 'month', interval: 1 },
    }),
  },
  changeMessageScheduleStatus: {
    status: 200,
    request: async () => {
      const { body } = await api.call('POST', '/api/v1/messages/schedule', {
        key,
        json: { to, text: 'x', scheduleType: 'once', startsAt: '2999-01-31T06:00:00Z' },
      });
      return { path: { scheduleId: body.id }, body: { action: 'pause' } };
    },
  },
  sendSecurityCode: {
    status: 202,
    request: () =>
      Promise.resolve({
        body: {
          ...{ to: newRecipient(), channel: 'sms', purpose: 'sign-in', from: 'ACME', ttlSeconds: 90 },
          ...{ code: { type: 'alphanumeric', length: 8 }, maxAttempts: 3, template: 'ኮድ {{code}}' },
          metadata: { attempt: 1, tags: ['a', 'b'] },
        },
      }),
  },
  verifySecurityCode: {
    status: 200,
    request: async () => {
      const { body } = await api.call('POST', '/api/v1/security-codes/send', {
        key,
        json: { to: newRecipient() },
      });
      return {
        body: {
          verificationId: body.verificationId as string,
          code: await codeOf(db, body.messageId as string),
        },
      };
    },
  },
  redriveWebhookDelivery: {
    status: 200,
    request: async () => ({
      path: { deliveryId: await makeDeadDelivery() },
      body: { organizationId: tenant.organizationId },
    }),
  },
  setRetention: { status: 200, request: just({ textDays: 30, numberDays: 90 }) },
  requestErasure: { status: 202, request: just({ phoneNumber: '0911234567' }) },
  requestPlatformErasure: { status: 202, request: just({ phoneNumber: '0911234567' }) },
  redriveMessages: { status: 202, request: just(lastHour) },
  redriveWebhookDeliveries: { status: 202, request: just({ ...lastHour, errorCode: 'timeout' }) },
  changePlatformSendingControls: {
    status: 200,
    request: just({
      held: false,
      destinations: ['+'],
      recipientMessagesPerDay: 1000,
      newOrganizations: { days: 1, messagesPerDay: 100000 },
    }),
  },
  changeSendingControls: {
    status: 200,
    request: () =>
      Promise.resolve({
        path: { organizationId },
        body: {
          ...{ held: true, reason: 'Fraud', destinations: ['+251', '+25470'], messagesPerHour: 100000 },
          prefixCaps: ['+251', '+25470'].map((prefix) => ({ prefix, messagesPerHour: 100000 })),
          newOrganizationLimitLifted: true,
        },
      }),
  },
  changeSecurityCodeWatch: {
    status: 200,
    request: () =>
      Promise.resolve({
        body: {
          ...{ mode: 'hold', minCodes: 50, minVerifiedPercent: 15, holdHours: 6 },
          ...{ exemptOrganizationIds: [organizationId], exemptPrefixes: ['+251', '+254711'] },
        },
      }),
  },
  createContentRule: {
    status: 201,
    request: () =>
      Promise.resolve({
        body: { organizationId, kind: 'contains', values: ['ሎተሪ አሸነፉ', 'you won'], reason: 'No lotteries.' },
      }),
  },
  updateContentRule: {
    status: 200,
    request: async () => ({
      path: { ruleId: await makeRule() },
      body: {
        kind: 'link_not_in',
        values: ['example.com', 'example.org'],
        reason: 'Other links are not allowed.',
      },
    }),
  },
  sendBulkSms: {
    status: 202,
    request: async () => ({ body: { ...(await makeBulk()), scheduledAt: '2999-01-31T06:00:00Z' } }),
  },
  estimateBulkSms: { status: 200, request: async () => ({ body: await makeBulk() }) },
  startBulkSms: {
    status: 200,
    request: () => bulkIn('scheduled', { organizationId: tenant.organizationId }),
  },
  pauseBulkSms: {
    status: 200,
    request: () => bulkIn('processing', { organizationId: tenant.organizationId }),
  },
  resumeBulkSms: {
    status: 200,
    request: () => bulkIn('paused', { organizationId: tenant.organizationId }),
  },
  changeBulkSmsRate: { status: 200, request: () => bulkIn('processing', { ratePerSecond: 10 }) },
  createApiKey: {
    status: 201,
    request: just({
      ...{ name: 'k', environment: 'test', permissions: ['messages:send', 'messages:read'] },
      ...{ metadata: { service: 's', tags: ['a', 'b'] }, expiresAt: '2999-01-01T00:00:00Z' },
    }),
  },
  updateApiKey: {
    status: 200,
    request: async () => {
      const { body } = await owner.call('POST', '/api/v1/api-keys', {
        json: { organizationId, name: 'k', environment: 'test', permissions: ['messages:send'] },
      });
      return { path: { keyId: body.id }, body: { name: 'n', permissions: ['messages:read', 'bulk:read'] } };
    },
  },
};

/** Makes something of the tenant's by JSON, for a request to be about; answers its id. */
async function make(path: string, json: Body): Promise<string> {
  const { status, body } = await api.call('POST', path, {
    key,
    json: { organizationId: tenant.organizationId, ...json },
  });
  if (status >= 300) throw new Error(`${path} was answered ${status}: ${JSON.stringify(body)}`);
  return body.id as string;
}

const ofTenant = (body: Body): Body => ({ organizationId: tenant.organizationId, ...body });
let names = 0;
const newName = () => `Name ${String.fromCodePoint(0x1200 + (names += 1))}`;
const person = () => ({
  ...{ phoneNumber: newRecipient(), firstName: 'አበበ', email: 'a@example.com', tags: ['vip', 'a,b'] },
  customFields: { city: 'Adama', size: 3, isNew: true },
});
const newSender = () => ({
  value: `Sender ${(names += 1)}`,
  useCase: 'Tells where parcels are.',
  sampleMessage: 'Hello.',
});
const newContact = () => make('/api/v1/contacts', person());
const newPhonebook = () => make('/api/v1/contact-lists', { name: newName() });

const audienceCases: Record<string, Case> = {
  createContact: { status: 201, request: async () => ({ body: ofTenant(person()) }) },
  updateContact: {
    status: 200,
    request: async () => ({ path: { contactId: await newContact() }, body: ofTenant(person()) }),
  },
  importContacts: {
    status: 200,
    request: async () => ({
      body: ofTenant({ file: `phone;first name\r\n${newRecipient()};"አበበ\n2"\r\nx;y\r\n` }),
    }),
  },
  requestContactVerification: {
    status: 202,
    request: async () => ({ path: { contactId: await newContact() }, body: ofTenant({}) }),
  },
  confirmContactVerification: {
    status: 200,
    request: async () => {
      const contactId = await newContact();
      const { body } = await api.call('POST', `/api/v1/contacts/${contactId}/verification/request`, {
        key,
        json: ofTenant({}),
      });
      return { path: { contactId }, body: ofTenant({ code: await codeOf(db, body.messageId as string) }) };
    },
  },
  createPhonebook: {
    status: 201,
    request: async () => ({ body: ofTenant({ name: 'ስም', description: 'd' }) }),
  },
  updatePhonebook: {
    status: 200,
    request: async () => ({
      path: { listId: await newPhonebook() },
      body: ofTenant({ name: 'n', description: 'd' }),
    }),
  },
  replacePhonebookMembers: {
    status: 200,
    request: async () => ({
      path: { listId: await newPhonebook() },
      body: ofTenant({ contactIds: [await newContact(), await newContact()] }),
    }),
  },
  addPhonebookMembers: {
    status: 200,
    request: async () => ({
      path: { listId: await newPhonebook() },
      body: ofTenant({ contactIds: [await newContact(), await newContact()] }),
    }),
  },
  createTemplate: {
    status: 201,
    request: async () => ({
      body: ofTenant({ name: newName(), content: 'ሰላም {{firstName|there}}', category: 'otp' }),
    }),
  },
  updateTemplate: {
    status: 200,
    request: async () => ({
      path: { templateId: await make('/api/v1/templates', { name: newName(), content: 'x' }) },
      body: ofTenant({ name: newName(), content: 'y', category: 'marketing' }),
    }),
  },
  createCampaign: {
    status: 201,
    request: async () => ({
      body: ofTenant({ name: 'c', description: 'd', sender: 'ACME', status: 'paused' }),
    }),
  },
  updateCampaign: {
    status: 200,
    request: async () => ({
      path: { campaignId: await make('/api/v1/campaigns', { name: 'c' }) },
      body: ofTenant({ name: 'd', status: 'archived' }),
    }),
  },
  requestSenderId: {
    status: 201,
    request: async () => ({ body: ofTenant({ ...newSender(), website: 'https://example.com/' }) }),
  },
  resubmitSenderId: {
    status: 200,
    request: async () => {
      const sender = newSender();
      const senderId = await make('/api/v1/sender-ids', sender);
      await api.call('PATCH', `/api/v1/admin/sender-ids/${senderId}/review`, {
        session: administrator.token,
        json: { action: 'reject', reason: 'Say more.' },
      });
      return { path: { senderId }, body: ofTenant(sender) };
    },
  },
  reviewSenderId: {
    status: 200,
    request: async () => ({
      path: { senderId: await make('/api/v1/sender-ids', newSender()) },
      body: { action: 'approve', isDefault: false },
    }),
  },
  readAllNotifications: { status: 200, request: just({}) },
  testInboundKeywords: { status: 200, request: just({ text: 'ሰላም & "x"' }) },
  createInboundKeyword: {
    status: 201,
    request: async () => ({
      body: ofTenant({
        ...{ keyword: `ሰላም ${newRecipient()}`, response: 'x & "y"', matchType: 'contains' },
        ...{ sender: 'ACME', enabled: false },
      }),
    }),
  },
  updateInboundKeyword: {
    status: 200,
    request: async () => ({
      path: {
        keywordId: await make('/api/v1/inbound/keywords', { keyword: newRecipient(), response: 'x' }),
      },
      body: ofTenant({ response: 'ሰላም', enabled: true, sender: 'ACME' }),
    }),
  },
  redriveInboundMessage: {
    status: 200,
    request: async () => {
      const [row] = await db.query<{ id: string }>(
        `insert into inbound_messages (id, organization_id, sender, recipient, text, deduplication_key, status, created_at)
          values (gen_random_uuid(), ?, '+251911234567', '8080', 'x', ?, 'failed', now()) returning id`,
        [tenant.organizationId, newRecipient()],
      );
      return { path: { messageId: row!.id }, body: ofTenant({}) };
    },
  },
  suppressNumber: {
    status: 201,
    request: async () => ({ body: ofTenant({ phoneNumber: newRecipient(), reason: 'asked' }) }),
  },
};

/** What a batch is of: a campaign and a phonebook with one contact. */
async function makeBulk(): Promise<Body & { text: string }> {
  const contactListId = await make('/api/v1/contact-lists', { name: 'x' });
  const contactId = await make('/api/v1/contacts', { phoneNumber: newRecipient() });
  await api.call('PUT', `/api/v1/contact-lists/${contactListId}/members`, {
    key,
    json: { organizationId: tenant.organizationId, contactIds: [contactId] },
  });
  return {
    campaignId: await make('/api/v1/campaigns', { name: 'x' }),
    contactListId,
    text: 'ሰላም {{firstName|&}}',
  };
}

/** A batch in a status, which nobody carries. */
async function bulkIn(status: string, body: Body): Promise<{ path: Record<string, string>; body: Body }> {
  const made = await api.call('POST', '/api/v1/bulk-sms', { key, json: await makeBulk() });
  await db.query('update bulk_batches set status = ? where id = ?', [status, made.body.id]);
  return { path: { bulkSmsId: made.body.id as string }, body };
}

async function makeRule(): Promise<string> {
  const json = { organizationId, kind: 'contains', values: ['lottery'], reason: 'No lotteries.' };
  return (await administrator.call('POST', '/api/v1/admin/content-rules', { json })).body.id as string;
}

async function makeDeadDelivery(): Promise<string> {
  const { body } = await api.call('POST', '/api/v1/messages', { key, json: { to, text: 'x' } });
  const [row] = await db.query<{ id: string }>(
    `insert into webhook_deliveries (id, organization_id, environment, message_id, event, position, url, body, status, created_at)
      select gen_random_uuid(), organization_id, environment, id, 'message.accepted', 1, 'https://example.com/', '{}', 'dead', now()
      from messages where id = ? returning id`,
    [body.id],
  );
  return row!.id;
}

const encodings: [name: string, encode: (body: Body) => CallOptions][] = [
  ['json', (json) => ({ json })],
  ['urlencoded with brackets', (body) => ({ form: new URLSearchParams(bracketed(body)) })],
  ['urlencoded with JSON in fields', (body) => ({ form: new URLSearchParams(withJson(body)) })],
  ['multipart with JSON in fields', (body) => ({ multipart: Object.fromEntries(withJson(body)) })],
];

/** Nested fields as bracket names; what no form can tell from a string, within free objects, stays a JSON string. */
function bracketed(body: Body): [string, string][] {
  return Object.entries(body).flatMap(([name, value]): [string, string][] => {
    if (name === 'metadata' || name === 'customFields') return [[name, JSON.stringify(value)]];
    if (Array.isArray(value)) {
      return value.flatMap((item: unknown, index): [string, string][] => {
        if (typeof item !== 'object' || item === null) return [[`${name}[]`, String(item)]];
        return bracketed(item as Body).map(([inner, text]) => [`${name}[${index}][${inner}]`, text]);
      });
    }
    if (typeof value === 'object' && value !== null) {
      return bracketed(value as Body).map(([inner, text]) => [`${name}[${inner}]`, text]);
    }
    return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
  });
}

function withJson(body: Body): [string, string][] {
  return Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

/** The answer without what is another in each: ids, moments, keys, numbers made for one request. */
function comparable({ status, body }: Answer): unknown {
  const text = JSON.stringify({ status, body })
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/sms_test_\w+/g, 'KEY')
    .replaceAll(/"(publicId|prefix)":"\w+"/g, '"$1":"KEY"')
    .replaceAll(/\+2519\d{8}/g, 'NUMBER')
    .replaceAll(/(Name|Sender) [^"]+/g, '$1');
  return JSON.parse(text) as unknown;
}

function callerOf({ permission }: Operation): { caller: CallOptions; organization: Body } {
  if (permission === 'admin') return { caller: { session: administrator.token }, organization: {} };
  if (permission.startsWith('organization:')) {
    return { caller: { session: owner.token }, organization: { organizationId } };
  }
  return { caller: { key }, organization: {} };
}

const withBody = loadContract().operations.filter(
  ({ bodySchema, path }) => bodySchema !== undefined && path.startsWith('/api/v1/'),
);

test.each(withBody.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  '%s has the same fields and the same answer in all encodings',
  async (...[, operation]) => {
    const one = cases[operation.operationId] ?? audienceCases[operation.operationId];
    if (!one) throw new Error(`Say in this test what ${operation.operationId} is asked.`);
    const { caller, organization } = callerOf(operation);
    const answers: Record<string, unknown> = {};
    for (const [name, encode] of encodings) {
      const { path = {}, body } = await one.request();
      const target = operation.path.replace(/\{(\w+)\}/g, (_all, parameter: string) => path[parameter]!);
      const answer = await api.call(operation.method, target, {
        ...caller,
        ...encode({ ...body, ...organization }),
      });
      expect({ name, status: answer.status, ...(answer.status >= 400 && { body: answer.body }) }).toEqual({
        name,
        status: one.status,
      });
      answers[name] = comparable(answer);
    }
    const [first, ...others] = Object.values(answers);
    for (const other of others) expect(other).toEqual(first);
  },
);
