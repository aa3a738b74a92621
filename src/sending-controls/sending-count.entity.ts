import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';

/**
 * How many live messages of an organization count in an hour or a day, for one of its caps. The row of a number has the
 * keyed hash of it, and is removed once its hour or day is over.
 */
export const SendingCount = defineEntity({
  name: 'SendingCount',
  tableName: 'sending_counts',
  ...ofOrganization,
  properties: {
    organization: () => p.manyToOne(Organization).deleteRule('cascade').primary(),
    /** What is counted: `scope` of a cap (sending-caps.ts). */
    scope: p.string().columnType('text').primary(),
    windowStart: p.datetime(3).primary(),
    windowEnd: p.datetime(3),
    used: p.integer(),
  },
  indexes: [{ name: 'sending_counts_ended', properties: ['windowEnd'] }],
});

export type SendingCount = InferEntity<typeof SendingCount>;
