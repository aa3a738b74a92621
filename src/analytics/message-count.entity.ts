import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import { countKeyColumns, messageCounters } from './counted-columns.ts';

/**
 * How many messages stand where: together with the deltas that are not folded in yet, exactly what counting the
 * messages would give (docs/decisions/analytics.md).
 *
 * A slot is the quarter of an hour in which a message was created, by its first moment: the days of every time
 * zone begin and end with one. Where a key has nothing to say it says so, for a primary key has no nulls.
 */
export const MessageCount = defineEntity({
  name: 'MessageCount',
  tableName: 'message_counts',
  ...ofOrganizationId,
  properties: {
    ...countKeyColumns(),
    /** The nil UUID (RFC 9562, 5.9) for messages of no batch. */
    bulkBatchId: p.uuid().primary(),
    /** Empty for messages that have none. */
    errorCode: p.string().columnType('text').primary(),
    ...messageCounters(),
  },
});
