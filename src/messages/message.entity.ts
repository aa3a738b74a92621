import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganizationAndEnvironment } from '../organizations/organization-scope.ts';
import { environments } from '../principal.ts';
import { messageStatuses } from './message-status.ts';

/**
 * One SMS to one recipient: the caller's request, its current state, and the data that its workflow needs.
 *
 * `dueAt` is the time at which the workflow must next act on the message: submit it (queued) or stop waiting for its
 * report (accepted, sent). It is null once the message is final.
 */
export const Message = defineEntity({
  name: 'Message',
  tableName: 'messages',
  ...ofOrganizationAndEnvironment,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('restrict'),
    environment: p.enum(environments),
    sender: p.string().columnType('text'),
    recipient: p.string().columnType('text'),
    text: p.string().columnType('text'),
    /** The sealed text to submit when `text` is masked. Null once it was submitted or is no longer needed. */
    sealedText: p.blob().strictNullable(),
    encoding: p.enum(['gsm7', 'ucs2'] as const),
    segments: p.smallint(),
    status: p.enum(messageStatuses),
    providerMessageId: p.string().columnType('text').strictNullable(),
    errorCode: p.string().columnType('text').strictNullable(),
    errorMessage: p.string().columnType('text').strictNullable(),
    metadata: p.json<Record<string, unknown>>().columnType('json'),
    webhookUrl: p.string().columnType('text').strictNullable(),
    /** The secret that signs the webhooks of this message, sealed (sealer.ts) for its organization. */
    sealedWebhookSecret: p.blob().strictNullable(),
    createdAt: p.datetime(3),
    acceptedAt: p.datetime(3).strictNullable(),
    sentAt: p.datetime(3).strictNullable(),
    deliveredAt: p.datetime(3).strictNullable(),
    failedAt: p.datetime(3).strictNullable(),
    /** The message is not submitted at or after this time. */
    validUntil: p.datetime(3),
    dispatchId: p.uuid().strictNullable(),
    dueAt: p.datetime(3).strictNullable(),
    attempts: p.smallint().default(0),
    /**
     * An attempt was started and its outcome is not recorded: it is running, its process died, or the response was
     * lost.
     */
    outcomeUnknown: p.boolean().default(false),
    /** The failed message that this message resends. A message is redriven at most once. */
    redrivenFrom: () =>
      p.manyToOne(Message).fieldName('redriven_from').deleteRule('set null').strictNullable(),
    /** The text can be sent only once: it is that of a security code, and the stored text is masked. */
    oneTimeText: p.boolean().default(false),
    /** The message is sent even to a number that has opted out, because its recipient requested it. */
    ignoresSuppression: p.boolean().default(false),
    /**
     * The bulk batch of the message. No foreign key: it would be checked for every message, and batches are never
     * deleted.
     */
    bulkBatchId: p.uuid().nullable(),
    /**
     * The inbound message that this message replies to; it gets at most one reply. No foreign key: messages do not
     * depend on inbound.
     */
    answersInboundId: p.uuid().nullable(),
    /** True once the message is counted within the caps of its organization; null if there was no need to count it. */
    capCounted: p.boolean().nullable(),
  },
  uniques: [
    {
      name: 'messages_redriven_from_unique',
      properties: ['redrivenFrom'],
      where: 'redriven_from is not null',
    },
    {
      name: 'messages_answer_unique',
      properties: ['answersInboundId'],
      where: 'answers_inbound_id is not null',
    },
  ],
  indexes: [
    { name: 'messages_list', properties: ['organization', 'environment', 'id'] },
    { name: 'messages_list_by_status', properties: ['organization', 'environment', 'status', 'id'] },
    {
      name: 'messages_list_by_recipient',
      properties: ['organization', 'environment', 'recipient', 'status', 'id'],
    },
    {
      name: 'messages_list_by_sender',
      properties: ['organization', 'environment', 'sender', 'status', 'id'],
    },
    {
      // The index contains every column that the ledger of a batch counts.
      name: 'messages_of_bulk_batch',
      expression: `create index messages_of_bulk_batch on messages (bulk_batch_id, status) include (organization_id, error_code, segments) where bulk_batch_id is not null`,
    },
    { name: 'messages_unclaimed', properties: ['id'], where: `dispatch_id is null and status = 'queued'` },
    // Redrives read these indexes page by page. Few messages fail, so both indexes are small.
    { name: 'messages_failed', properties: ['createdAt', 'id'], where: `status = 'failed'` },
    {
      name: 'messages_failed_of_organization',
      properties: ['organization', 'createdAt', 'id'],
      where: `status = 'failed'`,
    },
    {
      name: 'messages_open',
      properties: ['dispatchId'],
      where: `status in ('queued', 'accepted', 'sent')`,
    },
  ],
  // Triggers count every change to messages, by any statement, for analytics: docs/decisions/analytics.md.
  triggers: [
    countTrigger('count_inserted', 'insert', 'new table as new_rows'),
    countTrigger('count_updated', 'update', 'old table as old_rows new table as new_rows'),
    countTrigger('count_deleted', 'delete', 'old table as old_rows'),
  ],
});

function countTrigger(name: string, event: 'insert' | 'update' | 'delete', rows: string) {
  const expression = `create trigger ${name} after ${event} on messages referencing ${rows} for each statement execute function count_messages()`;
  return { name, timing: 'after' as const, events: [event], forEach: 'statement' as const, expression };
}

export type Message = InferEntity<typeof Message>;
