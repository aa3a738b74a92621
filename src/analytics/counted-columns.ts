import { p } from '@mikro-orm/core';
import { environments } from '../principal.ts';

/**
 * The columns that each table of deltas has before its dimensions. Created anew for each entity, because builders
 * cannot be shared.
 */
export const deltaColumns = () => ({
  id: p.bigint().primary().autoincrement(),
  organizationId: p.uuid(),
  environment: p.enum(environments),
  slot: p.datetime(3),
  sender: p.string().columnType('text'),
});

/** The key columns that the tables of counts have in common. */
export const countKeyColumns = () => ({
  organizationId: p.uuid().primary(),
  environment: p.enum(environments).primary(),
  slot: p.datetime(3).primary(),
  sender: p.string().columnType('text').primary(),
});

/** The number of messages in each status, and the segments of all of them. */
export const messageCounters = () => ({
  queued: p.integer(),
  accepted: p.integer(),
  sent: p.integer(),
  delivered: p.integer(),
  failed: p.integer(),
  cancelled: p.integer(),
  segments: p.integer(),
});
