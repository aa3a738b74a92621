import { createRunDueOccurrences } from '../../src/schedules/run-due-occurrences.ts';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { startBulkEngine, type BulkEngine } from '../helpers/bulk-engine.ts';
import { makeSetting } from '../helpers/bulk.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { approveNumber, giveMessage, processWaiting } from '../helpers/inbound.ts';
import { createTenant } from '../helpers/tenants.ts';
import { createTestHash } from '../helpers/hash-number.ts';

let db: TestDatabase;
let api: TestApi;
let engine: BulkEngine;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => engine.now() });
  engine = await startBulkEngine(api, db, { rates: { platform: 100_000, sender: 100_000 } });
});

afterAll(async () => {
  await engine.stop();
  await api.stop();
  await db.drop();
});

/** Whoever makes something: a key of an organization whose default sender, if it has one, is `DEFAULT-…`. */
interface Creator {
  organizationId: string;
  key: string;
  /** A test key of the same organization. */
  testKey: string;
}

const to = '0911234567';
const post = ({ key }: Creator, path: string, json: object): Promise<Answer> =>
  api.call('POST', `/api/v1${path}`, { key, json });

/** The sender of the message that came of an answer, or the code of its refusal. */
async function outcomeOf(answer: Answer, find: (body: Answer['body']) => Promise<string>): Promise<string> {
  return answer.status < 300 ? find(answer.body) : (answer.body.code as string);
}

async function senderOf(column: string, value: string): Promise<string> {
  const rows = await db.query<{ sender: string }>(`select sender from messages where ${column} = ?`, [value]);
  expect(rows).toHaveLength(1);
  return rows[0]!.sender;
}

const message = async (maker: Creator, from?: string) =>
  outcomeOf(await post(maker, '/messages', { to, text: 'x', from }), ({ id }) => senderOf('id', id));

async function estimate(maker: Creator, from?: string): Promise<string> {
  const { body } = await post(maker, '/messages/estimate', { to, text: 'x', from });
  return (body.wouldBeRefused?.code ?? body.from) as string;
}

async function schedule(maker: Creator, from?: string): Promise<string> {
  const startsAt = new Date(engine.now().getTime() + 1000).toISOString();
  const json = { to, text: 'x', from, scheduleType: 'once', startsAt };
  return outcomeOf(await post(maker, '/messages/schedule', json), async ({ id }) => {
    engine.pass(2);
    const run = createRunDueOccurrences({
      database: db.database,
      hashNumber: createTestHash(db.database),
      startMessages: () => undefined,
      now: engine.now,
    });
    expect((await run(id)).counts).toMatchObject({ created: 1, failed: 0 });
    const runs = await db.query<{ id: string }>(
      'select message_id as id from schedule_runs where schedule_id = ?',
      [id],
    );
    return senderOf('id', runs[0]!.id);
  });
}

const securityCode = async (maker: Creator, from?: string) =>
  outcomeOf(await post(maker, '/security-codes/send', { to, from }), ({ messageId }) =>
    senderOf('id', messageId),
  );

async function contactVerification(maker: Creator): Promise<string> {
  const { organizationId } = maker;
  const { body: contact } = await post(maker, '/contacts', { organizationId, phoneNumber: to });
  const path = `/contacts/${contact.id as string}/verification/request`;
  return outcomeOf(await post(maker, path, { organizationId }), ({ messageId }) => senderOf('id', messageId));
}

const campaign = async (maker: Creator, sender?: string) =>
  outcomeOf(
    await post(maker, '/campaigns', { organizationId: maker.organizationId, name: 'x', sender }),
    (body) => Promise.resolve(body.sender as string),
  );

const changedCampaign = async (maker: Creator, sender?: string) => {
  const { organizationId, key } = maker;
  const made = await post(maker, '/campaigns', { organizationId, name: 'x' });
  const path = `/api/v1/campaigns/${made.body.id as string}`;
  const answer = await api.call('PATCH', path, { key, json: { organizationId, name: 'x', sender } });
  return outcomeOf(answer, (body) => Promise.resolve(body.sender as string));
};

/** A batch of one, in a campaign that was made by a test key. */
async function batch(maker: Creator, sender?: string): Promise<string> {
  const setting = await makeSetting(api, db, { ...maker, key: maker.testKey }, 1);
  const { campaignId, contactListId } = setting;
  await db.query('update campaigns set sender = ? where id = ?', [sender ?? null, campaignId]);
  const answer = await post(maker, '/bulk-sms', { campaignId, contactListId, text: 'x' });
  return outcomeOf(answer, async ({ id, from }) => {
    expect(await engine.run(id)).toMatchObject({ status: 'completed' });
    expect(await senderOf('bulk_batch_id', id)).toBe(from);
    return from as string;
  });
}

let codes = 7000;
async function keywordReply(maker: Creator, sender?: string): Promise<string> {
  const code = String((codes += 1));
  await approveNumber(db, maker.organizationId, code);
  const answer = await post(maker, '/inbound/keywords', { keyword: 'INFO', response: 'x', sender });
  return outcomeOf(answer, async () => {
    await giveMessage(api, { from: '+251911234567', to: code, text: 'info' });
    await processWaiting(db, engine.now);
    const [inbound] = await db.query<{ id: string }>('select id from inbound_messages where recipient = ?', [
      code,
    ]);
    return senderOf('answers_inbound_id', inbound!.id);
  });
}

const unnamed = ['default', 'TEST', 'default', 'sender_required'];
const named = ['TEST', 'TEST', 'sender_not_approved', 'sender_not_approved'];

const ways: [string, (maker: Creator) => Promise<string>, string[]][] = [
  ['a message', (maker) => message(maker), unnamed],
  ['a message from TEST', (maker) => message(maker, 'TEST'), named],
  ['an estimate', (maker) => estimate(maker), unnamed],
  ['an estimate from TEST', (maker) => estimate(maker, 'TEST'), named],
  ['an occurrence of a schedule', (maker) => schedule(maker), unnamed],
  ['an occurrence of a schedule from TEST', (maker) => schedule(maker, 'TEST'), named],
  ['a security code', (maker) => securityCode(maker), unnamed],
  ['a security code from TEST', (maker) => securityCode(maker, 'TEST'), named],
  ['the verification of a contact', contactVerification, unnamed],
  ['a campaign with TEST', (maker) => campaign(maker, 'TEST'), named],
  ['a campaign that is given TEST', (maker) => changedCampaign(maker, 'TEST'), named],
  ['a batch in a campaign without a sender', (maker) => batch(maker), unnamed],
  ['a batch in a campaign with TEST', (maker) => batch(maker, 'TEST'), named],
  ['the reply of a keyword rule with TEST', (maker) => keywordReply(maker, 'TEST'), named],
];

const makers = [
  ['test', 'with a default sender', true],
  ['test', 'without one', false],
  ['live', 'with a default sender', true],
  ['live', 'without one', false],
] as const;

test.each(
  ways.flatMap(([way, make, outcomes]) =>
    makers.map(
      ([environment, which, hasDefault], index) =>
        [way, environment, which, outcomes[index]!, make, hasDefault] as const,
    ),
  ),
)('%s by a %s key of an organization %s: %s', async (...row) => {
  const [, environment, , outcome, make, hasDefault] = row;
  const tenant = await createTenant(db.database, hasDefault ? {} : { sender: null });
  const { organizationId, sender } = tenant;
  const key = await tenant.createKey({ environment });
  const testKey = await tenant.createKey({ environment: 'test' });
  const made = await make({ organizationId, key, testKey });
  expect(made).toBe(outcome === 'default' ? sender : outcome);
  const messages = await db.query<{ environment: string; sender: string }>(
    'select environment, sender from messages where organization_id = ?',
    [organizationId],
  );
  for (const one of messages) expect(one.environment).toBe(environment);
});

test('whoever may not use TEST may change what a test key has made with it, and leave it as it is', async () => {
  const tenant = await createTenant(db.database);
  const { organizationId } = tenant;
  const [key, testKey] = [await tenant.createKey(), await tenant.createKey({ environment: 'test' })];
  const maker = { organizationId, key: testKey, testKey };
  const made = [
    ['campaigns', await post(maker, '/campaigns', { organizationId, name: 'x', sender: 'TEST' })],
    ['inbound/keywords', await post(maker, '/inbound/keywords', { ...rule, sender: 'TEST' })],
  ] as const;
  for (const [path, { body }] of made) {
    const url = `/api/v1/${path}/${body.id as string}`;
    const same =
      path === 'campaigns'
        ? { organizationId, name: 'y', sender: 'TEST' }
        : { response: 'y', sender: 'TEST' };
    const answer = await api.call('PATCH', url, { key, json: same });
    expect({ status: answer.status, sender: answer.body.sender }).toEqual({ status: 200, sender: 'TEST' });
  }
});

const rule = { keyword: 'INFO', response: 'x' };

test('a phone is answered as often by a live rule, however often a rule of test keys has answered it', async () => {
  const tenant = await createTenant(db.database);
  const testKey = await tenant.createKey({ environment: 'test' });
  await approveNumber(db, tenant.organizationId, '6999');
  const made = await post({ ...tenant, key: testKey, testKey }, '/inbound/keywords', {
    ...rule,
    sender: 'TEST',
  });
  const text = async () => {
    await giveMessage(api, { from: '+251911234568', to: '6999', text: 'info' });
    await processWaiting(db, engine.now);
  };
  for (let count = 0; count < 6; count += 1) await text();
  const url = `/api/v1/inbound/keywords/${made.body.id as string}`;
  expect((await api.call('PATCH', url, { key: testKey, json: { sender: null } })).status).toBe(200);
  await text();
  const replies = await db.query(
    `select environment, sender, count(*)::int from messages where organization_id = ? group by 1, 2 order by 1`,
    [tenant.organizationId],
  );
  expect(replies).toEqual([
    { environment: 'live', sender: '6999', count: 1 },
    { environment: 'test', sender: 'TEST', count: 5 },
  ]);
});
