import type { CallOptions } from './api.ts';
import { gatewayToken } from './api.ts';
import type { ExampleWorld } from './example-world.ts';
import { eventFor, tell } from './notifications.ts';
import { createOrganization } from './people.ts';
import { codeOf } from './sent-code.ts';

/** What takes the place of what only the service knows: ids in the path, and fields of the query and the body. */
export interface Prepared {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** The caller, if it is not the usual one of the operation. */
  caller?: CallOptions;
}

export type Preparations = Record<string, () => Promise<Prepared>>;

const farFuture = '2999-01-31T06:00:00Z';

/** Makes a new thing for each id in a path, by the name of the parameter. */
export function makersOfIds(world: ExampleWorld): Record<string, () => Promise<string>> {
  const { make, insert, owner, administrator, organizationId, newNumber } = world;
  let names = 0;
  const newName = () => `Name ${(names += 1)}`;
  const text = { to: '+251911234567', text: 'Selam' };
  return {
    messageId: () => make('/api/v1/messages', { ...text, to: newNumber() }),
    scheduleId: () =>
      make('/api/v1/messages/schedule', { ...text, scheduleType: 'once', startsAt: farFuture }),
    keyId: async () => {
      const json = { organizationId, name: 'k', environment: 'test', permissions: ['messages:send'] };
      return (await owner.call('POST', '/api/v1/api-keys', { json })).body.id as string;
    },
    deliveryId: async () =>
      insert(
        `insert into webhook_deliveries (id, organization_id, environment, message_id, event, position, url, body, status, created_at)
          select gen_random_uuid(), organization_id, environment, id, 'message.accepted', 1, 'https://example.com/', '{}', 'dead', now()
          from messages where id = ? returning id`,
        [await make('/api/v1/messages', { ...text, to: newNumber() })],
      ),
    contactId: () => make('/api/v1/contacts', { phoneNumber: newNumber() }),
    importId: () => make('/api/v1/contacts/import', { file: `phone\n${newNumber()}\n` }),
    listId: () => make('/api/v1/contact-lists', { name: newName() }),
    bulkSmsId: async () =>
      make('/api/v1/bulk-sms', { ...(await makeBulk(world)), text: 'Selam', scheduledAt: farFuture }),
    templateId: () => make('/api/v1/templates', { name: newName(), content: 'Selam' }),
    campaignId: () => make('/api/v1/campaigns', { name: newName() }),
    senderId: () =>
      make('/api/v1/sender-ids', {
        value: `S ${newNumber().slice(-6)}`,
        useCase: 'Tells where parcels are.',
        sampleMessage: 'Hello.',
      }),
    suppressionId: () => make('/api/v1/suppressions', { phoneNumber: newNumber() }),
    keywordId: () => make('/api/v1/inbound/keywords', { keyword: newName(), response: 'Selam' }),
    notificationId: async () => {
      await tell(world.db, [eventFor(owner, organizationId)]);
      const { body } = await owner.call('GET', '/api/v1/notifications/');
      return body.data[0].id as string;
    },
    // Another organization, so that the examples of others are not limited.
    organizationId: async () => (await createOrganization(owner)).organizationId,
    erasureId: async () => {
      const json = { organizationId, phoneNumber: newNumber() };
      return (await owner.call('POST', '/api/v1/privacy/erasures', { json })).body.id as string;
    },
    // Of another organization, so that the examples of others are not refused.
    ruleId: async () => {
      const rule = { kind: 'contains', values: ['you won'], reason: 'No lotteries.' };
      const json = { ...rule, organizationId: (await createOrganization(owner)).organizationId };
      return (await administrator.call('POST', '/api/v1/admin/content-rules', { json })).body.id as string;
    },
    alarmId: async () =>
      insert(
        `insert into security_code_alarms (id, organization_id, prefix, holds, codes, verified, raised_at, ends_at)
          values (gen_random_uuid(), ?, ?, false, 30, 0, now(), now() + interval '1 hour') returning id`,
        [organizationId, newNumber()],
      ),
    redriveId: async () => {
      const json = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' };
      return (await administrator.call('POST', '/api/v1/admin/messages/redrive', { json })).body.id as string;
    },
  };
}

/** A campaign, and a phonebook with one contact. */
async function makeBulk({ make, api, key, organizationId, newNumber }: ExampleWorld) {
  const contactListId = await make('/api/v1/contact-lists', { name: newNumber() });
  const contactId = await make('/api/v1/contacts', { phoneNumber: newNumber() });
  await api.call('PUT', `/api/v1/contact-lists/${contactListId}/members`, {
    key,
    json: { organizationId, contactIds: [contactId] },
  });
  return { campaignId: await make('/api/v1/campaigns', { name: 'November' }), contactListId };
}

/** What the examples below /api/v1 need beyond the ids in their paths. */
export function prepareExamplesOfMessages(world: ExampleWorld): Preparations {
  const { db, api, key, insert, organizationId, newNumber, administrator } = world;
  const makers = makersOfIds(world);
  const batchIn = (status: string) => async () => {
    const bulkSmsId = await makers['bulkSmsId']!();
    await db.query('update bulk_batches set status = ? where id = ?', [status, bulkSmsId]);
    return { path: { bulkSmsId } };
  };
  const failedInbound = async () => ({
    path: {
      messageId: await insert(
        `insert into inbound_messages (id, organization_id, sender, recipient, text, deduplication_key, status, created_at)
          values (gen_random_uuid(), ?, '+251911234567', '8080', 'x', ?, 'failed', now()) returning id`,
        [organizationId, newNumber()],
      ),
    },
  });
  const send = (path: string, json: object) => api.call('POST', path, { key, json });
  return {
    exportPerson: () => Promise.resolve({ query: { phoneNumber: '0911234567' } }),
    exportUnroutedPerson: () => Promise.resolve({ query: { phoneNumber: '0911234567' } }),
    getPlatformErasure: async () => {
      const json = { phoneNumber: newNumber() };
      const { body } = await administrator.call('POST', '/api/v1/admin/privacy/erasures', { json });
      return { path: { erasureId: body.id as string } };
    },
    getConsent: () => Promise.resolve({ query: { phoneNumber: '0911234567' } }),
    // The examples of new ones have taken these values.
    updateContact: () => Promise.resolve({ body: { phoneNumber: newNumber() } }),
    updateTemplate: () => Promise.resolve({ body: { name: 'Another name' } }),
    verifySecurityCode: async () => {
      const { body } = await send('/api/v1/security-codes/send', { to: newNumber() });
      return {
        body: { verificationId: body.verificationId, code: await codeOf(db, body.messageId as string) },
      };
    },
    confirmContactVerification: async () => {
      const contactId = await makers['contactId']!();
      const path = `/api/v1/contacts/${contactId}/verification/request`;
      const { body } = await send(path, { organizationId });
      return { path: { contactId }, body: { code: await codeOf(db, body.messageId as string) } };
    },
    replacePhonebookMembers: async () => ({ body: { contactIds: [await makers['contactId']!()] } }),
    addPhonebookMembers: async () => ({ body: { contactIds: [await makers['contactId']!()] } }),
    sendBulkSms: async () => ({ body: await makeBulk(world) }),
    estimateBulkSms: async () => ({ body: await makeBulk(world) }),
    pauseBulkSms: batchIn('processing'),
    resumeBulkSms: batchIn('paused'),
    changeBulkSmsRate: batchIn('processing'),
    resubmitSenderId: async () => {
      const senderId = await makers['senderId']!();
      await db.query(`update sender_ids set status = 'rejected', review_reason = 'x' where id = ?`, [
        senderId,
      ]);
      return { path: { senderId }, body: { value: 'ACME Post' } };
    },
    redriveInboundMessage: failedInbound,
    listInboundThread: failedInbound,
    receiveInboundMessage: async () => ({
      query: { token: gatewayToken, from: '+251911234567', to: '8080', text: 'INFO' },
    }),
    receiveDeliveryReport: async () => ({
      query: {
        ...{ token: gatewayToken, status: '1', providerMessageId: '1' },
        messageId: await makers['messageId']!(),
      },
    }),
  };
}
