import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';

export const suppressionSources = ['operator', 'recipient'] as const;

export type SuppressionSource = (typeof suppressionSources)[number];

/**
 * A number that the organization is not to write to, neither live nor in test: it does not want it. What an operator
 * has entered and what a recipient has asked for are two rows, and each ends by whoever made it.
 */
export const Suppression = defineEntity({
  name: 'Suppression',
  tableName: 'suppressions',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    /** E.164, as messages have it. */
    phoneNumber: p.string().columnType('text'),
    reason: p.string().columnType('text').strictNullable(),
    /** Who put it on the list: the organization, or the recipient by a message with STOP. */
    source: p.enum(suppressionSources).default('operator'),
    /** The first message with STOP. */
    inboundMessageId: p.uuid().nullable(),
    /** The organization's numbers and codes to which STOP was sent. */
    stoppedNumbers: p.array().columnType('text[]').default([]),
    createdAt: p.datetime(3),
  },
  uniques: [{ name: 'suppressions_number_unique', properties: ['organization', 'phoneNumber', 'source'] }],
  indexes: [{ name: 'suppressions_list', properties: ['organization', 'id'] }],
});

export type Suppression = InferEntity<typeof Suppression>;
