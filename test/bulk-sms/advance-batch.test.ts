import { makeChunk } from '../../src/bulk-sms/run-batch/make-chunk.ts';
import { sqlOf } from '../../src/database.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { startBulkEngine, type BulkEngine, type BulkEngineOptions } from '../helpers/bulk-engine.ts';
import {
  addContacts,
  makeBatch,
  makeSetting,
  numberOf,
  readBatch,
  type BulkSetting,
} from '../helpers/bulk.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';
import { createTestHash } from '../helpers/hash-number.ts';

let db: TestDatabase;
let api: TestApi;
let engine: BulkEngine;
let onSubmit: (messageId: string) => void | Promise<void> = () => undefined;
let onStart: BulkEngineOptions['startChunk'] = () => Promise.resolve();

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => engine.now() });
  engine = await startBulkEngine(api, db, {
    rates: { platform: 100_000, sender: 100_000 },
    startChunk: (chunk) => onStart(chunk),
    wrapGateway: (gateway) => ({
      ...gateway,
      submit: async (message) => {
        await onSubmit(message.messageId);
        return gateway.submit(message);
      },
    }),
  });
});

afterAll(async () => {
  await engine.stop();
  await api.stop();
  await db.drop();
});

beforeEach(() => {
  engine.dieAfter(null);
  onSubmit = () => undefined;
  onStart = () => Promise.resolve();
});

async function makeSettingOf(contacts: number): Promise<BulkSetting> {
  const tenant = await createTenant(db.database);
  const key = await tenant.createKey({ environment: 'test' });
  return makeSetting(api, db, { organizationId: tenant.organizationId, key }, contacts);
}

interface Row {
  position: number;
  recipient: string;
  message_id: string | null;
  status: string | null;
  text: string | null;
  error_code: string | null;
}

const dispatchSources = (id: string) =>
  db.query<Row>(
    `select position, r.recipient, message_id, status, text, error_code
     from bulk_recipients r left join messages on messages.id = message_id where batch_id = ? order by position`,
    [id],
  );

const change = async (setting: BulkSetting, id: string, action: string, json: object = {}) => {
  const answer = await api.call('PATCH', `/api/v1/bulk-sms/${id}/${action}`, { key: setting.key, json });
  expect({ action, status: answer.status }).toEqual({ action, status: 200 });
};

const cancel = (setting: BulkSetting, id: string) =>
  api.call('DELETE', `/api/v1/bulk-sms/${id}`, { key: setting.key });

async function delivered(setting: BulkSetting, id: string, count: number): Promise<void> {
  await until(
    'the reports',
    async () => (await readBatch(api, setting, id)).ledger.delivered === count,
    20_000,
  );
}

test('each recipient gets one message with its fields filled in, and the ledger balances at each step', async () => {
  const setting = await makeSettingOf(1200);
  const { id } = await makeBatch(api, setting, { text: 'Selam {{firstName}}: {{customFields.points}}' });
  const seen: number[] = [];
  const end = await engine.run(id, async () => {
    const { ledger } = await readBatch(api, setting, id);
    seen.push(ledger.total - ledger.queued);
  });
  expect(end).toEqual({ status: 'completed', total: 1200, made: 1200, nextAt: null });
  expect(seen.length).toBeGreaterThan(3);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  const rows = await dispatchSources(id);
  expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: 1200 }, (_, index) => index + 1));
  expect(rows.map(({ recipient, text }) => `${recipient} ${text}`).toSorted()).toEqual(
    Array.from(
      { length: 1200 },
      (_, index) => `${numberOf(index + 1)} Selam Name${index + 1}: ${index + 1}`,
    ).toSorted(),
  );
  expect(new Set(rows.map(({ message_id }) => message_id)).size).toBe(1200);
  await delivered(setting, id, 1200);
  expect(await readBatch(api, setting, id)).toMatchObject({
    segments: 1200,
    estimatedEndAt: null,
    failure: null,
  });
  // The last report of each dispatch signals its workflow. No Temporal takes the signals in this file, so the sweep repeats
  // them at once.
  await until('the dispatches', async () => {
    const waiting = await db.query(`select from dispatches where settled_at is null and wake_at > now()`);
    return waiting.length === 0;
  });
}, 60_000);

test('a message is submitted only once the workflow that carries it was started', async () => {
  const setting = await makeSettingOf(300);
  const { id } = await makeBatch(api, setting);
  const started: Parameters<typeof onStart>[0][] = [];
  onStart = (chunk) => {
    started.push(chunk);
    return Promise.resolve();
  };
  const startedBefore = new Map<string, number>();
  onSubmit = (messageId) => void startedBefore.set(messageId, started.length);
  await engine.run(id);
  const messages = await db.query<{ id: string; dispatch_id: string }>(
    `select id, dispatch_id from messages where bulk_batch_id = ?`,
    [id],
  );
  expect(messages.length).toBe(300);
  for (const message of messages) {
    const chunks = started.slice(0, startedBefore.get(message.id)).map(({ dispatchId }) => dispatchId);
    expect(chunks).toContain(message.dispatch_id);
  }
  expect(started.reduce((sum, { rows }) => sum + rows, 0)).toBe(300);
  expect(new Set(started.map(({ organizationId }) => organizationId))).toEqual(
    new Set([setting.organizationId]),
  );
}, 30_000);

test('a text of spaces is sent', async () => {
  const setting = await makeSettingOf(1);
  const { id } = await makeBatch(api, setting, { text: ' \u3000 ' });
  await engine.run(id);
  expect(await dispatchSources(id)).toMatchObject([{ error_code: null, text: ' \u3000 ' }]);
});

test('a text that comes out empty or too long is not sent', async () => {
  const setting = await makeSettingOf(3);
  const name = (index: number, first: string | null) =>
    db.query(`update contacts set first_name = ? where phone_number = ? and organization_id = ?`, [
      first,
      numberOf(index),
      setting.organizationId,
    ]);
  await name(1, null);
  await name(2, 'y'.repeat(100));
  const { id } = await makeBatch(api, setting, { text: '{{firstName}}'.repeat(20) });
  await engine.run(id);
  expect((await dispatchSources(id)).map(({ error_code }) => error_code)).toEqual([
    'text_empty',
    'text_too_long',
    null,
  ]);
});

test('recipients, names and opt-outs are those of the start; an opt-out in the middle counts all the same', async () => {
  const setting = await makeSettingOf(20);
  const { organizationId, key } = setting;
  const { id } = await makeBatch(api, setting);
  await change(setting, id, 'rate', { ratePerSecond: 20 });
  expect(await engine.advance(id)).toMatchObject({ status: 'processing', total: 20, made: 0 });
  await addContacts(db, setting, 21, 25);
  await db.query(`update contacts set first_name = 'Changed' where organization_id = ?`, [organizationId]);
  await api.call('POST', '/api/v1/suppressions', { key, json: { phoneNumber: numberOf(20) } });
  await engine.run(id);
  const rows = await dispatchSources(id);
  expect(rows.length).toBe(20);
  expect(rows.slice(0, 19).map(({ text }) => text)).toEqual(
    Array.from({ length: 19 }, (_, index) => `Selam Name${index + 1}`),
  );
  expect(rows[19]).toMatchObject({ error_code: 'recipient_opted_out', status: 'failed' });
});

test('a scheduled batch waits; starting it does not', async () => {
  const setting = await makeSettingOf(2);
  const { id } = await makeBatch(api, setting, { scheduledAt: '2999-01-01T00:00:00Z' });
  expect(await engine.advance(id)).toEqual({
    ...{ status: 'scheduled', total: 0, made: 0 },
    nextAt: '2999-01-01T00:00:00.000Z',
  });
  await change(setting, id, 'start');
  expect(await engine.run(id)).toMatchObject({ status: 'completed', made: 2 });
});

test.each<[string, string, (setting: BulkSetting) => Promise<unknown>]>([
  [
    'campaign_not_active',
    'its campaign was paused',
    ({ campaignId }) => db.query(`update campaigns set status = 'paused' where id = ?`, [campaignId]),
  ],
  [
    'contact_list_deleted',
    'its phonebook was deleted',
    ({ contactListId }) => db.query(`delete from phonebooks where id = ?`, [contactListId]),
  ],
  [
    'no_recipients',
    'its phonebook was emptied',
    ({ contactListId }) => db.query(`delete from phonebook_members where phonebook_id = ?`, [contactListId]),
  ],
  [
    'sender_not_approved',
    'its sender was taken away',
    ({ organizationId }) =>
      db.query(`update sender_ids set status = 'rejected', is_default = false where organization_id = ?`, [
        organizationId,
      ]),
  ],
])('a batch fails with %s when %s before it starts', async (...[code, , spoil]) => {
  const setting = await makeSettingOf(2);
  const { id } = await makeBatch(api, setting);
  await spoil(setting);
  expect(await engine.run(id)).toMatchObject({ status: 'failed' });
  const batch = await readBatch(api, setting, id);
  expect(batch).toMatchObject({ status: 'failed', failure: { code }, ledger: { total: 0 } });
  expect(await dispatchSources(id)).toEqual([]);
});

test('a sender that is taken away in the middle ends the batch, and what was not made counts as failed', async () => {
  const setting = await makeSettingOf(40);
  const { id } = await makeBatch(api, setting);
  await change(setting, id, 'rate', { ratePerSecond: 40 });
  await engine.advance(id);
  let submitted = 0;
  onSubmit = () => {
    submitted += 1;
    if (submitted === 10) {
      void db.query(
        `update sender_ids set status = 'rejected', is_default = false where organization_id = ?`,
        [setting.organizationId],
      );
    }
  };
  expect(await engine.run(id)).toMatchObject({ status: 'failed' });
  const { made } = await engine.advance(id);
  expect(made).toBeGreaterThanOrEqual(10);
  expect(made).toBeLessThan(40);
  await delivered(setting, id, made);
  expect((await readBatch(api, setting, id)).ledger).toMatchObject({ total: 40, failed: 40 - made });
});

describe('pause, resume, rate and cancel in the middle', () => {
  /** Starts sending in the background, and waits until some are sent. */
  async function begin(
    setting: BulkSetting,
    ratePerSecond: number,
  ): Promise<{ id: string; running: Promise<unknown> }> {
    const { id } = await makeBatch(api, setting);
    await change(setting, id, 'rate', { ratePerSecond });
    const running = engine.run(id);
    // If this test ends before it awaits the run, a later test's dead worker must not end the whole process.
    running.catch(() => undefined);
    await until('some to be sent', async () => {
      const { ledger } = await readBatch(api, setting, id);
      return ledger.total > 0 && ledger.total - ledger.queued >= 10;
    });
    return { id, running };
  }

  test('a pause ends submissions within 2 seconds; resuming goes on with the next recipient, and nobody gets two', async () => {
    const setting = await makeSettingOf(300);
    let submissions = 0;
    onSubmit = () => void (submissions += 1);
    const { id, running } = await begin(setting, 100);
    await change(setting, id, 'pause');
    const [before, pausedAt] = [submissions, performance.now()];
    expect(await running).toMatchObject({ status: 'paused', nextAt: null });
    // Counted rather than timed: two seconds are 200 submissions at this rate.
    expect(submissions - before).toBeLessThan(200);
    expect(performance.now() - pausedAt).toBeLessThan(10_000);
    const { made } = await engine.advance(id);
    expect(made).toBeLessThan(300);
    await delivered(setting, id, made);
    await change(setting, id, 'rate', { ratePerSecond: null });
    await change(setting, id, 'resume');
    expect(await engine.run(id)).toMatchObject({ status: 'completed', made: 300 });
    await delivered(setting, id, 300);
    for (const { message_id } of await dispatchSources(id))
      expect(engine.simulator.submissions(message_id!)).toBe(1);
  }, 30_000);

  test.each(['paused', 'archived'])(
    'a batch that runs goes on when its campaign is %s, and once paused waits for the campaign',
    async (status) => {
      const setting = await makeSettingOf(12);
      const { id } = await makeBatch(api, setting);
      await change(setting, id, 'rate', { ratePerSecond: 24 });
      expect(await engine.advance(id)).toMatchObject({ status: 'processing', made: 0 });
      const setCampaign = async (to: string) => {
        const { organizationId, campaignId, key } = setting;
        const json = { organizationId, name: 'x', status: to };
        expect((await api.call('PATCH', `/api/v1/campaigns/${campaignId}`, { key, json })).status).toBe(200);
      };
      await setCampaign(status);
      onSubmit = () => {
        onSubmit = () => undefined;
        void change(setting, id, 'pause');
      };
      expect(await engine.run(id)).toMatchObject({ status: 'paused' });
      const { ledger } = await readBatch(api, setting, id);
      expect(ledger.queued).toBeGreaterThan(0);
      expect(ledger.queued).toBeLessThan(12);
      const refused = await api.call('PATCH', `/api/v1/bulk-sms/${id}/resume`, { key: setting.key });
      expect(refused.body).toMatchObject({ status: 409, code: 'invalid_state' });
      await setCampaign('active');
      await change(setting, id, 'resume');
      expect(await engine.run(id)).toMatchObject({ status: 'completed', made: 12 });
    },
    30_000,
  );

  test('a new rate holds from the next chunk on', async () => {
    const setting = await makeSettingOf(400);
    const { id, running } = await begin(setting, 40);
    const changedAt = performance.now();
    await change(setting, id, 'rate', { ratePerSecond: 400 });
    await running;
    const tookMs = performance.now() - changedAt;
    // By the old rate it would have taken nine seconds.
    expect(tookMs).toBeLessThan(7000);
    expect(tookMs).toBeGreaterThan(700);
  }, 30_000);

  test('a rate that was lowered while a chunk waited for its turn holds for that chunk already', async () => {
    const setting = await makeSettingOf(5);
    const { id } = await makeBatch(api, setting);
    await engine.advance(id);
    const turn = { limit: 5, ratePerSecond: null };
    await change(setting, id, 'rate', { ratePerSecond: 2 });
    expect(await makeChunk(sqlOf(db.database), id, turn, engine.now(), createTestHash(db.database))).toEqual({
      outcome: 'rate_changed',
      ratePerSecond: 2,
    });
    expect(await db.query(`select from messages where bulk_batch_id = ?`, [id])).toEqual([]);
    expect(await engine.run(id)).toMatchObject({ status: 'completed', made: 5 });
  });

  test('the measured rate is known soon after the first messages', async () => {
    const setting = await makeSettingOf(300);
    const { id, running } = await begin(setting, 60);
    const begunAt = performance.now();
    const measured = await until('the measured rate', async () => {
      const { measuredRatePerSecond } = await readBatch(api, setting, id);
      return measuredRatePerSecond ?? undefined;
    });
    expect(performance.now() - begunAt).toBeLessThan(4000);
    expect(measured).toBeGreaterThan(20);
    expect(measured).toBeLessThan(100);
    await cancel(setting, id);
    await running;
  }, 30_000);

  test('a cancellation stops what was not submitted, and what was goes its way', async () => {
    const setting = await makeSettingOf(300);
    const { id, running } = await begin(setting, 100);
    expect((await cancel(setting, id)).status).toBe(204);
    const first = await readBatch(api, setting, id);
    expect(first.ledger.cancelled).toBeGreaterThan(0);
    await running;
    const { made } = await engine.advance(id);
    const rows = await dispatchSources(id);
    // A message that was made and not claimed yet is cancelled too.
    const submitted = rows.filter(
      (row) => row.message_id && engine.simulator.submissions(row.message_id) > 0,
    );
    expect(submitted.length).toBeLessThanOrEqual(made);
    await delivered(setting, id, submitted.length);
    const cancelled = 300 - submitted.length;
    expect((await readBatch(api, setting, id)).ledger).toMatchObject({ total: 300, queued: 0, cancelled });
    const listed = await api.call('GET', `/api/v1/bulk-sms/${id}/messages?status=cancelled&pageSize=1`, {
      key: setting.key,
    });
    expect(listed.body.pagination.total).toBe(cancelled);
  }, 30_000);

  test('messages that were made and not submitted are cancelled too, and say so', async () => {
    const setting = await makeSettingOf(5);
    const { id } = await makeBatch(api, setting);
    await engine.advance(id);
    // Dies after the chunk was made, before the first claim.
    engine.dieAfter(statementsToMakeOneChunk);
    await expect(engine.advance(id)).rejects.toThrow('died');
    engine.dieAfter(null);
    expect((await readBatch(api, setting, id)).ledger).toMatchObject({ queued: 5 });
    expect((await dispatchSources(id)).map(({ status }) => status)).toEqual(
      Array.from({ length: 5 }, () => 'queued'),
    );
    await cancel(setting, id);
    expect(await engine.run(id)).toMatchObject({ status: 'cancelled' });
    const rows = await dispatchSources(id);
    expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'cancelled'));
    const { body } = await api.call('GET', `/api/v1/messages/${rows[0]!.message_id}/timeline`, {
      key: setting.key,
    });
    expect(body.data.map(({ kind, status }: { kind: string; status: string }) => [kind, status])).toEqual([
      ['queued', 'queued'],
      ['cancelled', 'cancelled'],
    ]);
    engine.pass(3600);
    await engine.carryDispatches();
    expect(engine.simulator.submissions(rows[0]!.message_id!)).toBe(0);
  });
});

describe('a cancellation while a chunk is submitted', () => {
  /** Cancels a batch of 60 while its first messages are submitted. Returns the ids of all that were submitted. */
  async function cancelMidway(): Promise<{ id: string; submitted: Set<string>; setting: BulkSetting }> {
    const setting = await makeSettingOf(60);
    const { id } = await makeBatch(api, setting);
    await engine.advance(id);
    const submitted = new Set<string>();
    let cancelling: Promise<unknown> | undefined;
    onSubmit = async (messageId) => {
      submitted.add(messageId);
      cancelling ??= cancel(setting, id);
      await cancelling;
    };
    await engine.advance(id);
    return { id, submitted, setting };
  }

  test('lets out only what was claimed before it, and the rest of the chunk becomes cancelled', async () => {
    const { id, submitted, setting } = await cancelMidway();
    expect(submitted.size).toBe(claimedAtOnce);
    expect(await engine.run(id)).toMatchObject({ status: 'cancelled', made: 60 });
    await delivered(setting, id, claimedAtOnce);
    expect((await readBatch(api, setting, id)).ledger).toMatchObject({ total: 60, cancelled: 52 });
    expect(submitted.size).toBe(claimedAtOnce);
  }, 30_000);

  test('is also carried out by the workflow of the chunk, whichever comes first', async () => {
    const { submitted, setting, id } = await cancelMidway();
    await engine.carryDispatches();
    expect((await readBatch(api, setting, id)).ledger).toMatchObject({ queued: 0, cancelled: 52 });
    expect(submitted.size).toBe(claimedAtOnce);
  }, 30_000);

  test('does not take back a message whose submission is in doubt', async () => {
    const setting = await makeSettingOf(12);
    const { id } = await makeBatch(api, setting);
    await engine.advance(id);
    onSubmit = () => engine.dieAfter(0);
    await expect(engine.advance(id)).rejects.toThrow('died');
    onSubmit = () => undefined;
    engine.dieAfter(null);
    await cancel(setting, id);
    await engine.advance(id);
    await engine.carryDispatches();
    const rows = await dispatchSources(id);
    const attempted = await db.query(`select from messages where bulk_batch_id = ? and attempts > 0`, [id]);
    expect(attempted).toHaveLength(claimedAtOnce);
    expect(rows.filter(({ status }) => status === 'cancelled')).toHaveLength(12 - claimedAtOnce);
  }, 30_000);
});

/** How many messages of a chunk the engine claims at a time. */
const claimedAtOnce = 8;

/** Read the batch, reserve; lock, read recipients, store. */
const statementsToMakeOneChunk = 5;

describe('a worker that dies', () => {
  const dispatchOf = async (id: string) => {
    const rows = await db.query<{ wakes_in: number }>(
      `select extract(epoch from wake_at - created_at)::float8 as wakes_in
       from dispatches where id in (select dispatch_id from messages where bulk_batch_id = ?)`,
      [id],
    );
    return rows[0];
  };

  test('leaves a chunk without a workflow to the sweep within 15 seconds, and what it may have submitted in doubt', async () => {
    const setting = await makeSettingOf(12);
    const { id } = await makeBatch(api, setting);
    await engine.advance(id);
    onSubmit = () => engine.dieAfter(0);
    await expect(engine.advance(id)).rejects.toThrow('died');
    const sweepPatienceSeconds = 10;
    expect((await dispatchOf(id))!.wakes_in + sweepPatienceSeconds).toBeLessThanOrEqual(15);
    onSubmit = () => undefined;
    engine.dieAfter(null);
    // Of twelve, eight were claimed: those wait for the proof of a report, the others for nobody.
    engine.pass(15);
    await engine.carryDispatches();
    const rows = await db.query<{ doubtful: boolean; attempts: number }>(
      `select outcome_unknown as doubtful, attempts from messages where bulk_batch_id = ? order by attempts, id`,
      [id],
    );
    expect(rows.filter(({ attempts }) => attempts > 1)).toEqual([]);
    expect(rows.filter(({ doubtful }) => !doubtful).length).toBeGreaterThanOrEqual(4);
    expect(rows.every(({ attempts }) => attempts === 1)).toBe(true);
    await cancel(setting, id);
  }, 30_000);

  test.each(Array.from({ length: 16 }, (_, index) => index))(
    'after %i statements loses nobody, and makes nobody a second message without a doubt on the timeline',
    async (statements) => {
      const setting = await makeSettingOf(12);
      const { id } = await makeBatch(api, setting);
      await change(setting, id, 'rate', { ratePerSecond: 24 });
      await engine.advance(id);
      engine.dieAfter(statements);
      await expect(engine.run(id)).rejects.toThrow('died');
      await readBatch(api, setting, id);
      engine.dieAfter(null);
      // The next attempt goes on at the cursor; what was made is carried on once the sweep sees to its dispatch.
      await engine.advance(id);
      await until('the messages', async () => {
        engine.pass(70);
        await engine.carryDispatches();
        const { ledger } = await readBatch(api, setting, id);
        return ledger.delivered === 12;
      });
      expect(await engine.run(id)).toMatchObject({ status: 'completed', made: 12 });
      const rows = await dispatchSources(id);
      expect(new Set(rows.map(({ message_id }) => message_id)).size).toBe(12);
      expect((await db.query(`select from messages where bulk_batch_id = ?`, [id])).length).toBe(12);
      for (const { message_id } of rows) {
        const submissions = engine.simulator.submissions(message_id!);
        const [doubts] = await db.query<{ count: number }>(
          `select count(*)::int as count from message_events
           where message_id = ? and kind = 'submission_attempted' and (details->>'possibleDuplicate')::boolean`,
          [message_id],
        );
        expect(submissions).toBeGreaterThanOrEqual(1);
        expect(submissions).toBeLessThanOrEqual(1 + doubts!.count);
      }
    },
    30_000,
  );
});

test('two workers that carry a batch at once make each recipient one message', async () => {
  const setting = await makeSettingOf(800);
  const { id } = await makeBatch(api, setting);
  await engine.advance(id);
  await Promise.all([engine.advance(id), engine.advance(id), engine.advance(id)]);
  await engine.run(id);
  await delivered(setting, id, 800);
  expect((await db.query(`select from messages where bulk_batch_id = ?`, [id])).length).toBe(800);
}, 30_000);

// The last one, for it takes off a constraint.
test('who has opted out, or has no number to send to, or a duplicate, is recorded with the reason', async () => {
  const setting = await makeSettingOf(6);
  const { organizationId, key } = setting;
  await api.call('POST', '/api/v1/suppressions', { key, json: { phoneNumber: numberOf(2) } });
  await db.query(`alter table contacts drop constraint contacts_phone_number_unique`);
  const rename = (from: number, to: string) =>
    db.query(`update contacts set phone_number = ? where phone_number = ? and organization_id = ?`, [
      to,
      numberOf(from),
      organizationId,
    ]);
  await rename(4, numberOf(3));
  await rename(5, 'nobody');
  const { id } = await makeBatch(api, setting);
  await engine.run(id);
  await delivered(setting, id, 3);
  expect((await dispatchSources(id)).map(({ error_code }) => error_code)).toEqual([
    null,
    'recipient_opted_out',
    null,
    'duplicate_recipient',
    'invalid_recipient',
    null,
  ]);
  expect(await readBatch(api, setting, id)).toMatchObject({
    status: 'completed',
    ledger: { total: 6, failed: 3, delivered: 3 },
    refused: { optedOut: 1, duplicates: 1, invalid: 1 },
    segments: 3,
  });
  const [refused] = (await dispatchSources(id)).filter(
    ({ error_code }) => error_code === 'invalid_recipient',
  );
  const timeline = await api.call('GET', `/api/v1/messages/${refused!.message_id}/timeline`, { key });
  expect(timeline.body.data).toMatchObject([
    { kind: 'refused', status: 'failed', errorCode: 'invalid_recipient' },
  ]);
}, 30_000);
