import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ofOrganization } from '../organizations/organization-scope.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { InboundKeyword } from './inbound-keyword.entity.ts';

export const inboundStatuses = ['received', 'processing', 'processed', 'failed', 'unmatched'] as const;

export type InboundStatus = (typeof inboundStatuses)[number];

/** What a message was taken for: the text of a rule, or a word that ends or begins sending. */
export const matchKinds = ['keyword', 'stop', 'start'] as const;

export type MatchKind = (typeof matchKinds)[number];

/**
 * A message from a phone. It has no organization until it was routed, and keeps none when nobody owns the number
 * that was texted: such a row is behind the tenants' wall for all of them, and seen by administrators.
 *
 * What answers it is the message whose `answersInboundId` names it: there is one at most.
 */
export const InboundMessage = defineEntity({
  name: 'InboundMessage',
  tableName: 'inbound_messages',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade').strictNullable(),
    /** The phone: E.164, or as it came where it is no number. */
    sender: p.string().columnType('text'),
    /** What was texted: a short code, E.164, or as it came. */
    recipient: p.string().columnType('text'),
    text: p.string().columnType('text'),
    smscId: p.string().columnType('text').strictNullable(),
    providerMessageId: p.string().columnType('text').strictNullable(),
    /** The same for each repetition of one callback: deduplication-key.ts. */
    deduplicationKey: p.blob(),
    status: p.enum(inboundStatuses),
    matched: p.enum(matchKinds).strictNullable(),
    keyword: () => p.manyToOne(InboundKeyword).deleteRule('set null').strictNullable(),
    /** The message that it seems to answer. No foreign key: messages know nothing of what is inbound. */
    inReplyToMessageId: p.uuid().strictNullable(),
    errorCode: p.string().columnType('text').strictNullable(),
    errorMessage: p.string().columnType('text').strictNullable(),
    /** When it was received. */
    createdAt: p.datetime(3),
    processedAt: p.datetime(3).strictNullable(),
    attempts: p.smallint().default(0),
    dispatchId: p.uuid().strictNullable(),
    /** When it is to be processed; while it is, when that is taken for lost and repeated. */
    dueAt: p.datetime(3).strictNullable(),
  },
  uniques: [{ name: 'inbound_messages_callback_unique', properties: ['deduplicationKey'] }],
  indexes: [
    { name: 'inbound_messages_list', properties: ['organization', 'id'] },
    { name: 'inbound_messages_list_by_status', properties: ['organization', 'status', 'id'] },
    { name: 'inbound_messages_unrouted', properties: ['id'], where: 'organization_id is null' },
    {
      name: 'inbound_messages_unclaimed',
      properties: ['id'],
      where: `dispatch_id is null and status = 'received'`,
    },
    { name: 'inbound_messages_dispatch', properties: ['dispatchId', 'dueAt'] },
    // Deleting a rule looks for what it answered.
    { name: 'inbound_messages_keyword', properties: ['keyword'], where: 'keyword_id is not null' },
  ],
});

export type InboundMessage = InferEntity<typeof InboundMessage>;
