import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';
import { campaignStatuses } from './campaign-status.ts';

/** The purpose of bulk SMS, and the sender that they are sent from. */
export const Campaign = defineEntity({
  name: 'Campaign',
  tableName: 'campaigns',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    name: p.string().columnType('text'),
    description: p.string().columnType('text').strictNullable(),
    /** An approved sender, exactly as it was approved; null means the organization's default sender. */
    sender: p.string().columnType('text').strictNullable(),
    status: p.enum(campaignStatuses),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  indexes: [{ name: 'campaigns_list', properties: ['organization', 'id'] }],
});

export type Campaign = InferEntity<typeof Campaign>;
