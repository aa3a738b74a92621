import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../http/contract/contract-types.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';

export const suppressionSources = [
  'operator',
  'recipient',
] as const satisfies Schemas['Suppression']['source'][];

export type SuppressionSource = (typeof suppressionSources)[number];

/**
 * A number that the organization must not send messages to, neither live nor in test, because its owner does not want
 * them. An operator's entry and a recipient's opt-out are separate rows, and each is removed by the party that
 * created it.
 */
export const Suppression = defineEntity({
  name: 'Suppression',
  tableName: 'suppressions',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    /** E.164, as in messages. */
    phoneNumber: p.string().columnType('text'),
    reason: p.string().columnType('text').strictNullable(),
    /** Who put the number on the list: the organization, or the recipient with a STOP message. */
    source: p.enum(suppressionSources).default('operator'),
    /** The first STOP message. */
    inboundMessageId: p.uuid().nullable(),
    /** The organization's numbers and codes that received STOP. */
    stoppedNumbers: p.array().columnType('text[]').default([]),
    createdAt: p.datetime(3),
  },
  uniques: [{ name: 'suppressions_number_unique', properties: ['organization', 'phoneNumber', 'source'] }],
  indexes: [{ name: 'suppressions_list', properties: ['organization', 'id'] }],
});

export type Suppression = InferEntity<typeof Suppression>;
