import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';

/** A sender that an organization asked for; messages may carry it once an administrator has approved it. */
export const SenderId = defineEntity({
  name: 'SenderId',
  tableName: 'sender_ids',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    value: p.string().columnType('text'),
    status: p.enum(['pending', 'approved', 'rejected'] as const),
    isDefault: p.boolean().default(false),
    useCase: p.string().columnType('text'),
    sampleMessage: p.string().columnType('text'),
    website: p.string().columnType('text').strictNullable(),
    reviewReason: p.string().columnType('text').strictNullable(),
    reviewedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
  uniques: [
    { name: 'sender_ids_value_unique', properties: ['organization', 'value'] },
    { name: 'sender_ids_default_unique', properties: ['organization'], where: 'is_default' },
  ],
});

export type SenderId = InferEntity<typeof SenderId>;
