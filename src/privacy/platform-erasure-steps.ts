import { eraseFromInbound } from './erasure-steps.ts';
import type { Step } from './scan-rows.ts';

/** A message that is being routed may become one of an organization, whose own erasure covers it. */
const wait: Step = (_db, { isBeingRouted }) =>
  Promise.resolve(isBeingRouted ? { waitingFor: 'inbound_messages' } : { changed: {}, cursor: null });

/**
 * What an administrator's erasure does: it erases a number from what belongs to no organization. That is the inbound
 * messages that were not routed to one.
 */
export const platformErasureSteps: readonly Step[] = [wait, eraseFromInbound];
