import { defineEntity, p } from '@mikro-orm/core';

/**
 * The time from which a platform, sender or batch with a rate limit may send again. The table is unlogged: after a
 * crash of the database all limits start anew, which costs a burst of one chunk each.
 */
export const SendingRate = defineEntity({
  name: 'SendingRate',
  tableName: 'sending_rates',
  properties: {
    subject: p.string().columnType('text').primary(),
    freeAt: p.datetime(6),
  },
});
