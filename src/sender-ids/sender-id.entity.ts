import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';

export const senderIdStatuses = ['pending', 'approved', 'rejected'] as const;

export type SenderIdStatus = (typeof senderIdStatuses)[number];

/** A sender that an organization asked for; messages may carry it once an administrator has approved it. */
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
    /** Who asked for it last; null where no request was made. */
    requestedByKind: p.enum(['api_key', 'user'] as const).nullable(),
    requestedById: p.uuid().nullable(),
    createdAt: p.datetime(3),
  },
  uniques: [
    // By this one a message's sender is looked up, in the case in which it was approved.
    { name: 'sender_ids_value_unique', properties: ['organization', 'value'] },
    {
      // Of two cases of one value only one could ever be approved (below).
      name: 'sender_ids_any_case_unique',
      expression: `create unique index sender_ids_any_case_unique on sender_ids (organization_id, lower(value))`,
    },
    { name: 'sender_ids_default_unique', properties: ['organization'], where: 'is_default' },
    {
      // Of several organizations, whose approvals may come at the same moment, one has a value: carriers do not
      // tell apart upper and lower case. Short codes, which are digits only, may be shared.
      name: 'sender_ids_approved_unique',
      expression: `create unique index sender_ids_approved_unique on sender_ids (lower(value)) where status = 'approved' and value !~ '^[0-9]{3,8}$'`,
    },
  ],
  // What waits for a review, and no more: sending, which asks for what is approved, is not to be led astray.
  indexes: [
    { name: 'sender_ids_pending', properties: ['id'], where: `status = 'pending'` },
    // By this one the owners of a number are found that was texted.
    {
      name: 'sender_ids_approved_numbers',
      properties: ['value'],
      where: `status = 'approved' and value ~ '^[+]?[0-9]+$'`,
    },
  ],
});

export type SenderId = InferEntity<typeof SenderId>;
