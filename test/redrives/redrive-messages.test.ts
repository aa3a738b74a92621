import type { Answer } from '../helpers/api.ts';
import { storeFailedMessages } from '../helpers/failed-messages.ts';
import { startRedriveTest, withinAnHour, type RedriveTest } from '../helpers/redrives.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

const hourMs = 3_600_000;

let redrives: RedriveTest;
let tenant: Tenant;

beforeAll(async () => {
  redrives = await startRedriveTest();
}, 60_000);

beforeEach(async () => {
  tenant = await createTenant(redrives.db.database);
  redrives.takeStarted();
});

afterAll(() => redrives.stop());

/** The filter that finds the tenant's. */
const ours = (more: object = {}) => ({ ...withinAnHour(tenant.organizationId), ...more });

const redrive = async (filter: object): Promise<Answer['body']> =>
  redrives.carryOut((await redrives.request('messages', filter)).id as string);

interface Row {
  id: string;
  status: string;
  redriven_from: string | null;
  [column: string]: unknown;
}

const copiesOf = (ids: string[]): Promise<Row[]> =>
  redrives.db.query(
    `select * from messages where redriven_from::text = any (string_to_array(?, ',')) order by created_at, id`,
    [ids.join(',')],
  );

const timeline = (id: string) =>
  redrives.db.query<{ kind: string; status: string | null; details: Record<string, string> }>(
    'select kind, status, details from message_events where message_id = ? order by id',
    [id],
  );

test('sends each as a new message like the old one, linked both ways, and leaves the old one as it is', async () => {
  const webhook = { url: 'https://example.com/hook', secret: 'a-secret-of-the-tests' };
  const [old] = await storeFailedMessages(redrives.db, tenant, { webhook, errorCode: 'undelivered' });
  const [before] = await redrives.db.query<Row>('select * from messages where id = ?', [old]);
  expect(before!['sealed_webhook_secret']).not.toBeNull();
  const asked = Date.now();
  const done = await redrive(ours());
  expect(done).toMatchObject({ status: 'completed', matched: 1, redriven: 1, skipped: {} });
  expect(Date.parse(done.endedAt as string)).toBeGreaterThanOrEqual(Date.parse(done.startedAt as string));

  const [copy, ...others] = await copiesOf([old!]);
  expect(others).toEqual([]);
  const same = [
    ...['organization_id', 'environment', 'sender', 'recipient', 'text', 'encoding', 'segments', 'metadata'],
    ...['webhook_url', 'sealed_webhook_secret'],
  ];
  for (const column of same) expect({ [column]: copy![column] }).toEqual({ [column]: before![column] });
  expect(copy).toMatchObject({
    ...{ status: 'queued', error_code: null, error_message: null, provider_message_id: null, attempts: 0 },
    ...{ accepted_at: null, sent_at: null, delivered_at: null, failed_at: null, dispatch_id: null },
    redriven_from: old,
  });
  const createdAt = Date.parse(copy!['created_at'] as string);
  expect(createdAt).toBeGreaterThanOrEqual(asked);
  expect(Date.parse(copy!['valid_until'] as string) - createdAt).toBe(72 * hourMs);
  expect(copy!['due_at']).toEqual(copy!['created_at']);
  expect(redrives.takeStarted()).toEqual([copy!.id]);

  expect(await redrives.db.query('select * from messages where id = ?', [old])).toEqual([before]);
  expect((await timeline(old!)).slice(1)).toEqual([
    { kind: 'redriven', status: null, details: { messageId: copy!.id, redriveId: done.id } },
  ]);
  expect(await timeline(copy!.id)).toEqual([
    { kind: 'queued', status: 'queued', details: {} },
    { kind: 'redrive_of', status: null, details: { messageId: old, redriveId: done.id } },
  ]);
});

test('takes what fits its filter and nothing else', async () => {
  const stranger = await createTenant(redrives.db.database);
  const createdAt = new Date('2026-11-20T10:00:00.000Z');
  const before = new Date(createdAt.getTime() - 1);
  const store = (options: object = {}) =>
    storeFailedMessages(redrives.db, tenant, { createdAt: before, environment: 'test', ...options });
  const [first, last] = [await store(), await store({ createdAt: new Date(before.getTime() + 1) })];
  await store({ createdAt: new Date(before.getTime() - 1) });
  await store({ createdAt: new Date(before.getTime() + 2) });
  await store({ environment: 'live' });
  await store({ errorCode: 'undelivered' });
  await storeFailedMessages(redrives.db, stranger, { createdAt: before, environment: 'test' });
  for (const status of ['queued', 'accepted', 'sent', 'delivered', 'cancelled']) await store({ status });
  const done = await redrive({
    ...{ from: createdAt.toISOString(), to: new Date(createdAt.getTime() + 2).toISOString() },
    ...{ organizationId: tenant.organizationId, environment: 'test', errorCode: 'dlr_timeout' },
  });
  expect(done).toMatchObject({ status: 'completed', matched: 2, redriven: 2, skipped: {} });
  const redriven = await redrives.db.query<Row>(
    'select redriven_from from messages where redriven_from is not null and organization_id = any (array[?::uuid, ?::uuid])',
    [tenant.organizationId, stranger.organizationId],
  );
  expect(redriven.map((row) => String(row.redriven_from)).sort()).toEqual([...first, ...last].sort());
});

test('counts what it cannot send again by its reason, and sends nothing of it', async () => {
  const createdAt = new Date(Date.now() - 120_000);
  await storeFailedMessages(redrives.db, tenant, { count: 2, errorCode: 'recipient_opted_out' });
  await storeFailedMessages(redrives.db, tenant, { count: 3, oneTimeText: true });
  await storeFailedMessages(redrives.db, tenant, { count: 4, sender: 'FORMER' });
  await storeFailedMessages(redrives.db, tenant, { count: 1, sender: 'TEST' });
  await storeFailedMessages(redrives.db, tenant, { count: 2, sender: 'TEST', environment: 'test' });
  const again = await storeFailedMessages(redrives.db, tenant, { count: 5, createdAt });
  await redrive(ours({ to: new Date(createdAt.getTime() + 1000).toISOString() }));
  expect(await copiesOf(again)).toHaveLength(5);
  const done = await redrive(ours());
  expect(done).toMatchObject({
    matched: 17,
    redriven: 2,
    skipped: { error_not_redrivable: 2, one_time_text: 3, sender_not_approved: 5, already_redriven: 5 },
  });
  const [stored] = await redrives.db.query<{ count: string }>(
    'select count(*) from messages where organization_id = ? and redriven_from is not null',
    [tenant.organizationId],
  );
  expect(Number(stored!.count)).toBe(7);
});

test('a sender that was approved and is no longer is not used', async () => {
  await storeFailedMessages(redrives.db, tenant);
  await redrives.db.query(`update sender_ids set status = 'rejected' where organization_id = ?`, [
    tenant.organizationId,
  ]);
  expect(await redrive(ours())).toMatchObject({
    redriven: 0,
    skipped: { sender_not_approved: 1 },
  });
});

test.each([
  ['within a page', 3, 10],
  ['at the end of a page', 200, 260],
  ['on a later page', 250, 450],
])('stops at its limit %s, oldest first, and another goes on from there', async (...[, limit, count]) => {
  const createdAt = new Date(Date.now() - 120_000);
  await storeFailedMessages(redrives.db, tenant, {
    count: 2,
    sender: 'FORMER',
    createdAt: new Date(createdAt.getTime() - 10),
  });
  const ids = await storeFailedMessages(redrives.db, tenant, { count, createdAt });
  expect(await redrive(ours({ limit }))).toMatchObject({
    ...{ status: 'completed', redriven: limit, matched: limit + 2, skipped: { sender_not_approved: 2 } },
  });
  const copied = (await copiesOf(ids)).map((row) => String(row.redriven_from));
  expect(copied.sort()).toEqual(ids.slice(0, limit).sort());
  const rest = await redrive(ours());
  expect(rest).toMatchObject({
    ...{ redriven: count - limit, matched: count + 2 },
    skipped: { sender_not_approved: 2, already_redriven: limit },
  });
  expect(await copiesOf(ids)).toHaveLength(count);
});

test('a time that ends in the future does not make it find its own messages when they fail', async () => {
  const [old] = await storeFailedMessages(redrives.db, tenant);
  const { id } = await redrives.request('messages', ours());
  await redrives.redrivePage(id as string);
  const [copy] = await copiesOf([old!]);
  await redrives.db.query(`update messages set status = 'failed', error_code = 'not_routable' where id = ?`, [
    copy!.id,
  ]);
  // As if the process had died before it wrote that nothing is left.
  await redrives.db.query(`update redrives set status = 'running', ended_at = null where id = ?`, [id]);
  expect(await redrives.carryOut(id as string)).toMatchObject({
    status: 'completed',
    matched: 1,
    redriven: 1,
  });
  expect(await copiesOf([copy!.id])).toEqual([]);
  // A message that failed again is a message like others: a later redrive may send it once more.
  expect(await redrive(ours())).toMatchObject({ redriven: 1, skipped: { already_redriven: 1 } });
});

test('two redrives of the same filter at the same time send each message once, and count it once each', async () => {
  const ids = await storeFailedMessages(redrives.db, tenant, { count: 900 });
  const both = await Promise.all([redrive(ours()), redrive(ours())]);
  const copies = await copiesOf(ids);
  expect(copies).toHaveLength(900);
  expect(new Set(copies.map((row) => String(row.redriven_from))).size).toBe(900);
  for (const { matched, redriven, skipped } of both) {
    expect({ matched, sum: redriven + (skipped.already_redriven ?? 0) }).toEqual({
      matched: 900,
      sum: 900,
    });
  }
  expect(both[0].redriven + both[1].redriven).toBe(900);
  expect(redrives.takeStarted().toSorted()).toEqual(copies.map(({ id }) => id).toSorted());
});

test('two pages of one redrive at the same time do two pages, not one twice', async () => {
  const ids = await storeFailedMessages(redrives.db, tenant, { count: 700 });
  const { id } = await redrives.request('messages', ours());
  await Promise.all([
    redrives.redrivePage(id as string),
    redrives.redrivePage(id as string),
    redrives.redrivePage(id as string),
  ]);
  expect(await redrives.read(id as string)).toMatchObject({ status: 'running', matched: 600, redriven: 600 });
  expect(await copiesOf(ids)).toHaveLength(600);
});

test('a page that fails leaves no message, no event, no count', async () => {
  const ids = await storeFailedMessages(redrives.db, tenant, { count: 3 });
  const { id } = await redrives.request('messages', ours());
  // A full disk, a temporary error: after a permanent one, the redrive would have failed.
  await redrives.db.query(`create function refuse_progress() returns trigger language plpgsql as $$
    begin raise exception 'no_progress' using errcode = '53100'; end $$`);
  await redrives.db.query(`create trigger refuse_progress before update on redrives for each row
    when (new.redriven > 0) execute function refuse_progress()`);
  await expect(redrives.redrivePage(id as string)).rejects.toThrow('no_progress');
  await redrives.db.query(`drop function refuse_progress cascade`);
  expect(await copiesOf(ids)).toEqual([]);
  expect(await timeline(ids[0]!)).toHaveLength(1);
  expect(await redrives.read(id as string)).toMatchObject({ status: 'pending', matched: 0, redriven: 0 });
  expect(redrives.takeStarted()).toEqual([]);
  expect(await redrives.carryOut(id as string)).toMatchObject({ status: 'completed', redriven: 3 });
});

test('a message cannot be redriven twice, whoever tries', async () => {
  const [old] = await storeFailedMessages(redrives.db, tenant);
  await redrive(ours());
  const [other] = await storeFailedMessages(redrives.db, tenant);
  await expect(
    redrives.db.query('update messages set redriven_from = ? where id = ?', [old, other]),
  ).rejects.toThrow('messages_redriven_from_unique');
});

test('what fits rarely is found by pages that cost the same', async () => {
  const createdAt = new Date(Date.now() - 300_000);
  await storeFailedMessages(redrives.db, tenant, { count: 950, createdAt });
  await storeFailedMessages(redrives.db, tenant, { count: 2, errorCode: 'not_routable' });
  const { id } = await redrives.request('messages', ours({ errorCode: 'not_routable' }));
  let pages = 1;
  while ((await redrives.redrivePage(id as string))?.status === 'running') pages += 1;
  expect(pages).toBe(5);
  expect(await redrives.read(id as string)).toMatchObject({ matched: 2, redriven: 2, skipped: {} });
});

test('the message of a security code is marked as it is stored, so that its masked text is never sent', async () => {
  const key = await tenant.createKey();
  const { body } = await redrives.api.call('POST', '/api/v1/security-codes/send', {
    key,
    json: { to: '0911234567' },
  });
  await redrives.db.query(
    `update messages set status = 'failed', error_code = 'dlr_timeout', failed_at = now() where id = ?`,
    [body.messageId],
  );
  expect(await redrive(ours())).toMatchObject({ redriven: 0, skipped: { one_time_text: 1 } });
});

test('the timelines of both messages name each other', async () => {
  const key = await tenant.createKey();
  const { body: sent } = await redrives.api.call('POST', '/api/v1/messages', {
    key,
    json: { to: '0911234567', text: 'x' },
  });
  await redrives.db.query(
    `update messages set status = 'failed', error_code = 'dlr_timeout', failed_at = now() where id = ?`,
    [sent.id],
  );
  const { id } = await redrive(ours());
  const [copy] = await copiesOf([sent.id as string]);
  const timelineOf = async (messageId: string) =>
    (await redrives.api.call('GET', `/api/v1/messages/${messageId}/timeline`, { key })).body.data;
  expect(await timelineOf(sent.id as string)).toContainEqual({
    ...{ at: expect.any(String), kind: 'redriven', status: null, messageId: copy!.id, redriveId: id },
  });
  expect(await timelineOf(copy!.id)).toContainEqual({
    ...{ at: expect.any(String), kind: 'redrive_of', status: null, messageId: sent.id, redriveId: id },
  });
});
