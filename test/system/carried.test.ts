import { Client, Connection } from '@temporalio/client';
import { magicRecipients } from '../../src/gateway/magic-recipients.ts';
import { startBlackBox, type BlackBox } from '../helpers/black-box.ts';
import { until } from '../helpers/until.ts';

/** A number of which the gateway takes messages, and never reports on them. */
const to = magicRecipients.find(({ name }) => name === 'no_report')!.number;
const text = 'Selam';
const shortCode = '8181';

let service: BlackBox;
let temporal: Client;
let adminToken: string;
let contactId: string;

beforeAll(async () => {
  service = await startBlackBox();
  temporal = new Client({ connection: await Connection.connect({ address: service.demo.temporalAddress }) });
  const { organizationId, adminEmail: email, adminPassword: password } = service.demo;
  adminToken = (await call('POST', '/api/auth/sign-in/email', { email, password }, {})).token;
  contactId = (await call('POST', '/api/v1/contacts', { organizationId, phoneNumber: to })).id;
  await service.query(
    `insert into sender_ids (id, organization_id, value, status, is_default, use_case, sample_message, created_at)
     values (gen_random_uuid(), $1, $2, 'approved', false, 'x', 'x', now())`,
    [organizationId, shortCode],
  );
}, 120_000);

afterAll(async () => {
  await temporal?.connection.close();
  await service?.stop();
}, 60_000);

// Answers of several endpoints; openapi.yaml, not a type, says what they are.
// oxlint-disable-next-line typescript/no-explicit-any
async function call(method: string, path: string, body?: object, headers?: object): Promise<any> {
  const response = await fetch(`${service.demo.baseUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(headers ?? { 'x-api-key': service.demo.liveApiKey }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${answer}`);
  return answer === '' ? null : JSON.parse(answer);
}

/** The id of the message that a statement finds, once there is one. */
const findMessage = (statement: string, parameter: string): Promise<string> =>
  until(
    'the message',
    async () => (await service.query<{ id: string }>(statement, [parameter]))[0]?.id,
    30_000,
  );

async function sendInBulk(): Promise<string> {
  const { organizationId } = service.demo;
  const { id: campaignId } = await call('POST', '/api/v1/campaigns', { organizationId, name: 'Carried' });
  const { id: contactListId } = await call('POST', '/api/v1/contact-lists', {
    organizationId,
    name: 'Carried',
  });
  await call('PUT', `/api/v1/contact-lists/${contactListId}/members`, {
    organizationId,
    contactIds: [contactId],
  });
  const batch = await call('POST', '/api/v1/bulk-sms', { campaignId, contactListId, text });
  return findMessage(`select id from messages where bulk_batch_id = $1`, batch.id as string);
}

async function redriveByFilter(): Promise<string> {
  const from = new Date();
  const failed = await call('POST', '/api/v1/messages', { to, text });
  await until(
    'the gateway to take it',
    async () => (await service.get(failed.id, service.demo.liveApiKey)).status === 'accepted',
  );
  // In place of 72 hours.
  await service.query(
    `update messages set status = 'failed', error_code = 'dlr_timeout', failed_at = now(), due_at = null where id = $1`,
    [failed.id],
  );
  const filter = { from: from.toISOString(), to: new Date(Date.now() + 60_000).toISOString() };
  await call('POST', '/api/v1/admin/messages/redrive', filter, { authorization: `Bearer ${adminToken}` });
  return findMessage(`select id from messages where redriven_from = $1`, failed.id as string);
}

async function replyToKeyword(): Promise<string> {
  await call('POST', '/api/v1/inbound/keywords', { keyword: 'CARRIED', response: text });
  const query = new URLSearchParams({
    ...{ token: service.demo.gatewayToken, from: to, to: shortCode, text: 'carried', providerMessageId: '1' },
  });
  await call('GET', `/api/v1/gateway/mo?${query.toString()}`);
  return findMessage(`select id from messages where answers_inbound_id is not null and recipient = $1`, to);
}

async function runSchedule(): Promise<string> {
  const startsAt = new Date(Date.now() + 1000).toISOString();
  const { id } = await call('POST', '/api/v1/messages/schedule', {
    to,
    text,
    scheduleType: 'once',
    startsAt,
  });
  return findMessage(
    `select message_id as id from schedule_runs where schedule_id = $1 and message_id is not null`,
    id as string,
  );
}

test.each<[string, () => Promise<string>]>([
  ['sent alone', async () => (await call('POST', '/api/v1/messages', { to, text })).id],
  [
    'sent with a webhook',
    async () => {
      const webhook = { url: 'http://127.0.0.1:9/', secret: 'a-secret-of-16-chars-or-more' };
      return (await call('POST', '/api/v1/messages', { to, text, webhook })).id;
    },
  ],
  [
    'sent with an Idempotency-Key',
    async () => {
      const headers = { 'x-api-key': service.demo.liveApiKey, 'idempotency-key': 'carried' };
      return (await call('POST', '/api/v1/messages', { to, text }, headers)).id;
    },
  ],
  ['of a schedule', runSchedule],
  ['of a bulk batch', sendInBulk],
  ['redriven by a filter', redriveByFilter],
  ['that replies to a keyword', replyToKeyword],
  [
    'with a security code',
    async () => (await call('POST', '/api/v1/security-codes/send', { to, purpose: 'login' })).messageId,
  ],
  [
    'that verifies a contact',
    async () => {
      const { organizationId } = service.demo;
      const path = `/api/v1/contacts/${contactId}/verification/request`;
      return (await call('POST', path, { organizationId })).messageId;
    },
  ],
])(
  'a message %s is carried by a running workflow, which its timeline names, until it is final',
  async (_way, make) => {
    const id = await make();
    const workflowId = await until(
      'the timeline to name a workflow',
      async () => (await call('GET', `/api/v1/messages/${id}/timeline`)).workflowId as string | null,
    );
    const describe = async () => (await temporal.workflow.getHandle(workflowId).describe()).status.name;
    expect(await describe()).toBe('RUNNING');
    await until(
      'the gateway to take it',
      async () => (await service.get(id, service.demo.liveApiKey)).status === 'accepted',
      30_000,
    );
    expect(await describe()).toBe('RUNNING');
    const report = new URLSearchParams({ token: service.demo.gatewayToken, messageId: id, status: '1' });
    await call('GET', `/api/v1/gateway/dlr?${report.toString()}`);
    await until('the end of the workflow', async () => (await describe()) === 'COMPLETED', 30_000);
  },
  60_000,
);
