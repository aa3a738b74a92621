import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';

/** How many messages of a slot (message-count.entity.ts) took how long until they were delivered. */
export const DeliveryTimeCount = defineEntity({
  name: 'DeliveryTimeCount',
  tableName: 'delivery_time_counts',
  ...ofOrganizationId,
  properties: {
    organizationId: p.uuid().primary(),
    environment: p.enum(['live', 'test'] as const).primary(),
    slot: p.datetime(3).primary(),
    sender: p.string().columnType('text').primary(),
    /** Of delivery-time.ts. */
    bucket: p.smallint().primary(),
    messages: p.integer(),
  },
});
