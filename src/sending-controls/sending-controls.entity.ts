import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../http/contract/contract-types.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';

/**
 * What an administrator has decided about the live messages of an organization, or of all of them: whether they wait,
 * where they may go, and how many there may be. The row without an organization is that of the platform; everybody may read it, because each
 * message is checked against it.
 */
export const SendingControls = defineEntity({
  name: 'SendingControls',
  tableName: 'sending_controls',
  ...ofOrganization,
  policies: [
    ...ofOrganization.policies,
    { name: 'of_platform', command: 'select', roles: ['sms_tenant'], using: 'organization_id is null' },
  ],
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade').strictNullable(),
    /** Since when live messages wait; null if they do not. */
    heldAt: p.datetime(3).strictNullable(),
    reason: p.string().columnType('text').strictNullable(),
    /** The beginnings of the numbers that may receive live messages, in E.164; null if this row does not limit them. */
    destinations: p.array().columnType('text[]').strictNullable(),
    /** The caps: how many live messages an organization may send. Null if this row does not limit them. */
    messagesPerHour: p.integer().strictNullable(),
    recipientMessagesPerHour: p.integer().strictNullable(),
    recipientMessagesPerDay: p.integer().strictNullable(),
    prefixCaps: p.json<Schemas['PrefixCap'][]>().columnType('jsonb').strictNullable(),
    /** On the platform: organizations younger than this may send only so many live messages a day. */
    newOrganizationDays: p.integer().strictNullable(),
    newOrganizationMessagesPerDay: p.integer().strictNullable(),
    /** Of an organization: the limit of new organizations does not apply to it. */
    newOrganizationLimitLifted: p.boolean().default(false),
    updatedAt: p.datetime(3),
  },
  indexes: [
    {
      // One row for each organization, and one for the platform.
      name: 'sending_controls_organization_unique',
      expression: `create unique index sending_controls_organization_unique on sending_controls (organization_id) nulls not distinct`,
    },
  ],
});

export type SendingControls = InferEntity<typeof SendingControls>;
