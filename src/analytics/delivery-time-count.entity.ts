import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import { countKeyColumns } from './counted-columns.ts';

/** How many messages of a slot (message-count.entity.ts) took how long until they were delivered. */
export const DeliveryTimeCount = defineEntity({
  name: 'DeliveryTimeCount',
  tableName: 'delivery_time_counts',
  ...ofOrganizationId,
  properties: {
    ...countKeyColumns(),
    /** Of delivery-time.ts. */
    bucket: p.smallint().primary(),
    messages: p.integer(),
  },
});
