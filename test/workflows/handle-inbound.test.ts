import { pino } from 'pino';
import { restartOverdueDispatches, startUnassignedRows } from '../../src/dispatches/sweep.ts';
import { inboundRows } from '../../src/inbound/inbound-rows.ts';
import { startTestApi } from '../helpers/api.ts';
import { textOf } from '../helpers/history-text.ts';
import { approveNumber, giveMessage } from '../helpers/inbound.ts';
import { startTestService, type TestService } from '../helpers/temporal-service.ts';
import { createTenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';
import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from '../../bench/webhook-receiver.ts';

const code = '8080';

let service: TestService;
let receiver: WebhookReceiver;
let key: string;
/** Each breaks one attempt off, after what it did was committed and before anybody was told. */
let breakOffs = 0;
let keywords = 0;

beforeAll(async () => {
  service = await startTestService({
    wrapActivities: (activities) => ({
      ...activities,
      processDue: async (input) => {
        const progress = await activities.processDue(input);
        if (breakOffs === 0) return progress;
        breakOffs -= 1;
        throw new Error('the worker died');
      },
    }),
  });
  receiver = await startWebhookReceiver();
  const tenant = await createTenant(service.db.database);
  await approveNumber(service.db, tenant.organizationId, code);
  key = await tenant.createKey();
}, 60_000);

afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

beforeEach(() => service.syncClock());

async function makeRule(): Promise<{ keyword: string; response: string }> {
  keywords += 1;
  const rule = { keyword: `WORD ${keywords}`, response: `Answer ${keywords}` };
  const { status } = await service.api.call('POST', '/api/v1/inbound/keywords', { key, json: rule });
  expect(status).toBe(201);
  return rule;
}

interface Stored {
  id: string;
  status: string;
  dispatch_id: string | null;
  attempts: number;
  reply: string | null;
  reply_status: string | null;
}

async function storedOf(from: string): Promise<Stored | undefined> {
  const rows = await service.db.query<Stored>(
    `select inbound_messages.id, inbound_messages.status, inbound_messages.dispatch_id, inbound_messages.attempts,
       answer.id as reply, answer.status as reply_status
     from inbound_messages left join messages answer on answers_inbound_id = inbound_messages.id
     where inbound_messages.sender = ?`,
    [from],
  );
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0];
}

/** Lets reports come, which they do in real time, while skipped time goes on in small steps. */
const untilStored = (from: string, condition: (row: Stored) => boolean) =>
  until(
    'the message to come so far',
    async () => {
      const row = await storedOf(from);
      if (row && condition(row)) return row;
      await service.env.sleep('1 second');
      return false;
    },
    25_000,
  );

test('a phone’s message is answered by the ordinary way of messages, its webhook told, and its workflow ends', async () => {
  const { keyword, response } = await makeRule();
  const from = '+251911000001';
  const webhook = { url: receiver.baseUrl, secret: 'secret-of-the-webhook' };
  const json = { to: from, from: code, text: 'Will you come?', webhook };
  const sent = await service.api.call('POST', '/api/v1/messages', { key, json });
  expect((await giveMessage(service.api, { from, to: code, text: keyword })).body).toBe('');
  const row = await untilStored(from, ({ reply_status: status }) => status === 'delivered');
  expect(row).toMatchObject({ status: 'processed', attempts: 1, dispatch_id: row.id });
  expect(service.submittedTexts.get(row.reply!)).toBe(response);
  const told = await until('the webhook', async () => {
    await service.env.sleep('1 second');
    return receiver.receivedOf(row.id)[0];
  });
  expect(isSignedWith(webhook.secret, told)).toBe(true);
  expect(told.envelope.data).toMatchObject({
    event: 'message.received',
    id: row.id,
    text: keyword,
    inReplyToMessageId: sent.body.id,
  });
  await service.finish(`inbound/${row.id}`);
  await service.saveHistory(`inbound/${row.id}`, 'handle-inbound');
}, 60_000);

test('an attempt that died after its commit is repeated and finds everything done', async () => {
  const { keyword } = await makeRule();
  const from = '+251911000002';
  breakOffs = 2;
  await giveMessage(service.api, { from, to: code, text: keyword });
  const row = await untilStored(from, ({ status }) => status === 'processed');
  await service.finish(`inbound/${row.dispatch_id!}`);
  expect(breakOffs).toBe(0);
  expect(await storedOf(from)).toMatchObject({ status: 'processed', attempts: 1, reply: row.reply });
}, 60_000);

test('a claim whose worker died before it did anything is taken up again by the workflow', async () => {
  const { keyword } = await makeRule();
  const from = '+251911000003';
  const id = crypto.randomUUID();
  const now = await service.env.currentTimeMs();
  await service.db.query(
    `insert into inbound_messages (id, sender, recipient, text, deduplication_key, status, created_at, attempts,
       dispatch_id, due_at)
     values (?, ?, ?, ?, 'three', 'processing', now(), 1, ?, ?)`,
    [id, from, code, keyword, id, new Date(now + 30_000)],
  );
  await service.db.query(
    `insert into dispatches (id, kind, organization_ids, created_at, wake_at)
     values (?, 'inbound', '{}', now(), now() - interval '1 minute')`,
    [id],
  );
  await restartOverdueDispatches(sweep(), inboundRows);
  await service.finish(`inbound/${id}`);
  expect(await storedOf(from)).toMatchObject({ status: 'processed', attempts: 2 });
  await service.saveHistory(`inbound/${id}`, 'handle-inbound-broken-off');
}, 60_000);

const sweep = () => ({
  database: service.db.database,
  workflowClient: service.env.client.workflow,
  log: pino({ level: 'silent' }),
});

test('a message that was committed while Temporal was down is handled once the sweep finds it', async () => {
  const { keyword } = await makeRule();
  const from = '+251911000004';
  const offline = await startTestApi({ database: service.db.database });
  expect((await giveMessage(offline, { from, to: code, text: keyword })).status).toBe(200);
  await until('its rows to be assigned in vain', async () => (await storedOf(from))?.dispatch_id);
  await offline.stop();
  const { id } = (await storedOf(from))!;
  // As if the process had died between the commit and the assignment.
  await service.db.query(
    `update inbound_messages set dispatch_id = null, created_at = now() - interval '1 minute' where id = ?`,
    [id],
  );
  await service.db.query(`delete from dispatches where id = ? and kind = 'inbound'`, [id]);
  await startUnassignedRows(sweep(), inboundRows);
  await service.finish(`inbound/${id}`);
  expect(await storedOf(from)).toMatchObject({ status: 'processed', attempts: 1 });
}, 60_000);

test('no history holds a number or a text', async () => {
  const rows = await service.db.query<{ id: string }>(
    `select id from dispatches where kind = 'inbound' order by id`,
  );
  expect(rows.length).toBeGreaterThan(3);
  for (const { id } of rows) {
    const history = await service.env.client.workflow.getHandle(`inbound/${id}`).fetchHistory();
    expect(textOf(history)).toContain(id);
    expect(textOf(history)).not.toMatch(/91100000|WORD|Answer/);
  }
});
