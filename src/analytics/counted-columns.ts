import { p } from '@mikro-orm/core';
import { environments } from '../principal.ts';

/** What each table of deltas has before what it counts by. Made anew for each entity, for builders are not shared. */
export const deltaColumns = () => ({
  id: p.bigint().primary().autoincrement(),
  organizationId: p.uuid(),
  environment: p.enum(environments),
  slot: p.datetime(3),
  sender: p.string().columnType('text'),
});

/** The part of their keys that the tables of counts have in common. */
export const countKeyColumns = () => ({
  organizationId: p.uuid().primary(),
  environment: p.enum(environments).primary(),
  slot: p.datetime(3).primary(),
  sender: p.string().columnType('text').primary(),
});

/** How many messages, by their status, and what all of them have in segments. */
export const messageCounters = () => ({
  queued: p.integer(),
  accepted: p.integer(),
  sent: p.integer(),
  delivered: p.integer(),
  failed: p.integer(),
  cancelled: p.integer(),
  segments: p.integer(),
});
