import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../http/contract/contract-types.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { InboundKeyword } from './keywords/inbound-keyword.entity.ts';

export const inboundStatuses = [
  'received',
  'processing',
  'processed',
  'failed',
  'unmatched',
] as const satisfies Schemas['InboundMessage']['status'][];

export type InboundStatus = (typeof inboundStatuses)[number];

/** What a message matched: a keyword rule, or a word that ends or resumes sending. */
export const matchKinds = [
  'keyword',
  'stop',
  'start',
] as const satisfies Schemas['InboundMessage']['matched'][];

export type MatchKind = (typeof matchKinds)[number];

/**
 * A mobile-originated message. It has no organization until it is routed, and stays without one if no organization owns
 * the recipient number. Tenants cannot see these rows; administrators can.
 *
 * Its reply is the message whose `answersInboundId` is its id. There is at most one.
 */
export const InboundMessage = defineEntity({
  name: 'InboundMessage',
  tableName: 'inbound_messages',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade').strictNullable(),
    /** The phone: E.164, or as received if it is not a number. */
    sender: p.string().columnType('text'),
    /** The number that the phone texted: a short code, E.164, or as received. */
    recipient: p.string().columnType('text'),
    text: p.string().columnType('text'),
    smscId: p.string().columnType('text').strictNullable(),
    providerMessageId: p.string().columnType('text').strictNullable(),
    /** Identical for all repetitions of one callback: deduplication-key.ts. */
    deduplicationKey: p.blob(),
    status: p.enum(inboundStatuses),
    matched: p.enum(matchKinds).strictNullable(),
    keyword: () => p.manyToOne(InboundKeyword).deleteRule('set null').strictNullable(),
    /** The message that it most likely replies to. No foreign key: messages are independent of inbound messages. */
    inReplyToMessageId: p.uuid().strictNullable(),
    errorCode: p.string().columnType('text').strictNullable(),
    errorMessage: p.string().columnType('text').strictNullable(),
    /** When it was received. */
    createdAt: p.datetime(3),
    processedAt: p.datetime(3).strictNullable(),
    attempts: p.smallint().default(0),
    dispatchId: p.uuid().strictNullable(),
    /** When processing is due; during processing, when it counts as lost and is repeated. */
    dueAt: p.datetime(3).strictNullable(),
  },
  uniques: [{ name: 'inbound_messages_callback_unique', properties: ['deduplicationKey'] }],
  indexes: [
    { name: 'inbound_messages_list', properties: ['organization', 'id'] },
    { name: 'inbound_messages_list_by_status', properties: ['organization', 'status', 'id'] },
    { name: 'inbound_messages_conversation', properties: ['organization', 'sender', 'recipient', 'id'] },
    { name: 'inbound_messages_unrouted', properties: ['id'], where: 'organization_id is null' },
    {
      name: 'inbound_messages_unclaimed',
      properties: ['id'],
      where: `dispatch_id is null and status = 'received'`,
    },
    { name: 'inbound_messages_dispatch', properties: ['dispatchId', 'dueAt'] },
    // Deleting a rule looks for the messages that it replied to.
    { name: 'inbound_messages_keyword', properties: ['keyword'], where: 'keyword_id is not null' },
  ],
});

export type InboundMessage = InferEntity<typeof InboundMessage>;
