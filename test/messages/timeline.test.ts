import { encodeCursor } from '../../src/http/cursor.ts';
import { sqlOf } from '../../src/database.ts';
import { updateStatuses, type StatusUpdate } from '../../src/messages/update-statuses.ts';
import { claimDueMessages } from '../../src/messages/submission/claim-due-messages.ts';
import { assignRows } from '../../src/dispatches/assign-rows.ts';
import { deliveryRows } from '../../src/webhooks/delivery-rows.ts';
import { gatewayToken, startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let live: string;
let now = new Date('2026-03-01T10:00:00.000Z');

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => now });
  tenant = await createTenant(db.database);
  live = await tenant.createKey();
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const text = 'What is written stays out of it';
const secret = 'a-secret-of-16-chars-or-more';
const url = 'https://example.com/hook';

async function send(json: Record<string, unknown> = {}): Promise<string> {
  const answer = await api.call('POST', '/api/v1/messages', {
    key: live,
    json: { to: '0911234567', text, ...json },
  });
  expect(answer.status).toBe(202);
  const id = answer.body.id as string;
  // The API assigns what it has stored to a dispatch, which it cannot start here, for Temporal is down.
  await until('the dispatch of the message', () => dispatchOf(id));
  return id;
}

async function dispatchOf(id: string): Promise<string | null> {
  const [row] = await db.query<{ dispatch_id: string | null }>(
    'select dispatch_id from messages where id = ?',
    [id],
  );
  return row!.dispatch_id;
}

const tick = () => (now = new Date(now.getTime() + 1000));

const timeline = (id: string, query = '', key = live) =>
  api.call('GET', `/api/v1/messages/${id}/timeline${query}`, { key });

const update = (messageId: string, of: Omit<StatusUpdate, 'messageId'>) =>
  updateStatuses(db.database, [{ messageId, ...of }]);

const report = (messageId: string, status: string) =>
  api.call(
    'GET',
    `/api/v1/gateway/dlr?token=${gatewayToken}&messageId=${messageId}&status=${status}&smscId=carrier`,
  );

test('a message that was just stored has one entry and no workflow', async () => {
  const id = await send();
  await db.query('update messages set dispatch_id = null where id = ?', [id]);
  const { status, body } = await timeline(id);
  expect(status).toBe(200);
  expect(body).toEqual({
    messageId: id,
    status: 'queued',
    workflowId: null,
    data: [{ at: now.toISOString(), kind: 'queued', status: 'queued' }],
    pagination: { limit: 50, nextCursor: null },
  });
});

/** What the start of a workflow writes down. */
const markStarted = (dispatchId: string) =>
  db.query('update dispatches set started_at = now() where id = ?', [dispatchId]);

test('a workflow that Temporal has not taken yet is not named, and from then on it is', async () => {
  const id = await send();
  const dispatchId = (await dispatchOf(id))!;
  expect((await timeline(id)).body).toMatchObject({ workflowId: null });
  await markStarted(dispatchId);
  expect((await timeline(id)).body).toMatchObject({ workflowId: `messages/${dispatchId}` });
});

test('a whole life is told in order: attempts, doubt, answers, reports, webhooks, and their workflows', async () => {
  const id = await send({ webhook: { url, secret } });
  const dispatchId = (await dispatchOf(id))!;
  const at = tick();
  const claim = () =>
    claimDueMessages(sqlOf(db.database), {
      ...{ dispatchId, isShared: false },
      now: at,
      limit: 1,
      claimSeconds: 60,
    });
  await claim();
  await update(id, {
    at,
    transition: { kind: 'outcome_unknown', attempt: 1, retryAt: at },
    event: {
      kind: 'submission_doubtful',
      details: { attempt: 1, outcome: 'doubtful', reason: 'gateway_connection_lost', text },
    },
  });
  await claim();
  await update(id, {
    at,
    transition: { kind: 'accepted_by_gateway' },
    event: { kind: 'submission_answered', details: { attempt: 2, outcome: 'accepted', queued: false } },
  });
  const [accepted] = await db.query<{ id: string }>(
    `select id from webhook_deliveries where message_id = ? and event = 'message.accepted'`,
    [id],
  );
  const webhooks = (await assignRows(sqlOf(db.database), deliveryRows, [accepted!.id]))!;
  await markStarted(dispatchId);
  await markStarted(webhooks.dispatchId);
  await db.query(
    `insert into webhook_attempts (organization_id, delivery_id, number, started_at, duration_ms, response_status, response_body)
     values (?, ?, 1, ?, 12, 503, ?)`,
    [tenant.organizationId, accepted!.id, at, text],
  );
  tick();
  expect((await report(id, '1')).status).toBe(200);
  tick();
  expect((await report(id, '8')).status).toBe(200);

  const { body } = await timeline(id);
  expect(body.workflowId).toBe(`messages/${dispatchId}`);
  expect(body.status).toBe('delivered');
  const hook = { at: expect.any(String), status: null, deliveryId: expect.any(String), url };
  const workflowId = `webhooks/${webhooks.dispatchId}`;
  expect(body.data).toEqual([
    { at: expect.any(String), kind: 'queued', status: 'queued' },
    {
      at: at.toISOString(),
      kind: 'submission_attempted',
      status: null,
      attempt: 1,
      possibleDuplicate: false,
    },
    {
      at: at.toISOString(),
      kind: 'submission_doubtful',
      status: null,
      attempt: 1,
      reason: 'gateway_connection_lost',
      httpStatus: null,
    },
    { at: at.toISOString(), kind: 'submission_attempted', status: null, attempt: 2, possibleDuplicate: true },
    {
      at: at.toISOString(),
      kind: 'submission_answered',
      status: 'accepted',
      attempt: 2,
      outcome: 'accepted',
      errorCode: null,
      reason: null,
      httpStatus: null,
    },
    {
      ...hook,
      kind: 'webhook_created',
      event: 'message.accepted',
      workflowId,
      deliveryStatus: 'pending',
      nextAttemptAt: at.toISOString(),
    },
    {
      ...hook,
      kind: 'webhook_attempted',
      event: 'message.accepted',
      workflowId,
      attempt: 1,
      durationMs: 12,
      responseStatus: 503,
      error: null,
    },
    expect.objectContaining({
      kind: 'report_received',
      status: 'delivered',
      report: 'delivered',
      value: '1',
      smscId: 'carrier',
      providerMessageId: null,
    }),
    expect.objectContaining({ kind: 'webhook_created', event: 'message.sent', workflowId: null }),
    expect.objectContaining({ kind: 'webhook_created', event: 'message.delivered' }),
    // It came too late to change anything, and is told all the same.
    expect.objectContaining({ kind: 'report_received', status: null, report: 'smsc_accepted' }),
  ]);
  const told = JSON.stringify(body);
  for (const hidden of [text, secret, '251911234567']) expect(told).not.toContain(hidden);
});

test.each<[string, StatusUpdate['transition'], StatusUpdate['event'], Record<string, unknown>]>([
  [
    'a refusal',
    { kind: 'refused_by_gateway', errorCode: 'not_routable' },
    {
      kind: 'submission_answered',
      details: {
        ...{ attempt: 1, outcome: 'refused', errorCode: 'not_routable' },
        ...{ detail: 'not_routable', httpStatus: 403 },
      },
    },
    { status: 'failed', errorCode: 'not_routable', reason: 'not_routable', httpStatus: 403 },
  ],
  [
    'a gateway that cannot be reached',
    { kind: 'gateway_unavailable', attempt: 0, wasInDoubt: false, retryAt: new Date() },
    {
      kind: 'submission_answered',
      details: { attempt: 1, outcome: 'unavailable', reason: 'gateway_unreachable' },
    },
    { status: null, outcome: 'unavailable', reason: 'gateway_unreachable' },
  ],
  [
    'the end of its validity',
    { kind: 'expired', errorCode: 'validity_expired' },
    { kind: 'expired', details: { errorCode: 'validity_expired' } },
    { kind: 'expired', status: 'failed', errorCode: 'validity_expired' },
  ],
])('%s is told with its facts', async (_name, transition, event, expected) => {
  const id = await send();
  await update(id, { at: new Date(), transition, event });
  const { status, body } = await timeline(id);
  expect(status).toBe(200);
  expect(body.data.at(-1)).toMatchObject({ kind: event.kind, ...expected });
});

test('pages hold each entry once and in the same order, though all are of one millisecond', async () => {
  const id = await send({ webhook: { url } });
  const at = new Date(0);
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    await update(id, {
      at,
      transition: { kind: 'outcome_unknown', attempt, retryAt: at },
      event: { kind: 'submission_doubtful', details: { attempt, reason: 'x' } },
    });
  }
  await update(id, {
    at,
    transition: { kind: 'report', report: 'delivered', providerMessageId: null },
    event: { kind: 'report_received', details: { report: 'delivered', value: '1' } },
  });
  const whole = (await timeline(id)).body.data as { kind: string; attempt?: number }[];
  expect(whole.map(({ kind }) => kind)).toEqual([
    ...Array<string>(7).fill('submission_doubtful'),
    'report_received',
    ...Array<string>(3).fill('webhook_created'),
    'queued',
  ]);
  expect(whole.slice(0, 7).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  for (const limit of [1, 2, 5, 11, 12]) {
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const { status, body } = await timeline(id, `?limit=${limit}${cursor}`);
      expect(status).toBe(200);
      expect(body.data.length).toBeLessThanOrEqual(limit);
      seen.push(...body.data);
      cursor = body.pagination.nextCursor === null ? '' : `&cursor=${body.pagination.nextCursor}`;
    } while (cursor);
    expect(seen).toEqual(whole);
  }
});

const cursorOf = (id: string, position: string) => encodeCursor(`messages/${id}/timeline`, position);

test('a cursor names a position in the timeline of its message', async () => {
  const id = await send();
  const { status } = await timeline(id, `?cursor=${cursorOf(id, '2026-11-21T00:00:00.000Z 0 1 0')}`);
  expect(status).toBe(200);
});

test.each([
  ['nonsense', () => 'nonsense'],
  ['of another list', () => encodeCursor('messages', '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11')],
  [
    'of another message',
    () => cursorOf('019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11', '2026-11-21T00:00:00.000Z 0 1 0'),
  ],
  ['of a day that does not exist', (id: string) => cursorOf(id, '2026-13-41T00:00:00.000Z 0 1 0')],
  [
    'of a number beyond bigint',
    (id: string) => cursorOf(id, `2026-11-21T00:00:00.000Z 0 ${'9'.repeat(40)} 0`),
  ],
])('a cursor that is %s is refused', async (_name, cursorFor) => {
  const id = await send();
  const { status, body } = await timeline(id, `?cursor=${cursorFor(id)}`);
  expect({ status, code: body.code, path: body.errors[0].path }).toEqual({
    status: 400,
    code: 'invalid_request',
    path: '/query/cursor',
  });
});

test('what is another’s, or of the other environment, answers like what does not exist', async () => {
  const id = await send();
  const stranger = await (await createTenant(db.database)).createKey();
  const testKey = await tenant.createKey({ environment: 'test' });
  const answers = [
    await timeline(id, '', stranger),
    await timeline(id, '', testKey),
    await timeline('019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11'),
    await timeline('no-uuid'),
    await timeline(id, `?organizationId=${tenant.organizationId}`, stranger),
  ];
  const bodies = new Set(answers.map(({ body }) => JSON.stringify({ ...body, requestId: '' })));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect(bodies.size).toBe(1);
});
