import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { sqlOf } from '../../src/database.ts';
import { assignRows } from '../../src/dispatches/assign-rows.ts';
import { updateStatuses } from '../../src/messages/update-statuses.ts';
import { createSecretSealer } from '../../src/messages/sealer.ts';
import { createWebhookAgent } from '../../src/webhooks/attempts/attempt-delivery.ts';
import { createAttemptDueDeliveries } from '../../src/webhooks/attempts/attempt-due-deliveries.ts';
import { deliveryRows } from '../../src/webhooks/delivery-rows.ts';
import { createRequestSlots } from '../../src/webhooks/attempts/request-slots.ts';
import { securityCodePepper, startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from '../../bench/webhook-receiver.ts';

const secret = 'a-secret-of-the-tests';
const secretSealer = createSecretSealer({ pepper: securityCodePepper });

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

/** The stored secret of a message, sealed. */
async function sealedSecretOf(id: string): Promise<string | null> {
  const [row] = await db.query<{ sealed: string | null }>(
    `select encode(sealed_webhook_secret, 'base64') as sealed from messages where id = ?`,
    [id],
  );
  return row!.sealed;
}

/** Has the gateway accept a message, and the webhook that tells of it attempted by a worker with a pepper. */
async function deliver(messageId: string, pepper = securityCodePepper): Promise<void> {
  const { webhooks } = await updateStatuses(db.database, [
    {
      ...{ messageId, at: new Date(), transition: { kind: 'accepted_by_gateway' } },
      event: { kind: 'submission_answered', details: {} },
    },
  ]);
  const assigned = await assignRows(
    sqlOf(db.database),
    deliveryRows,
    webhooks.map(({ id }) => id),
  );
  const attemptDue = createAttemptDueDeliveries({
    outcomeGathering: { fromItems: 4, waitMs: 0 },
    ...{
      database: db.database,
      webhookAgent: agent,
      webhookSlots: createRequestSlots({ total: 8, perHost: 8 }),
    },
    ...{ secretSealer: createSecretSealer({ pepper }), now: () => new Date() },
  });
  await attemptDue(assigned!.dispatchId, { heartbeat: () => undefined, stopping: () => false });
}

test('a secret is stored sealed, and signs the webhooks of its message', async () => {
  const { body } = await send({ url: receiver.baseUrl, secret });
  const sealed = await sealedSecretOf(body.id);
  expect(Buffer.from(sealed!, 'base64').includes(secret)).toBe(false);
  expect(secretSealer.unseal(tenant.organizationId, sealed!)).toBe(secret);
  await deliver(body.id);
  expect(receiver.receivedOf(body.id).map((webhook) => isSignedWith(secret, webhook))).toEqual([true]);
});

test('a webhook without a secret is sent unsigned', async () => {
  const { body } = await send({ url: receiver.baseUrl });
  expect(await sealedSecretOf(body.id)).toBeNull();
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
