import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * A caller's uses in the current window, a minute or a day: one row per caller, whichever processes it calls. The table
 * is unlogged: after a crash of the database all counts start again from zero, which harms nobody.
 */
export const RateLimitCounter = defineEntity({
  name: 'RateLimitCounter',
  tableName: 'rate_limit_counters',
  properties: {
    subject: p.string().columnType('text').primary(),
    windowStart: p.datetime(3),
    /** The length of the window, which determines when the row can be deleted. */
    windowSeconds: p.integer(),
    used: p.integer(),
  },
});

export type RateLimitCounter = InferEntity<typeof RateLimitCounter>;
