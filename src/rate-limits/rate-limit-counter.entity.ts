import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * What a caller has used of its limit in the current minute: one row a caller, whichever processes it calls.
 * The table is unlogged: after a crash of the database everyone begins anew, which costs nobody anything.
 */
export const RateLimitCounter = defineEntity({
  name: 'RateLimitCounter',
  tableName: 'rate_limit_counters',
  properties: {
    subject: p.string().columnType('text').primary(),
    windowStart: p.datetime(3),
    used: p.integer(),
  },
});

export type RateLimitCounter = InferEntity<typeof RateLimitCounter>;
