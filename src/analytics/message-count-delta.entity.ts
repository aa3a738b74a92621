import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';

/**
 * What one statement changed of the counts in `message_counts`: only ever appended by the triggers on `messages`,
 * so that no transaction waits for another, and moved over by `foldCounts`.
 */
export const MessageCountDelta = defineEntity({
  name: 'MessageCountDelta',
  tableName: 'message_count_deltas',
  ...ofOrganizationId,
  properties: {
    id: p.bigint().primary().autoincrement(),
    organizationId: p.uuid(),
    environment: p.enum(['live', 'test'] as const),
    slot: p.datetime(3),
    sender: p.string().columnType('text'),
    bulkBatchId: p.uuid(),
    errorCode: p.string().columnType('text'),
    queued: p.integer(),
    accepted: p.integer(),
    sent: p.integer(),
    delivered: p.integer(),
    failed: p.integer(),
    cancelled: p.integer(),
    segments: p.integer(),
  },
});
