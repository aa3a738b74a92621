import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import { countKeyColumns, messageCounters } from './counted-columns.ts';

/** The sums of `message_counts` of a rolled-up day (rolled-up-day.entity.ts), whose first slot is `slot`. */
export const MessageDayCount = defineEntity({
  name: 'MessageDayCount',
  tableName: 'message_day_counts',
  ...ofOrganizationId,
  properties: {
    ...countKeyColumns(),
    bulkBatchId: p.uuid().primary(),
    errorCode: p.string().columnType('text').primary(),
    ...messageCounters(),
  },
});
