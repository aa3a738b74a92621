import { verificationPurpose } from '../../src/contacts/request-verification.ts';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { problemOf } from '../helpers/people.ts';
import { codeOf } from '../helpers/sent-code.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

let contacts = 0;
const newNumber = () => `+2519${String((contacts += 1)).padStart(8, '0')}`;

const post = (path: string, json: object = {}, as = key, of = tenant): Promise<Answer> =>
  api.call('POST', `/api/v1${path}`, { key: as, json: { organizationId: of.organizationId, ...json } });

const newContact = async (phoneNumber = newNumber()): Promise<string> =>
  (await post('/contacts', { phoneNumber })).body.id as string;

async function sendCode(contactId: string): Promise<{ code: string; verificationId: string }> {
  const { status, body } = await post(`/contacts/${contactId}/verification/request`);
  expect(status).toBe(202);
  return { code: await codeOf(db, body.messageId as string), verificationId: body.verificationId as string };
}

const confirm = (contactId: string, code: string) =>
  post(`/contacts/${contactId}/verification/confirm`, { code });

const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

test('the right code verifies the contact; a wrong one is counted and verifies nothing', async () => {
  const contactId = await newContact();
  const { code } = await sendCode(contactId);
  expect(code).toMatch(/^\d{6}$/);
  const refused = await confirm(contactId, wrong(code));
  expect(refused).toMatchObject({
    status: 200,
    body: { valid: false, status: 'incorrect', attemptsRemaining: 4, contact: { phoneVerifiedAt: null } },
  });
  const { status, body } = await confirm(contactId, code);
  expect(status).toBe(200);
  expect(body).toMatchObject({ valid: true, status: 'verified', contact: { id: contactId } });
  expect(Date.parse(body.contact.phoneVerifiedAt as string)).toBeGreaterThan(Date.now() - 60_000);
  expect((await confirm(contactId, code)).body).toMatchObject({ valid: false, status: 'already_used' });
});

test('without a default sender the answer advises only what this request can do', async () => {
  const bare = await createTenant(db.database, { sender: null });
  const bareKey = await bare.createKey();
  const { body: contact } = await post('/contacts', { phoneNumber: newNumber() }, bareKey, bare);
  const path = `/contacts/${contact.id as string}/verification/request`;
  const answer = await post(path, {}, bareKey, bare);
  expect(problemOf(answer)).toEqual({ status: 422, code: 'sender_required' });
  expect(answer.body.detail).toContain('Get a sender ID approved');
  expect(answer.body.detail).not.toContain('from');
});

test('a code that is sent for any purpose that a caller may name does not verify a contact', async () => {
  const phoneNumber = newNumber();
  const contactId = await newContact(phoneNumber);
  for (const purpose of [contactId, `contact:${contactId}`, verificationPurpose(contactId).slice(0, 64)]) {
    const { body } = await post('/security-codes/send', { to: phoneNumber, purpose });
    const code = await codeOf(db, body.messageId as string);
    expect(problemOf(await confirm(contactId, code))).toEqual({ status: 409, code: 'invalid_state' });
  }
  const purpose = verificationPurpose(contactId);
  expect((await post('/security-codes/send', { to: phoneNumber, purpose })).status).toBe(400);
});

test('after five wrong guesses the right code verifies nothing', async () => {
  const contactId = await newContact();
  const { code } = await sendCode(contactId);
  for (let guess = 0; guess < 5; guess += 1) await confirm(contactId, wrong(code));
  expect((await confirm(contactId, code)).body).toMatchObject({
    ...{ valid: false, status: 'max_attempts_reached' },
    contact: { phoneVerifiedAt: null },
  });
});

test('a guess whose note on the contact was lost with its process is noted by the next request', async () => {
  const contactId = await newContact();
  const { code, verificationId } = await sendCode(contactId);
  // The guess alone, as a process leaves it that dies right after it.
  expect((await post('/security-codes/verify', { verificationId, code })).body.valid).toBe(true);
  const { body } = await confirm(contactId, code);
  expect(body).toMatchObject({ status: 'already_used', contact: { phoneVerifiedAt: expect.any(String) } });
});

test('the code for a number that the contact no longer has verifies nothing, and another number is unverified', async () => {
  const contactId = await newContact();
  const { code } = await sendCode(contactId);
  await api.call('PATCH', `/api/v1/contacts/${contactId}`, {
    key,
    json: { organizationId: tenant.organizationId, phoneNumber: newNumber() },
  });
  const late = await confirm(contactId, code);
  expect({ status: late.status, code: late.body.code }).toEqual({ status: 409, code: 'invalid_state' });

  const { code: second } = await sendCode(contactId);
  expect((await confirm(contactId, second)).body.valid).toBe(true);
  const { body } = await api.call('PATCH', `/api/v1/contacts/${contactId}`, {
    key,
    json: { organizationId: tenant.organizationId, phoneNumber: newNumber() },
  });
  expect(body.phoneVerifiedAt).toBeNull();
});

test('a code for another purpose, to the same number, is none for the contact', async () => {
  const phoneNumber = newNumber();
  const contactId = await newContact(phoneNumber);
  await post('/security-codes/send', { to: phoneNumber });
  expect((await confirm(contactId, '123456')).status).toBe(409);
});

test.each([
  ['five digits', { code: '12345' }],
  ['letters', { code: '12345a' }],
  ['no code', {}],
  ['a number', { code: 123456 }],
])('%s are refused and count no guess', async (_what, body) => {
  const contactId = await newContact();
  const { code } = await sendCode(contactId);
  const answer = await post(`/contacts/${contactId}/verification/confirm`, body);
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: 'invalid_request' });
  expect((await confirm(contactId, wrong(code))).body.attemptsRemaining).toBe(4);
});

test('another organization’s contact is as unknown as none', async () => {
  const other = await createTenant(db.database, { sender: 'Other' });
  const otherKey = await other.createKey();
  const contactId = await newContact();
  for (const id of [contactId, '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11', 'x']) {
    for (const [step, body] of [
      ['request', {}],
      ['confirm', { code: '123456' }],
    ] as const) {
      const answer = await post(`/contacts/${id}/verification/${step}`, body, otherKey, other);
      expect({ id, step, status: answer.status, code: answer.body.code }).toEqual({
        ...{ id, step, status: 404, code: 'not_found' },
      });
    }
  }
});
