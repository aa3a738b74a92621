import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { makeBatch, makeSetting } from '../helpers/bulk.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { approveNumber, giveMessage } from '../helpers/inbound.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

interface Caller {
  organizationId: string;
  post: (path: string, json: object) => Promise<Answer>;
  get: (path: string) => Promise<Answer>;
  key: string;
}

/** Each place that reads a number, and how the number comes out of it. */
const places: [string, (caller: Caller, number: string) => Promise<unknown>][] = [
  [
    'a message',
    async ({ post }, to) => (await post('/api/v1/messages', { to, text: 'Selam' })).body.to as unknown,
  ],
  [
    'an estimate of a message',
    async ({ post }, to) =>
      (await post('/api/v1/messages/estimate', { to, text: 'Selam' })).body.to as unknown,
  ],
  [
    'the filter of messages',
    async ({ post, get }, to) => {
      await post('/api/v1/messages', { to: '+251111234567', text: 'Selam' });
      const { body } = await get(`/api/v1/messages?to=${encodeURIComponent(to)}`);
      return body.data[0].to as unknown;
    },
  ],
  [
    'a schedule',
    async ({ post }, to) => {
      const startsAt = new Date(Date.now() + 3_600_000).toISOString();
      const json = { to, text: 'Selam', scheduleType: 'once', startsAt };
      return (await post('/api/v1/messages/schedule', json)).body.to as unknown;
    },
  ],
  [
    'a security code',
    async ({ post }, to) => (await post('/api/v1/security-codes/send', { to })).body.to as unknown,
  ],
  [
    'a contact',
    async ({ post, organizationId }, phoneNumber) =>
      (await post('/api/v1/contacts', { organizationId, phoneNumber })).body.phoneNumber as unknown,
  ],
  [
    'an import of contacts',
    async ({ post, get, organizationId }, number) => {
      await post('/api/v1/contacts/import', { organizationId, file: `phone\n${number}\n` });
      return (await get('/api/v1/contacts')).body.data[0].phoneNumber as unknown;
    },
  ],
  [
    'a bulk batch',
    async (caller, phoneNumber) => {
      const setting = await makeSetting(api, db, caller, 0);
      const { body } = await caller.post('/api/v1/contacts', {
        organizationId: caller.organizationId,
        phoneNumber,
      });
      await api.call('PUT', `/api/v1/contact-lists/${setting.contactListId}/members`, {
        key: caller.key,
        json: { organizationId: caller.organizationId, contactIds: [body.id] },
      });
      const { campaignId, contactListId } = setting;
      const estimate = await caller.post('/api/v1/bulk-sms/estimate', {
        campaignId,
        contactListId,
        text: 'Selam',
      });
      expect(estimate.body).toMatchObject({ messages: 1 });
      await makeBatch(api, setting, { text: 'Selam' });
      return (await caller.get('/api/v1/contacts')).body.data[0].phoneNumber as unknown;
    },
  ],
  [
    'a suppression',
    async ({ post }, phoneNumber) =>
      (await post('/api/v1/suppressions', { phoneNumber })).body.phoneNumber as unknown,
  ],
  [
    'the search of suppressions',
    async ({ post, get }, number) => {
      await post('/api/v1/suppressions', { phoneNumber: '+251111234567' });
      const { body } = await get(`/api/v1/suppressions?search=${encodeURIComponent(number)}`);
      return body.data[0].phoneNumber as unknown;
    },
  ],
  [
    'a message from a phone',
    async ({ organizationId }, from) => {
      await db.query('delete from sender_ids where value = ?', ['8080']);
      await approveNumber(db, organizationId, '8080');
      const { status } = await giveMessage(api, { from, to: '8080', text: 'Selam' });
      expect(status).toBe(200);
      const [{ sender }] = (await db.query(
        'select sender from inbound_messages order by id desc limit 1',
      )) as [{ sender: string }];
      return sender;
    },
  ],
  [
    'a request for a sender',
    async ({ post }, value) =>
      (
        await post('/api/v1/sender-ids', {
          value,
          useCase: 'Answers to customers.',
          sampleMessage: 'Selam',
        })
      ).body.value as unknown,
  ],
];

describe.each(places)('%s', (_place, readNumber) => {
  test.each(['+251111234567', '0111234567', '111234567'])(
    'takes a fixed line written %s',
    async (written) => {
      const tenant = await createTenant(db.database);
      const key = await tenant.createKey();
      const caller: Caller = {
        ...{ key, organizationId: tenant.organizationId },
        post: (path, json) => api.call('POST', path, { key, json }),
        get: (path) => api.call('GET', path, { key }),
      };
      expect(await readNumber(caller, written)).toBe('+251111234567');
    },
  );
});
