import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { sqlOf } from '../../src/database.ts';
import { claimRows } from '../../src/dispatches/claim-rows.ts';
import { updateStatuses } from '../../src/messages/update-statuses.ts';
import { sealSecrets } from '../../src/messages/seal-webhook-secrets.ts';
import { createSecretSealer } from '../../src/messages/sealer.ts';
import { createWebhookAgent } from '../../src/webhooks/attempt-delivery.ts';
import { createAttemptDueDeliveries } from '../../src/webhooks/attempt-due-deliveries.ts';
import { deliveryRows } from '../../src/webhooks/delivery-rows.ts';
import { createRequestSlots } from '../../src/webhooks/request-slots.ts';
import { securityCodePepper, startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { storeFailedMessages } from '../helpers/failed-messages.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from '../helpers/webhook-receiver.ts';

const secret = 'a-secret-of-the-tests';
const secretSealer = createSecretSealer(securityCodePepper);

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;
let receiver: WebhookReceiver;
let agent: Dispatcher;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
  receiver = await startWebhookReceiver();
  agent = createWebhookAgent(['127.0.0.1']);
});

afterAll(async () => {
  await agent.destroy();
  await receiver.stop();
  await api.stop();
  await db.drop();
});

const send = (webhook: object, headers: Record<string, string> = {}) =>
  api.call('POST', '/api/v1/messages', { key, headers, json: { to: '0911234567', text: 'Selam', webhook } });

/** What a message has of its secret. */
async function stored(id: string) {
  const [row] = await db.query<{ sealed: string | null; clear: string | null }>(
    `select encode(sealed_webhook_secret, 'base64') as sealed, webhook_secret as clear from messages where id = ?`,
    [id],
  );
  return row!;
}

/** Has the gateway accept a message, and the webhook that tells of it attempted by a worker with a pepper. */
async function deliver(messageId: string, pepper = securityCodePepper): Promise<void> {
  const { webhooks } = await updateStatuses(db.database, [
    {
      ...{ messageId, at: new Date(), transition: { kind: 'accepted_by_gateway' } },
      event: { kind: 'submission_answered', details: {} },
    },
  ]);
  const claimed = await claimRows(
    sqlOf(db.database),
    deliveryRows,
    webhooks.map(({ id }) => id),
  );
  const attemptDue = createAttemptDueDeliveries({
    ...{
      database: db.database,
      webhookAgent: agent,
      webhookSlots: createRequestSlots({ total: 8, perHost: 8 }),
    },
    ...{ secretSealer: createSecretSealer(pepper), now: () => new Date() },
  });
  await attemptDue(claimed!.dispatchId, { heartbeat: () => undefined, stopping: () => false });
}

/** A queued message as an older version stored it: with its secret in clear. */
async function storeInClear(): Promise<string> {
  const webhook = { url: receiver.baseUrl, secret };
  const [id] = await storeFailedMessages(db, tenant, { webhook, status: 'queued' });
  return id!;
}

test.each<[what: string, store: () => Promise<string>, isSealed: boolean]>([
  ['of a new message', async () => (await send({ url: receiver.baseUrl, secret })).body.id as string, true],
  ['that an older version stored in clear', storeInClear, false],
  [
    'that was sealed later',
    async () => {
      const id = await storeInClear();
      await sealSecrets(db.database, secretSealer);
      return id;
    },
    true,
  ],
])('a secret %s signs its webhooks', async (_what, store, isSealed) => {
  const id = await store();
  const { sealed, clear } = await stored(id);
  expect({ isSealed: sealed !== null, clear }).toEqual({ isSealed, clear: isSealed ? null : secret });
  await deliver(id);
  expect(receiver.receivedOf(id).map((webhook) => isSignedWith(secret, webhook))).toEqual([true]);
});

test('a webhook without a secret is sent unsigned', async () => {
  const { body } = await send({ url: receiver.baseUrl });
  expect(await stored(body.id)).toEqual({ sealed: null, clear: null });
  await deliver(body.id);
  expect(receiver.receivedOf(body.id)[0]!.headers['x-service-signature']).toBeUndefined();
});

test('a request that is repeated under its Idempotency-Key is answered the same, whatever its secret is sealed to', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const webhook = { url: receiver.baseUrl, secret };
  const [first, again] = [await send(webhook, headers), await send(webhook, headers)];
  expect(first.status).toBe(202);
  expect(again).toMatchObject({ status: 202, body: first.body });
  const other = await send({ ...webhook, secret: `${secret}-2` }, headers);
  expect(other.body.code).toBe('idempotency_key_reused');
});

test('a worker with another pepper sends nothing unsigned, and the attempt says why', async () => {
  const { body } = await send({ url: receiver.baseUrl, secret });
  await deliver(body.id, 'another-pepper-of-at-least-32-characters');
  expect(receiver.receivedOf(body.id)).toEqual([]);
  const { body: deliveries } = await api.call('GET', '/api/v1/webhook-deliveries', { key });
  const last = (deliveries.data as { messageId: string }[]).find(({ messageId }) => messageId === body.id);
  expect(last).toMatchObject({ status: 'retrying', lastAttempt: { error: { code: 'secret_unreadable' } } });
});

test('a sealed secret opens for its organization alone', () => {
  const sealed = secretSealer.seal(tenant.organizationId, secret);
  expect(secretSealer.unseal(tenant.organizationId, sealed)).toBe(secret);
  expect(() => secretSealer.unseal(randomUUID(), sealed)).toThrow('unable to authenticate data');
});

test('sealing goes in bounded steps, any number at once, and changes nothing that is sealed', async () => {
  const webhook = { url: receiver.baseUrl, secret };
  const ids = await storeFailedMessages(db, tenant, { webhook, count: 25 });
  const steps = await Promise.all([1, 2, 3].map(() => sealSecrets(db.database, secretSealer, 10)));
  expect(Math.max(...steps)).toBeLessThanOrEqual(10);
  while ((await sealSecrets(db.database, secretSealer, 10)) > 0);
  const first = await Promise.all(ids.map(stored));
  for (const { sealed, clear } of first) {
    expect(clear).toBeNull();
    expect(secretSealer.unseal(tenant.organizationId, sealed!)).toBe(secret);
  }
  expect(await sealSecrets(db.database, secretSealer)).toBe(0);
  expect(await Promise.all(ids.map(stored))).toEqual(first);
});
