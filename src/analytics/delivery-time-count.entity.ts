import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import { countKeyColumns } from './counted-columns.ts';

/** The number of messages of a slot (message-count.entity.ts) by their delivery time. */
export const DeliveryTimeCount = defineEntity({
  name: 'DeliveryTimeCount',
  tableName: 'delivery_time_counts',
  ...ofOrganizationId,
  properties: {
    ...countKeyColumns(),
    /** A bucket of delivery-time.ts. */
    bucket: p.smallint().primary(),
    messages: p.integer(),
  },
});
