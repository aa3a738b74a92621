import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import { deltaColumns } from './counted-columns.ts';

/** The changes that one statement made to the counts in `delivery_time_counts`, as in message-count-delta.entity.ts. */
export const DeliveryTimeDelta = defineEntity({
  name: 'DeliveryTimeDelta',
  tableName: 'delivery_time_deltas',
  ...ofOrganizationId,
  properties: {
    ...deltaColumns(),
    bucket: p.smallint(),
    messages: p.integer(),
  },
});
