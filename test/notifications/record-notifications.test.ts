import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { notifyInvitee } from '../../src/organizations/notify-invitee.ts';
import { sqlOf } from '../../src/database.ts';
import { createSecretSealer } from '../../src/messages/sealer.ts';
import { batchCompleted, inboundFailed, webhookDead } from '../../src/notifications/notification-events.ts';
import { recordNotifications } from '../../src/notifications/record-notifications.ts';
import { asTenants } from '../../src/organizations/organization-scope.ts';
import type { Environment } from '../../src/principal.ts';
import { createRunDueOccurrences } from '../../src/schedules/run-due-occurrences.ts';
import { createWebhookAgent } from '../../src/webhooks/attempts/attempt-delivery.ts';
import { createAttemptDueDeliveries } from '../../src/webhooks/attempts/attempt-due-deliveries.ts';
import { createRequestSlots } from '../../src/webhooks/attempts/request-slots.ts';
import { securityCodePepper, startTestApi, type TestApi } from '../helpers/api.ts';
import { startBulkEngine, type BulkEngine } from '../helpers/bulk-engine.ts';
import { makeSetting, type BulkSetting } from '../helpers/bulk.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { eventFor, join, tell } from '../helpers/notifications.ts';
import {
  confirmByLink,
  linkMailed,
  makeAdministrator,
  signIn,
  signUp,
  type Person,
} from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';
import { makeWebhookDispatch } from '../helpers/webhook-dispatch.ts';
import { createTestHash } from '../helpers/hash-number.ts';

let db: TestDatabase;
let api: TestApi;
let engine: BulkEngine;
let reviewer: Person;
let tenant: Tenant;
let owner: Person;
let admin: Person;
let member: Person;
let other: Person;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  engine = await startBulkEngine(api, db, { rates: { platform: 100_000, sender: 100_000 } });
  reviewer = await signUp(api);
  await makeAdministrator(db, reviewer);
  [owner, admin, member, other] = [
    await signUp(api),
    await signUp(api),
    await signUp(api),
    await signUp(api),
  ];
});

beforeEach(async () => {
  tenant = await createTenant(db.database);
  await join(db, owner, tenant.organizationId, 'owner');
  await join(db, admin, tenant.organizationId, 'admin');
  await join(db, member, tenant.organizationId);
  await join(db, other, tenant.organizationId);
});

afterAll(async () => {
  await engine.stop();
  await api.stop();
  await db.drop();
});

interface Row {
  kind: string;
  user_id: string;
  subject_id: string;
  title: string;
  body: string;
  data: Record<string, unknown>;
}

const recorded = (): Promise<Row[]> =>
  db.query(
    `select kind, user_id, subject_id, title, body, data from notifications where organization_id = ? order by position`,
    [tenant.organizationId],
  );

/** Who was told of what, each kind with its people by name. */
async function told(): Promise<Record<string, string[]>> {
  const names = new Map(
    Object.entries({ owner, admin, member, other }).map(([name, { userId }]) => [userId, name]),
  );
  const rows = await recorded();
  const kinds = Object.groupBy(rows, ({ kind }) => kind);
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, all]) => [kind, all!.map(({ user_id }) => names.get(user_id)!).sort()]),
  );
}

describe('a sender ID that is reviewed', () => {
  const ask = async (as: { session?: string; key?: string }): Promise<string> => {
    const { body } = await api.call('POST', '/api/v1/sender-ids', {
      ...as,
      json: {
        ...{ organizationId: tenant.organizationId, value: `S-${uuidv7().slice(-8)}` },
        ...{ useCase: 'Tells where parcels are.', sampleMessage: 'Hello.' },
      },
    });
    return body.id as string;
  };
  const review = (id: string, json: object) =>
    reviewer.call('PATCH', `/api/v1/admin/sender-ids/${id}/review`, { json });

  test('is told to who asked, and to owners and admins, once each', async () => {
    const id = await ask({ session: admin.token });
    expect((await review(id, { action: 'approve' })).status).toBe(200);
    expect((await review(id, { action: 'approve' })).status).toBe(409);
    expect(await told()).toEqual({ sender_id_reviewed: ['admin', 'owner'] });
    expect((await recorded())[0]).toMatchObject({
      subject_id: id,
      title: expect.stringMatching(/^Sender ID S-.* approved$/),
      data: { senderId: id, status: 'approved' },
    });
  });

  test('is told to who asked although he is an ordinary member by now, and not once he has left', async () => {
    const [first, second] = [await ask({ session: admin.token }), await ask({ session: admin.token })];
    await db.query(`update members set role = 'member' where user_id = ? and organization_id = ?`, [
      admin.userId,
      tenant.organizationId,
    ]);
    await review(first, { action: 'reject', reason: 'Say more.' });
    expect(await told()).toEqual({ sender_id_reviewed: ['admin', 'owner'] });
    expect((await recorded())[0]!.body).toContain('Say more.');
    await db.query('delete from members where user_id = ? and organization_id = ?', [
      admin.userId,
      tenant.organizationId,
    ]);
    await review(second, { action: 'reject', reason: 'Say more.' });
    expect(await told()).toEqual({ sender_id_reviewed: ['admin', 'owner', 'owner'] });
  });

  test('again, after it was resubmitted, is told again', async () => {
    const id = await ask({ key: await tenant.createKey() });
    await review(id, { action: 'reject', reason: 'Say more.' });
    await owner.call('PATCH', `/api/v1/sender-ids/${id}`, {
      json: {
        ...{ organizationId: tenant.organizationId, value: `S-${uuidv7().slice(-8)}` },
        ...{ useCase: 'Tells where all parcels are.', sampleMessage: 'Hello.' },
      },
    });
    expect((await review(id, { action: 'approve' })).status).toBe(200);
    expect(await told()).toEqual({ sender_id_reviewed: ['admin', 'admin', 'owner', 'owner'] });
  });
});

describe('a bulk batch', () => {
  const setUp = async (contacts: number): Promise<BulkSetting> =>
    makeSetting(
      api,
      db,
      { organizationId: tenant.organizationId, key: await tenant.createKey({ environment: 'test' }) },
      contacts,
    );
  const make = async (
    { campaignId, contactListId, organizationId }: BulkSetting,
    as: { session?: string; key?: string },
  ): Promise<string> => {
    const json = { organizationId, campaignId, contactListId, text: 'Selam' };
    const { status, body } = await api.call('POST', '/api/v1/bulk-sms', { ...as, json });
    expect(status).toBe(202);
    return body.id as string;
  };

  test('that is completed is told to who made it, once, however often it is looked at', async () => {
    const id = await make(await setUp(3), { session: member.token });
    await engine.run(id);
    await Promise.all([engine.advance(id), engine.advance(id)]);
    expect(await told()).toEqual({ batch_completed: ['member'] });
    expect((await recorded())[0]).toMatchObject({
      subject_id: id,
      title: 'Bulk batch of x completed',
      data: { bulkSmsId: id, environment: 'live', status: 'completed' },
    });
  });

  test.each(['a key', 'someone who has left'])('made by %s is told to owners and admins', async (maker) => {
    const setting = await setUp(1);
    const id = await make(setting, maker === 'a key' ? { key: setting.key } : { session: member.token });
    await db.query('delete from members where user_id = ? and organization_id = ?', [
      member.userId,
      tenant.organizationId,
    ]);
    await engine.run(id);
    expect(await told()).toEqual({ batch_completed: ['admin', 'owner'] });
  });

  test('that cannot begin is told as failed, with the reason', async () => {
    const setting = await setUp(1);
    const id = await make(setting, { session: member.token });
    await db.query('delete from phonebook_members where phonebook_id = ?', [setting.contactListId]);
    await engine.run(id);
    await engine.advance(id);
    expect(await told()).toEqual({ batch_failed: ['member'] });
    expect((await recorded())[0]).toMatchObject({
      subject_id: id,
      body: expect.stringContaining('empty'),
      data: { bulkSmsId: id, status: 'failed', failure: 'no_recipients' },
    });
  });

  test('whose sender is taken away on the way is told as failed', async () => {
    const id = await make(await setUp(3), { session: member.token });
    await engine.advance(id);
    await db.query(`update sender_ids set status = 'rejected' where organization_id = ?`, [
      tenant.organizationId,
    ]);
    await engine.run(id);
    expect(await told()).toEqual({ batch_failed: ['member'] });
    expect((await recorded())[0]!.data).toMatchObject({ failure: 'sender_not_approved' });
  });

  test('completes only together with what is told of it', async () => {
    const id = await make(await setUp(1), { session: member.token });
    await db.query(
      `alter table notifications add constraint no_more check (kind <> 'batch_completed') not valid`,
    );
    try {
      await expect(engine.run(id)).rejects.toThrow('no_more');
    } finally {
      await db.query('alter table notifications drop constraint no_more');
    }
    expect(await db.query('select status from bulk_batches where id = ?', [id])).toEqual([
      { status: 'processing' },
    ]);
    await engine.run(id);
    expect(await told()).toEqual({ batch_completed: ['member'] });
  });
});

test('occurrences of a schedule that were missed are told to owners and admins, as the one stretch they are', async () => {
  const { body } = await api.call('POST', '/api/v1/messages/schedule', {
    key: await tenant.createKey(),
    json: {
      ...{ to: '0911234567', text: 'x', scheduleType: 'recurring', startsAt: '2099-01-01T00:00:00Z' },
      ...{ recurrence: { unit: 'day', interval: 1 }, timezone: 'Africa/Addis_Ababa' },
    },
  });
  const run = createRunDueOccurrences({
    database: db.database,
    hashNumber: createTestHash(db.database),
    startMessages: () => undefined,
    now: () => new Date('2099-01-03T12:00:00Z'),
  });
  await Promise.all([run(body.id), run(body.id)]);
  await run(body.id);
  expect(await told()).toEqual({ schedule_missed: ['admin', 'owner'] });
  expect((await recorded())[0]).toMatchObject({
    title: '3 scheduled messages were not sent',
    body: expect.stringContaining(
      'from 2099-01-01 03:00 to 2099-01-03 03:00 (Africa/Addis_Ababa), more than',
    ),
    data: { scheduleId: body.id, occurrences: 3, firstDueAt: '2099-01-01T00:00:00.000Z' },
  });
});

test('webhooks that die are told to owners and admins once an hour for each receiver, however many die at once', async () => {
  const gone = createServer((request, response) => {
    request.resume();
    response.writeHead(410).end();
  });
  gone.listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  const agent = createWebhookAgent(['127.0.0.1', 'localhost']);
  try {
    const attempt = createAttemptDueDeliveries({
      outcomeGathering: { fromItems: 4, waitMs: 0 },
      ...{ database: db.database, webhookAgent: agent, now: () => new Date() },
      secretSealer: createSecretSealer({ pepper: securityCodePepper }),
      webhookSlots: createRequestSlots({ total: 64, perHost: 64 }),
    });
    for (let round = 0; round < 2; round += 1) {
      const hosts = Array.from({ length: 40 }, (_none, index) => (index % 2 ? '127.0.0.1' : 'localhost'));
      const urls = hosts.map((host) => `http://${host}:${port}/secret-path`);
      const { dispatchId } = await makeWebhookDispatch(db, tenant.organizationId, urls);
      await attempt(dispatchId, { heartbeat: () => undefined, stopping: () => false });
    }
  } finally {
    gone.close();
    await agent.destroy();
  }
  const dead = await db.query(
    `select from webhook_deliveries where status = 'dead' and organization_id = ?`,
    [tenant.organizationId],
  );
  expect(dead).toHaveLength(80);
  const rows = await recorded();
  // The clock may have struck between the rounds.
  expect([4, 8]).toContain(rows.length);
  expect(new Set(rows.map(({ title }) => title))).toEqual(
    new Set([`Webhooks to 127.0.0.1:${port} are given up`, `Webhooks to localhost:${port} are given up`]),
  );
  expect(new Set((await told())['webhook_dead'])).toEqual(new Set(['admin', 'owner']));
  expect(JSON.stringify(rows)).not.toContain('secret-path');
});

test('a dead test webhook does not hide a dead live one of the same receiver and hour', async () => {
  const at = new Date();
  const dead = (environment: Environment) =>
    webhookDead(
      {
        ...{ id: uuidv7(), messageId: uuidv7(), organizationId: tenant.organizationId, environment },
        url: 'https://receiver.example/secret-path',
      },
      at,
    );
  await tell(db, [dead('test')]);
  await tell(db, [dead('live')]);
  await tell(db, [dead('test'), dead('live')]);
  expect(await told()).toEqual({ webhook_dead: ['admin', 'admin', 'owner', 'owner'] });
  const rows = await recorded();
  expect(new Set(rows.map(({ title, data }) => [title, data['environment']].join(': ')))).toEqual(
    new Set([
      'Test webhooks to receiver.example are given up: test',
      'Webhooks to receiver.example are given up: live',
    ]),
  );
});

describe('an invitation', () => {
  const invite = (email: string, json: object = {}) =>
    owner.post('/organization/invite-member', {
      ...{ email, role: 'member', organizationId: tenant.organizationId, ...json },
    });
  const toldOf = ({ userId }: Person) =>
    db.query<{ organization_id: string | null; data: object; title: string }>(
      'select organization_id, data, title from notifications where user_id = ? order by position',
      [userId],
    );

  test('is told to whom it is for, as a person, once, also when it is sent again', async () => {
    const invited = await signUp(api);
    const { body } = await invite(invited.email.toUpperCase());
    expect((await invite(invited.email, { resend: true })).status).toBe(200);
    expect(await toldOf(invited)).toEqual([
      {
        organization_id: null,
        title: 'Invitation to Acme',
        data: { invitationId: body.id, organizationId: tenant.organizationId, role: 'member' },
      },
    ]);
    expect(await told()).toEqual({});
  });

  test('that is refused tells nobody', async () => {
    expect((await invite(member.email)).status).toBeGreaterThanOrEqual(400);
    expect((await toldOf(member)).filter(({ organization_id }) => organization_id === null)).toEqual([]);
  });

  const confirm = async (email: string) => confirmByLink(api, await linkMailed(api, email, '/verify-email'));
  const idsOf = async (person: Person) =>
    (await toldOf(person)).map(({ data }) => (data as { invitationId: string }).invitationId);

  test('to an address that was not confirmed tells nobody, for it may be another’s, until it is: then once', async () => {
    const email = `${uuidv7()}@example.com`;
    // Before there is such a user, and after.
    const early = await invite(email);
    const unproven = await signUp(api, { email, confirm: false });
    const another = await createTenant(db.database);
    await join(db, owner, another.organizationId, 'owner');
    const late = await invite(email, { organizationId: another.organizationId });
    await signIn(api, email);
    expect(await toldOf(unproven)).toEqual([]);
    expect((await confirm(email)).status).toBe(303);
    expect(await idsOf(unproven)).toEqual([early.body.id, late.body.id]);
    await confirm(email);
    await signIn(api, email);
    await unproven.post('/update-user', { name: 'Haile' });
    expect(await toldOf(unproven)).toHaveLength(2);
  });

  test('that has ended, or expired, before the address is confirmed is not told', async () => {
    const unproven = await signUp(api, { confirm: false });
    const { body } = await invite(unproven.email);
    await owner.post('/organization/cancel-invitation', { invitationId: body.id });
    await invite(unproven.email);
    await db.query(`update invitations set expires_at = now() where email = ? and status = 'pending'`, [
      unproven.email,
    ]);
    await confirm(unproven.email);
    expect(await toldOf(unproven)).toEqual([]);
  });

  test('that cannot be told leaves the address unconfirmed, so that the link can be followed again', async () => {
    const unproven = await signUp(api, { confirm: false });
    await invite(unproven.email);
    await db.query(
      `alter table notifications add constraint no_more check (kind <> 'invitation_received') not valid`,
    );
    try {
      expect((await confirm(unproven.email)).status).toBe(500);
    } finally {
      await db.query('alter table notifications drop constraint no_more');
    }
    expect(await db.query('select email_verified from users where id = ?', [unproven.userId])).toEqual([
      { email_verified: false },
    ]);
    expect((await confirm(unproven.email)).status).toBe(303);
    expect(await toldOf(unproven)).toHaveLength(1);
  });

  test('of an address that was confirmed by a process that died over it is told at the next sign-in', async () => {
    const person = await signUp(api, { confirm: false });
    await invite(person.email);
    await db.query('update users set email_verified = true where id = ?', [person.userId]);
    await signIn(api, person.email);
    expect(await toldOf(person)).toHaveLength(1);
  });

  test('at the moment at which its address is confirmed is told once, whichever comes first', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await signUp(api, { confirm: false });
      const link = await linkMailed(api, person.email, '/verify-email');
      const [invited, confirmed] = await Promise.all([invite(person.email), confirmByLink(api, link)]);
      expect([invited.status, confirmed.status]).toEqual([200, 303]);
      expect(await idsOf(person)).toEqual([invited.body.id]);
    }
  });

  test('that is not stored yet when its address is confirmed is waited for, and told once', async () => {
    const person = await signUp(api, { confirm: false });
    const link = await linkMailed(api, person.email, '/verify-email');
    const id = uuidv7();
    const stored = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const inviting = db.database.em.fork().transactional(async (em) => {
      await sql`
        insert into invitations (id, organization_id, email, role, status, expires_at, inviter_id, created_at)
        values (${id}, ${tenant.organizationId}, ${person.email}, 'member', 'pending', now() + interval '1 day',
          ${owner.userId}, now())
      `.execute(em.getKysely<unknown>());
      await notifyInvitee(em, { id }, new Date());
      stored.resolve();
      await commit.promise;
    });
    await stored.promise;
    const confirming = confirmByLink(api, link);
    try {
      await until('the confirmation to wait', async () => {
        const waiting = await db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      });
    } finally {
      commit.resolve();
    }
    await inviting;
    expect((await confirming).status).toBe(303);
    expect(await idsOf(person)).toEqual([id]);
  });

  test('that is sent again at the moment at which its address is confirmed is told once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await signUp(api, { confirm: false });
      const { body } = await invite(person.email);
      const link = await linkMailed(api, person.email, '/verify-email');
      const answers = await Promise.all([
        invite(person.email, { resend: true }),
        confirmByLink(api, link),
        invite(person.email, { resend: true }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 303, 200]);
      expect(await idsOf(person)).toEqual([body.id]);
    }
  });

  describe('is nothing unread any more', () => {
    const unread = async (person: Person) =>
      (await person.call('GET', '/api/v1/notifications?unread=true')).body;
    const answerTo = (person: Person, action: string, invitationId: string) =>
      person.post(`/organization/${action}-invitation`, { invitationId });

    test.each<[what: string, end: (person: Person, id: string) => Promise<unknown>]>([
      ['accepted', (person, id) => answerTo(person, 'accept', id)],
      ['accepted under an id in capitals', (person, id) => answerTo(person, 'accept', id.toUpperCase())],
      ['rejected', (person, id) => answerTo(person, 'reject', id)],
      ['cancelled', (_person, id) => answerTo(owner, 'cancel', id)],
    ])('once it is %s, while others stay as they are', async (...[, end]) => {
      const [person, bystander] = [await signUp(api), await signUp(api)];
      const another = await createTenant(db.database);
      await join(db, owner, another.organizationId, 'owner');
      const { body } = await invite(person.email);
      const stays = await invite(person.email, { organizationId: another.organizationId });
      await invite(bystander.email);
      expect((await unread(person)).unreadCount).toBe(2);
      await end(person, body.id);
      expect(await unread(person)).toMatchObject({ data: [{ subjectId: stays.body.id }], unreadCount: 1 });
      expect((await unread(bystander)).unreadCount).toBe(1);
      const listed = await person.call('GET', '/api/v1/notifications');
      expect(listed.body.data.map(({ readAt }: { readAt: string | null }) => readAt === null)).toEqual([
        ...[true, false],
      ]);
    });

    test('once it has expired and its address is invited anew, but the new one is', async () => {
      const person = await signUp(api);
      const { body } = await invite(person.email);
      await db.query('update invitations set expires_at = now() where id = ?', [body.id]);
      const anew = await invite(person.email);
      expect(await unread(person)).toMatchObject({ data: [{ subjectId: anew.body.id }], unreadCount: 1 });
    });

    test('but it is if ending it was refused', async () => {
      const person = await signUp(api);
      const { body } = await invite(person.email);
      expect((await answerTo(member, 'cancel', body.id)).status).toBe(403);
      expect((await answerTo(other, 'accept', body.id)).status).toBe(403);
      expect((await unread(person)).unreadCount).toBe(1);
    });

    test('also if it is cancelled at the moment at which its address is confirmed', async () => {
      for (let round = 0; round < 10; round += 1) {
        const person = await signUp(api, { confirm: false });
        const { body } = await invite(person.email);
        const link = await linkMailed(api, person.email, '/verify-email');
        await Promise.all([confirmByLink(api, link), answerTo(owner, 'cancel', body.id)]);
        expect((await unread(person)).unreadCount).toBe(0);
      }
    });
  });
});

test('an inbound message that failed is told to owners and admins, once for each failure', async () => {
  const id = uuidv7();
  const event = (failedAt: Date) =>
    inboundFailed({ id, organizationId: tenant.organizationId, environment: 'live', failedAt });
  await tell(db, [event(new Date(1))]);
  await tell(db, [event(new Date(1))]);
  await tell(db, [event(new Date(2))]);
  expect(await told()).toEqual({ inbound_failed: ['admin', 'admin', 'owner', 'owner'] });
});

describe('recording', () => {
  test('takes place with the change or not at all', async () => {
    const event = eventFor(member, tenant.organizationId);
    const failing = sqlOf(db.database)
      .transaction()
      .execute(async (transaction) => {
        await recordNotifications(transaction, [event], new Date());
        throw new Error('undone');
      });
    await expect(failing).rejects.toThrow('undone');
    expect(await recorded()).toEqual([]);
    await expect(recordNotifications(sqlOf(db.database), [event], new Date())).rejects.toThrow('transaction');
  });

  test('of one event by many at once tells it once', async () => {
    const event = eventFor(member, tenant.organizationId);
    await Promise.all(Array.from({ length: 9 }, () => tell(db, [event])));
    expect(await told()).toEqual({ batch_completed: ['member'] });
  });

  test('of many events to the same people in every order ends, for none waits for who waits for it', async () => {
    const people = [owner, admin, member, other];
    await Promise.all(
      Array.from({ length: 60 }, (_none, index) =>
        tell(
          db,
          people
            .map((_person, offset) => people[(index + offset) % people.length]!)
            .map((person) => eventFor(person, tenant.organizationId)),
        ),
      ),
    );
    expect(await recorded()).toHaveLength(240);
  });

  test('behind the walls of one organization tells nobody of another’s', async () => {
    const theirs = await createTenant(db.database);
    const stranger = await signUp(api);
    await join(db, stranger, theirs.organizationId, 'owner');
    await asTenants(db.database, [tenant.organizationId], (transaction) =>
      recordNotifications(transaction, [eventFor(stranger, theirs.organizationId)], new Date()),
    );
    expect(await db.query('select from notifications where user_id = ?', [stranger.userId])).toEqual([]);
  });

  test('takes any name, and cuts none within a character, which no database would keep', async () => {
    const batch = {
      ...{ id: uuidv7(), organizationId: tenant.organizationId, environment: 'live' as const },
      ...{ campaignId: uuidv7(), campaignName: `x"\\\n${'😀'.repeat(100)}`, total: 1 },
      createdBy: { kind: 'user' as const, id: member.userId },
    };
    await tell(db, [batchCompleted(batch)]);
    expect((await recorded())[0]!.title).toBe(`Bulk batch of x"\\ ${'😀'.repeat(76)} completed`);
  });
});
