import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';

/**
 * What an administrator has decided about the live messages of an organization, or of all of them: whether they wait,
 * and where they may go. The row without an organization is that of the platform; everybody may read it, because each
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
