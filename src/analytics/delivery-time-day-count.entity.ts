import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import { countKeyColumns } from './counted-columns.ts';

/** The sums of `delivery_time_counts` of a rolled-up day (rolled-up-day.entity.ts), whose first slot is `slot`. */
export const DeliveryTimeDayCount = defineEntity({
  name: 'DeliveryTimeDayCount',
  tableName: 'delivery_time_day_counts',
  ...ofOrganizationId,
  properties: {
    ...countKeyColumns(),
    /** A bucket of delivery-time.ts. */
    bucket: p.smallint().primary(),
    messages: p.integer(),
  },
});
