import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * What a caller has used of its limit in the current window, a minute or a day: one row a caller, whichever processes it calls.
 * The table is unlogged: after a crash of the database everyone begins anew, which costs nobody anything.
 */
export const RateLimitCounter = defineEntity({
  name: 'RateLimitCounter',
  tableName: 'rate_limit_counters',
  properties: {
    subject: p.string().columnType('text').primary(),
    windowStart: p.datetime(3),
    /** How long the window is, so that it is known when the row is of no more use. */
    windowSeconds: p.integer().default(60),
    used: p.integer(),
  },
});

export type RateLimitCounter = InferEntity<typeof RateLimitCounter>;
