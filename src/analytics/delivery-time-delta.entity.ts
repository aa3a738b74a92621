import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';

/** What one statement changed of the counts in `delivery_time_counts`, as in message-count-delta.entity.ts. */
export const DeliveryTimeDelta = defineEntity({
  name: 'DeliveryTimeDelta',
  tableName: 'delivery_time_deltas',
  ...ofOrganizationId,
  properties: {
    id: p.bigint().primary().autoincrement(),
    organizationId: p.uuid(),
    environment: p.enum(['live', 'test'] as const),
    slot: p.datetime(3),
    sender: p.string().columnType('text'),
    bucket: p.smallint(),
    messages: p.integer(),
  },
});
