import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database.ts';
import { openDatabase } from '../../src/open-database.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, problemOf, signUp, type Person } from '../helpers/people.ts';
import { until } from '../helpers/until.ts';

const limits = { toAddress: 3, byPerson: 5 };
const organizationsPerUser = 3;

let db: TestDatabase;
let otherDatabase: Database;
let api: TestApi;
let otherApi: TestApi;
const dayMs = 24 * 3_600_000;
/** Six in the evening (UTC): sessions last on, and the day ends six hours later. */
let nowMs = Math.floor(Date.now() / dayMs) * dayMs + 18 * 3_600_000;

beforeAll(async () => {
  db = await createTestDatabase();
  otherDatabase = await openDatabase({ url: db.url, poolSize: 10 });
  const shared = { now: () => new Date(nowMs), invitationLimits: limits, organizationsPerUser };
  api = await startTestApi({ ...shared, database: db.database });
  otherApi = await startTestApi({ ...shared, database: otherDatabase });
});

afterAll(async () => {
  await api.stop();
  await otherApi.stop();
  await otherDatabase.close();
  await db.drop();
});

const newEmail = () => `${randomUUID()}@example.com`;

/** By the first process or the other one. */
const invite = (by: Person, organizationId: string, email = newEmail(), index = 0) =>
  [api, otherApi][index % 2]!.call('POST', '/api/auth/organization/invite-member', {
    session: by.token,
    json: { email, role: 'member', organizationId },
  });

const mailsTo = (email: string) =>
  [...api.mails, ...otherApi.mails].filter(({ to, text }) => to === email && text.includes('invites you'));

/** Waits until refused invitations count no more. */
const usesOfAddresses = async () => {
  const [row] = await db.query<{ used: number }>(
    `select coalesce(sum(used), 0)::int as used from rate_limit_counters where subject like 'invitations:to:%'`,
  );
  return row!.used;
};

const tally = (answers: { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test('refused invitations do not keep an address from being invited', async () => {
  const owner = await signUp(api);
  const { organizationId } = await createOrganization(owner);
  const stranger = await signUp(api);
  const email = newEmail();
  const before = await usesOfAddresses();
  const refused = async (by: Person, organization: string, status: number) => {
    expect((await invite(by, organization, email)).status).toBe(status);
    await until('the use to be given back', async () => (await usesOfAddresses()) === before);
  };
  for (let attempt = 0; attempt < limits.toAddress; attempt += 1)
    await refused(stranger, organizationId, 404);
  expect((await invite(owner, organizationId, email)).status).toBe(200);
  expect(mailsTo(email)).toHaveLength(1);
});

describe('who invites', () => {
  test.each([
    ['JSON', (fields: Record<string, string>) => ({ json: fields })],
    ['a form', (fields: Record<string, string>) => ({ form: fields })],
    ['multipart', (fields: Record<string, string>) => ({ multipart: fields })],
  ])('has confirmed their own address; until then nothing is mailed or stored: %s', async (_how, encode) => {
    const owner = await signUp(api, { confirm: false });
    const { organizationId } = await createOrganization(owner);
    const email = newEmail();
    const answer = await owner.call('POST', '/api/auth/organization/invite-member', {
      ...encode({ email, role: 'member', organizationId }),
    });
    expect(problemOf(answer)).toEqual({ status: 403, code: 'email_not_verified' });
    expect(answer.body.detail).toContain('POST /api/auth/send-verification-email');
    expect(mailsTo(email)).toEqual([]);
    expect(await db.query('select id from invitations where email = ?', [email])).toEqual([]);
  });

  test('need not where no mail leaves the service: nothing is relayed', async () => {
    const demo = await startTestApi({ database: db.database, mailsGoOut: false });
    try {
      const owner = await signUp(demo, { confirm: false });
      const { organizationId } = await createOrganization(owner);
      const json = { email: newEmail(), role: 'member', organizationId };
      expect((await owner.post('/organization/invite-member', json)).status).toBe(200);
    } finally {
      await demo.stop();
    }
  });
});

test('one address is invited only so often a day, by however many people and processes', async () => {
  const email = newEmail();
  const owners = await Promise.all(Array.from({ length: 6 }, () => signUp(api)));
  const organizations = await Promise.all(owners.map((owner) => createOrganization(owner)));
  const answers = await Promise.all(
    owners.map((owner, index) =>
      invite(owner, organizations[index]!.organizationId, index % 2 ? email : email.toUpperCase(), index),
    ),
  );
  expect(tally(answers)).toEqual({ 200: 3, 429: 3 });
  const refused = answers.find(({ status }) => status === 429)!;
  expect(refused.body).toMatchObject({
    code: 'rate_limited',
    detail: expect.stringContaining('3 requests per day'),
  });
  expect(refused.headers.get('retry-after')).toBe(String(6 * 3600));
  expect(mailsTo(email)).toHaveLength(3);
  expect(await db.query('select id from invitations where email = ?', [email])).toHaveLength(3);
  const another = await signUp(api);
  const { organizationId } = await createOrganization(another);
  expect((await invite(another, organizationId, email)).status).toBe(429);
  expect((await invite(another, organizationId)).status).toBe(200);
  nowMs += 6 * 3_600_000;
  expect((await invite(another, organizationId, email)).status).toBe(200);
  expect(mailsTo(email)).toHaveLength(4);
});

test('an invitation that is sent again counts too', async () => {
  const owner = await signUp(api);
  const { organizationId } = await createOrganization(owner);
  const email = newEmail();
  const json = { email, role: 'member', organizationId, resend: true };
  const statuses: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    statuses.push((await owner.post('/organization/invite-member', json)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(mailsTo(email)).toHaveLength(3);
});

test('one person invites only so often a day, into however many organizations', async () => {
  const owner = await signUp(api);
  const [one, other] = [await createOrganization(owner), await createOrganization(owner)];
  const organizationIds = [one.organizationId, other.organizationId];
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => invite(owner, organizationIds[index % 2]!, newEmail(), index)),
  );
  expect(tally(answers)).toEqual({ 200: 5, 429: 3 });
});

test('what one person is refused uses up nothing of the address', async () => {
  const [flooder, owner] = [await signUp(api), await signUp(api)];
  const { organizationId: theirs } = await createOrganization(flooder);
  for (let round = 0; round < limits.byPerson; round += 1) await invite(flooder, theirs);
  const email = newEmail();
  for (let round = 0; round < 4; round += 1) {
    expect((await invite(flooder, theirs, email)).status).toBe(429);
  }
  const { organizationId } = await createOrganization(owner);
  expect((await invite(owner, organizationId, email)).status).toBe(200);
});

test('no address is named by what is counted', async () => {
  const owner = await signUp(api);
  const { organizationId } = await createOrganization(owner);
  await invite(owner, organizationId, 'private@example.com');
  const rows = await db.query<{ subject: string }>('select subject from rate_limit_counters');
  expect(rows.some(({ subject }) => subject.startsWith('invitations:to:'))).toBe(true);
  expect(JSON.stringify(rows)).not.toMatch(/private|example/);
});

describe('the organizations of a person', () => {
  const create = (by: Person, index: number) =>
    [api, otherApi][index % 2]!.call('POST', '/api/auth/organization/create', {
      session: by.token,
      json: { name: 'Acme', slug: `acme-${randomUUID()}` },
    });

  test('are limited, exactly, however many are made at once and by whichever process', async () => {
    const person = await signUp(api);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => create(person, index)));
    expect(tally(answers)).toEqual({ 200: 3, 403: 5 });
    const refused = answers.find(({ status }) => status === 403)!;
    expect(problemOf(refused)).toEqual({ status: 403, code: 'organization_limit_reached' });
    const { body } = await person.get('/organization/list');
    expect(body).toHaveLength(3);
  });

  test('are those they own: who is a member of many may make one', async () => {
    const person = await signUp(api);
    for (let round = 0; round < 4; round += 1) {
      const owner = await signUp(api);
      await db.query(
        `insert into members (id, organization_id, user_id, role, created_at)
         values (gen_random_uuid(), ?, ?, 'member', now())`,
        [(await createOrganization(owner)).organizationId, person.userId],
      );
    }
    expect((await create(person, 0)).status).toBe(200);
  });
});

test('members see the limits that the operator has configured', async () => {
  const owner = await signUp(api);
  const { organizationId } = await createOrganization(owner);
  const { body } = await owner.call('GET', `/api/v1/organizations/limits?organizationId=${organizationId}`);
  expect(body).toEqual({
    requestsPerMinute: 1e6,
    requestsPerMinuteOfCaller: 1e6,
    invitationsPerDayOfUser: limits.byPerson,
    securityCodesPerRecipient: { codes: 5, windowSeconds: 600 },
    sending: {
      ...{ messagesPerHour: null, recipientMessagesPerHour: null, recipientMessagesPerDay: null },
      ...{ prefixes: [], newOrganization: null },
    },
  });
});
