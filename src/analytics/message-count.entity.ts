import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import { countKeyColumns, messageCounters } from './counted-columns.ts';

/**
 * The number of messages by status. Together with the deltas that are not folded in yet, the counts are exactly what
 * counting the messages would give (docs/decisions/analytics.md).
 *
 * A slot is the quarter of an hour in which a message was created, given by its start: in every time zone, days begin
 * and end at the boundary of a slot. A key column without a value has a placeholder, because a primary key allows no
 * nulls.
 */
export const MessageCount = defineEntity({
  name: 'MessageCount',
  tableName: 'message_counts',
  ...ofOrganizationId,
  properties: {
    ...countKeyColumns(),
    /** The nil UUID (RFC 9562, 5.9) for messages without a batch. */
    bulkBatchId: p.uuid().primary(),
    /** Empty for messages without an error code. */
    errorCode: p.string().columnType('text').primary(),
    ...messageCounters(),
  },
});
