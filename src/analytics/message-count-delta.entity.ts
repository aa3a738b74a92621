import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import { deltaColumns, messageCounters } from './counted-columns.ts';

/**
 * What one statement changed of the counts in `message_counts`: only ever appended by the triggers on `messages`,
 * so that no transaction waits for another, and moved over by `foldCounts`.
 */
export const MessageCountDelta = defineEntity({
  name: 'MessageCountDelta',
  tableName: 'message_count_deltas',
  ...ofOrganizationId,
  properties: {
    ...deltaColumns(),
    bulkBatchId: p.uuid(),
    errorCode: p.string().columnType('text'),
    ...messageCounters(),
  },
});
