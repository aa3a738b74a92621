import { defineEntity, p } from '@mikro-orm/core';
import { Organization } from '../../organizations/organization.entity.ts';

/**
 * The live codes that an organization sent to a prefix in a minute, and how many of them were verified when the minute
 * was counted. The table has the minutes of the last hour. The tenants' role has no grant.
 */
export const SecurityCodeCount = defineEntity({
  name: 'SecurityCodeCount',
  tableName: 'security_code_counts',
  properties: {
    organization: () => p.manyToOne(Organization).primary().deleteRule('cascade'),
    prefix: p.string().columnType('text').primary(),
    minute: p.datetime(3).primary(),
    codes: p.integer(),
    verified: p.integer(),
  },
  indexes: [{ name: 'security_code_counts_minute', properties: ['minute'] }],
});
