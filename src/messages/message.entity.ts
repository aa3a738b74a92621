import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganizationAndEnvironment } from '../organizations/organization-scope.ts';
import { environments } from '../principal.ts';
import { messageStatuses } from './message-status.ts';

/**
 * One SMS to one recipient: the caller's request, where it stands, and what carries it on.
 *
 * `dueAt` is the moment at which the workflow that carries the message must next act on it: submit it
 * (queued) or give up waiting for its report (accepted, sent); null once it is final.
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
    /** The text to submit where `text` is masked, sealed; null once it was submitted, or need not be any more. */
    sealedText: p.blob().strictNullable(),
    encoding: p.enum(['gsm7', 'ucs2'] as const),
    segments: p.smallint(),
    status: p.enum(messageStatuses),
    providerMessageId: p.string().columnType('text').strictNullable(),
    errorCode: p.string().columnType('text').strictNullable(),
    errorMessage: p.string().columnType('text').strictNullable(),
    metadata: p.json<Record<string, unknown>>().columnType('json'),
    webhookUrl: p.string().columnType('text').strictNullable(),
    /** Signs its webhooks, sealed (sealer.ts) for its organization. */
    sealedWebhookSecret: p.blob().strictNullable(),
    /** A secret that an older version stored in clear; `startSecretSealing` seals it. */
    webhookSecret: p.string().columnType('text').strictNullable(),
    createdAt: p.datetime(3),
    acceptedAt: p.datetime(3).strictNullable(),
    sentAt: p.datetime(3).strictNullable(),
    deliveredAt: p.datetime(3).strictNullable(),
    failedAt: p.datetime(3).strictNullable(),
    /** Not to be submitted any more from this moment on. */
    validUntil: p.datetime(3),
    dispatchId: p.uuid().strictNullable(),
    dueAt: p.datetime(3).strictNullable(),
    attempts: p.smallint().default(0),
    /** An attempt was begun whose outcome has not been written: it runs, or its process died, or the answer was lost. */
    outcomeUnknown: p.boolean().default(false),
    /** The failed message that this one sends once more; a message is redriven once, ever. */
    redrivenFrom: () =>
      p.manyToOne(Message).fieldName('redriven_from').deleteRule('set null').strictNullable(),
    /** Its text is good for one sending, as that of a security code is, whose stored text is masked. */
    oneTimeText: p.boolean().default(false),
    /** Sent even to a number that has opted out: its recipient asked for this very message. */
    ignoresSuppression: p.boolean().default(false),
    /** The bulk batch that it is of. No foreign key: it would be checked for every message, and batches stay. */
    bulkBatchId: p.uuid().nullable(),
    /** The message from a phone that it answers, which is answered once. No foreign key: messages know nothing of it. */
    answersInboundId: p.uuid().nullable(),
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
      // All that a batch's ledger counts is in the index itself.
      name: 'messages_of_bulk_batch',
      expression: `create index messages_of_bulk_batch on messages (bulk_batch_id, status) include (organization_id, error_code, segments) where bulk_batch_id is not null`,
    },
    { name: 'messages_secret_in_clear', properties: ['id'], where: `webhook_secret is not null` },
    { name: 'messages_unclaimed', properties: ['id'], where: `dispatch_id is null and status = 'queued'` },
    // Walked by redrives, a page at a time; few messages fail, so both are small.
    { name: 'messages_failed', properties: ['createdAt', 'id'], where: `status = 'failed'` },
    {
      name: 'messages_failed_of_organization',
      properties: ['organization', 'createdAt', 'id'],
      where: `status = 'failed'`,
    },
    {
      name: 'messages_open',
      properties: ['dispatchId', 'dueAt'],
      where: `status in ('queued', 'accepted', 'sent')`,
    },
  ],
  // Whatever is done to messages, by any statement, is counted for analytics: docs/decisions/analytics.md.
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
