import { defineEntity, p } from '@mikro-orm/core';

/**
 * From when on a platform, sender or batch that is held to a rate may send again. The table is unlogged: after
 * a crash of the database all begin anew, which costs a burst of one chunk each.
 */
export const SendingRate = defineEntity({
  name: 'SendingRate',
  tableName: 'sending_rates',
  properties: {
    subject: p.string().columnType('text').primary(),
    freeAt: p.datetime(6),
  },
});
