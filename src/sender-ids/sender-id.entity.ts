import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../http/contract/contract-types.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';

export const senderIdStatuses = [
  'pending',
  'approved',
  'rejected',
] as const satisfies Schemas['SenderIdStatus'][];

export type SenderIdStatus = (typeof senderIdStatuses)[number];

/** A sender ID that an organization has requested. Messages may use it after an administrator has approved it. */
export const SenderId = defineEntity({
  name: 'SenderId',
  tableName: 'sender_ids',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    value: p.string().columnType('text'),
    status: p.enum(senderIdStatuses),
    isDefault: p.boolean().default(false),
    useCase: p.string().columnType('text'),
    sampleMessage: p.string().columnType('text'),
    website: p.string().columnType('text').strictNullable(),
    reviewReason: p.string().columnType('text').strictNullable(),
    reviewedAt: p.datetime(3).strictNullable(),
    /** Who last requested it; null if it was not requested. */
    requestedByKind: p.enum(['api_key', 'user'] as const).nullable(),
    requestedById: p.uuid().nullable(),
    createdAt: p.datetime(3),
  },
  uniques: [
    // Finds the sender of a message, in the letter case in which it was approved.
    { name: 'sender_ids_value_unique', properties: ['organization', 'value'] },
    {
      // Of two values that differ only in letter case, at most one could be approved (below).
      name: 'sender_ids_any_case_unique',
      expression: `create unique index sender_ids_any_case_unique on sender_ids (organization_id, lower(value))`,
    },
    { name: 'sender_ids_default_unique', properties: ['organization'], where: 'is_default' },
    {
      // Only one organization may have a value, even if several approvals happen at the same time. Carriers do not
      // distinguish upper and lower case. Short codes, which consist of digits only, may be shared.
      name: 'sender_ids_approved_unique',
      expression: `create unique index sender_ids_approved_unique on sender_ids (lower(value)) where status = 'approved' and value !~ '^[0-9]{3,8}$'`,
    },
  ],
  // Contains only pending rows, so the planner does not use it for sending, which reads approved rows.
  indexes: [
    { name: 'sender_ids_pending', properties: ['id'], where: `status = 'pending'` },
    // Finds the owners of the recipient number of an inbound message.
    {
      name: 'sender_ids_approved_numbers',
      properties: ['value'],
      where: `status = 'approved' and value ~ '^[+]?[0-9]+$'`,
    },
  ],
});

export type SenderId = InferEntity<typeof SenderId>;
