import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import { deltaColumns, messageCounters } from './counted-columns.ts';

/**
 * The changes that one statement made to the counts in `message_counts`. Rows are only appended, by the triggers on
 * `messages`, so that no transaction waits for another; `foldCounts` moves them to the counts.
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
