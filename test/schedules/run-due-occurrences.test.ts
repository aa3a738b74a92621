import {
  claimDueMessages,
  findUnsendableMessages,
} from '../../src/messages/submission/claim-due-messages.ts';
import { createRunDueOccurrences } from '../../src/schedules/run-due-occurrences.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { duringChange } from '../helpers/uncommitted.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { createTestHash } from '../helpers/hash-number.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;
let now: Date;
let started: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => now });
});

beforeEach(async () => {
  now = at('2026-12-31T12:00:00');
  started = [];
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const at = (text: string): Date => new Date(`${text}Z`);

async function schedule(fields: Record<string, unknown> = {}): Promise<string> {
  const json = {
    ...{ to: '0911234567', text: 'Selam', scheduleType: 'recurring', startsAt: '2027-01-01T00:00:00Z' },
    ...{ recurrence: { unit: 'day', interval: 1 }, timezone: 'UTC', ...fields },
  };
  const { status, body } = await api.call('POST', '/api/v1/messages/schedule', { key, json });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id as string;
}

function run(id: string, time: string | Date) {
  now = typeof time === 'string' ? at(time) : time;
  return createRunDueOccurrences({
    database: db.database,
    hashNumber: createTestHash(db.database),
    startMessages: ({ id: messageId }) => void started.push(messageId),
    now: () => now,
  })(id);
}

async function read(id: string): Promise<any> {
  const { body } = await api.call('GET', '/api/v1/message-schedules', { key });
  return body.data.find((one: { id: string }) => one.id === id);
}

function messages(): Promise<{ id: string; createdAt: string; validUntil: string; sender: string }[]> {
  return db.query(
    `select id, sender, created_at as "createdAt", valid_until as "validUntil" from messages
     where organization_id = ? order by valid_until`,
    [tenant.organizationId],
  );
}

test('an occurrence makes one message, which is started and is to be submitted within the hour', async () => {
  const id = await schedule();
  expect(await run(id, '2027-01-01T00:00:00.100')).toEqual({
    status: 'active',
    nextRunAt: '2027-01-02T00:00:00.000Z',
    counts: { created: 1, failed: 0, missed: 0, skipped: 0 },
  });
  const [message, ...others] = await messages();
  expect(others).toEqual([]);
  expect(new Date(message!.validUntil)).toEqual(at('2027-01-01T01:00:00'));
  expect(started).toEqual([message!.id]);
  expect(await read(id)).toMatchObject({
    lastRunAt: '2027-01-01T00:00:00.000Z',
    nextRunAt: '2027-01-02T00:00:00.000Z',
    lastRuns: [{ outcome: 'created', occurrences: 1, messageId: message!.id, messageStatus: 'queued' }],
  });
  const { body } = await api.call('GET', `/api/v1/messages/${message!.id}`, { key });
  expect(body).toMatchObject({ from: 'ACME', to: '+251911234567', text: 'Selam', status: 'queued' });
});

test('nothing happens before its time', async () => {
  const id = await schedule();
  const progress = await run(id, '2026-12-31T23:59:59.999');
  expect(progress).toMatchObject({ status: 'active', nextRunAt: '2027-01-01T00:00:00.000Z' });
  expect(await messages()).toEqual([]);
});

test('however many run it at once, and however often, an occurrence happens once', async () => {
  const id = await schedule();
  for (let round = 0; round < 3; round += 1) {
    const all = await Promise.all(Array.from({ length: 20 }, () => run(id, '2027-01-01T00:00:00')));
    expect(new Set(all.map(({ nextRunAt }) => nextRunAt))).toEqual(new Set(['2027-01-02T00:00:00.000Z']));
  }
  expect(await messages()).toHaveLength(1);
  expect(started).toHaveLength(1);
  expect((await read(id)).counts.created).toBe(1);
});

test('an occurrence that has happened does not happen again when the row forgets it', async () => {
  const id = await schedule();
  await run(id, '2027-01-01T00:00:00');
  await db.query('update message_schedules set next_run_at = starts_at where id = ?', [id]);
  expect(await run(id, '2027-01-01T00:00:01')).toMatchObject({ counts: { created: 1 } });
  expect(await messages()).toHaveLength(1);
});

test('of a transaction that fails in the middle nothing stays, and the next try does it whole', async () => {
  const id = await schedule();
  await db.query('alter table message_events rename column kind to kind_gone');
  await expect(run(id, '2027-01-01T00:00:00')).rejects.toThrow(/kind/);
  await db.query('alter table message_events rename column kind_gone to kind');
  expect([await messages(), started]).toEqual([[], []]);
  expect(await read(id)).toMatchObject({ nextRunAt: '2027-01-01T00:00:00.000Z', lastRuns: [] });
  await run(id, '2027-01-01T00:00:05');
  expect(await messages()).toHaveLength(1);
});

test.each([
  ['a minute', '2027-01-01T00:01:00', { created: 1, missed: 0 }],
  ['an hour', '2027-01-01T01:00:00', { created: 1, missed: 0 }],
  ['an hour and a millisecond', '2027-01-01T01:00:00.001', { created: 0, missed: 1 }],
  ['a day', '2027-01-02T00:00:00', { created: 1, missed: 1 }],
  ['two days and a half', '2027-01-03T12:00:00', { created: 0, missed: 3 }],
])('after a downtime of %s', async (_name, time, counts) => {
  const id = await schedule();
  expect((await run(id, time)).counts).toMatchObject(counts);
  expect(await messages()).toHaveLength(counts.created);
  expect((await read(id)).counts).toMatchObject(counts);
});

test('a month of missed minutes is one row and one round, and the messages of the last hour are sent', async () => {
  const id = await schedule({ recurrence: { unit: 'minute', interval: 1 } });
  const missed = 29 * 1440 + 23 * 60 + 1;
  expect((await run(id, '2027-01-31T00:00:30')).counts).toMatchObject({ created: 60, missed });
  expect(await messages()).toHaveLength(60);
  expect(started).toHaveLength(60);
  const stored = await db.query('select * from schedule_runs where schedule_id = ? and outcome = ?', [
    id,
    'missed',
  ]);
  expect(stored).toMatchObject([{ occurrences: missed }]);
  expect((await read(id)).lastRuns).toHaveLength(5);
});

test('a missed stretch is shown with its first, its last and their number', async () => {
  const id = await schedule();
  await run(id, '2027-01-04T12:00:00');
  expect((await read(id)).lastRuns).toEqual([
    {
      dueAt: '2027-01-01T00:00:00.000Z',
      lastDueAt: '2027-01-04T00:00:00.000Z',
      outcome: 'missed',
      occurrences: 4,
      messageId: null,
      messageStatus: null,
      errorCode: null,
    },
  ]);
});

test.each([
  ['once', { scheduleType: 'once', recurrence: undefined }],
  ['at its end', { endsAt: '2027-01-01T12:00:00Z' }],
])('what has nothing to come is completed: %s', async (_name, fields) => {
  const id = await schedule(fields);
  expect(await run(id, '2027-01-01T00:00:00')).toMatchObject({ status: 'completed', nextRunAt: null });
  expect(await read(id)).toMatchObject({ status: 'completed', nextRunAt: null, counts: { created: 1 } });
  expect(await messages()).toHaveLength(1);
});

test('what was missed for good is completed too', async () => {
  const id = await schedule({ scheduleType: 'once', recurrence: undefined });
  expect(await run(id, '2027-01-01T02:00:00')).toMatchObject({ status: 'completed', counts: { missed: 1 } });
  expect(await messages()).toEqual([]);
});

test.each([
  ['named', 'sender_not_approved'],
  ['default', 'sender_required'],
])(
  'without approval of the %s sender an occurrence fails with its reason, and the schedule goes on',
  async (which, code) => {
    const id = await schedule(which === 'named' ? { from: tenant.sender } : {});
    const approve = (status: string, isDefault: boolean) =>
      db.query('update sender_ids set status = ?, is_default = ? where organization_id = ?', [
        status,
        isDefault,
        tenant.organizationId,
      ]);
    await approve('rejected', false);
    expect(await run(id, '2027-01-01T00:00:00')).toMatchObject({
      status: 'active',
      counts: { created: 0, failed: 1 },
    });
    expect((await read(id)).lastRuns).toMatchObject([
      { outcome: 'failed', errorCode: code, messageId: null },
    ]);
    expect([await messages(), started]).toEqual([[], []]);
    await approve('approved', true);
    expect((await run(id, '2027-01-02T00:00:00')).counts).toMatchObject({ created: 1, failed: 1 });
  },
);

test('an occurrence to a number that has opted out fails with that reason', async () => {
  const id = await schedule({});
  await api.call('POST', '/api/v1/suppressions', { key, json: { phoneNumber: '0911234567' } });
  expect(await run(id, '2027-01-01T00:00:00')).toMatchObject({ counts: { created: 0, failed: 1 } });
  expect((await read(id)).lastRuns).toMatchObject([{ outcome: 'failed', errorCode: 'recipient_opted_out' }]);
});

test('without a sender each occurrence takes the default of its moment', async () => {
  const id = await schedule();
  await run(id, '2027-01-01T00:00:00');
  await db.query(`update sender_ids set value = 'NEWNAME' where organization_id = ?`, [
    tenant.organizationId,
  ]);
  await run(id, '2027-01-02T00:00:00');
  expect((await messages()).map(({ sender }) => sender)).toEqual([tenant.sender, 'NEWNAME']);
});

test.each(['pause', 'cancel'])('after %s nothing is run', async (action) => {
  const id = await schedule();
  const { status } = await api.call('PATCH', `/api/v1/message-schedules/${id}/status`, {
    key,
    json: { action },
  });
  expect(status).toBe(200);
  expect(await run(id, '2027-01-01T00:00:00')).toMatchObject({ nextRunAt: null });
  expect(await messages()).toEqual([]);
});

test('of a schedule that is deleted nothing is run, and the messages it made stay', async () => {
  const id = await schedule();
  await run(id, '2027-01-01T00:00:00');
  await api.call('DELETE', `/api/v1/message-schedules/${id}`, { key });
  expect(await run(id, '2027-01-02T00:00:00')).toEqual({ status: 'deleted', nextRunAt: null, counts: {} });
  expect(await messages()).toHaveLength(1);
  expect(await db.query('select from schedule_runs where schedule_id = ?', [id])).toEqual([]);
});

test('a run that meets a cancellation before its commit waits for it, and makes no message', async () => {
  const id = await schedule();
  const cancel = `update message_schedules set status = 'cancelled', next_run_at = null where id = $1`;
  const progress = await duringChange(db, { statement: cancel, parameters: [id] }, () =>
    run(id, '2027-01-01T00:00:00'),
  );
  expect(progress).toMatchObject({ status: 'cancelled', nextRunAt: null });
  expect([await messages(), started]).toEqual([[], []]);
});

test('cancel and the run of an occurrence at the same moment leave either a message or none, and never half', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await schedule();
    const before = (await messages()).length;
    await Promise.all([
      run(id, '2027-01-01T00:00:00'),
      api.call('PATCH', `/api/v1/message-schedules/${id}/status`, { key, json: { action: 'cancel' } }),
    ]);
    const { status, counts } = await read(id);
    expect(status).toBe('cancelled');
    expect((await messages()).length - before).toBe(counts.created);
    now = at('2026-12-31T12:00:00');
  }
});

test('a message of a schedule that comes to its submission after the hour fails with validity_expired', async () => {
  const id = await schedule();
  await run(id, '2027-01-01T00:59:00');
  const [message] = await messages();
  await db.query('update messages set dispatch_id = id where id = ?', [message!.id]);
  const connection = db.database.em.fork().getKysely<unknown>();
  const late = at('2027-01-01T01:00:00');
  const claim = { dispatchId: message!.id, isShared: false, now: late, limit: 10, claimSeconds: 60 };
  expect(await claimDueMessages(connection, claim)).toEqual([]);
  expect(await findUnsendableMessages(connection, message!.id, late)).toEqual([
    { id: message!.id, reason: 'validity_expired' },
  ]);
});
