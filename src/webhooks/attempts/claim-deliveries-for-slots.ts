import type { Sql } from '../../database.ts';
import {
  claimDeliveries,
  findDueDeliveries,
  postponeDeliveries,
  type ClaimedDelivery,
} from './claim-due-deliveries.ts';
import type { SlotHolder, RequestSlots } from './request-slots.ts';

/** How long a list of due deliveries is used, while it has entries left. */
const foundForMs = 100;

/** How soon deliveries without a slot are tried again while others of their dispatch are in progress. */
const placeAgainMs = 500;
/** The longest time until a newly due delivery is noticed while others of its dispatch are in progress. */
const dueAgainMs = 5_000;

/**
 * How long the activity itself waits for a slot. A fast host has a free slot by then, which saves a round through the
 * workflow.
 */
const longestWaitMs = 1_500;
/** How often it checks. */
const waitStepMs = 25;

/** The claims of one activity on the deliveries of its dispatch. It claims only deliveries that have a slot. */
export interface SlotClaims {
  /** Claims the due deliveries that got a slot. The caller must pass each of them to `ended`. */
  claim: () => Promise<ClaimedDelivery[]>;
  /**
   * Releases the slot of a claimed delivery. Call it after the outcome is written: the next event of the message may
   * then belong to the dispatch.
   */
  ended: (id: string, durationMs: number) => void;
  /** How long to wait before the next claim if the last one returned nothing. */
  lookAgainMs: () => number;
  /**
   * Waits for a slot for the due deliveries that have none, if their host is fast enough.
   *
   * @returns whether to claim again
   */
  waitForPlace: () => Promise<boolean>;
  /** Postpones the due deliveries that have no slot, so that the activity can end. */
  postponeRest: () => Promise<void>;
}

/**
 * Creates the claims of an activity. Due deliveries are first read, then given slots, then claimed. So a delivery that
 * would have to wait is not claimed, and no attempt is counted for it.
 *
 * A list of due deliveries is used until it is empty or 100 ms old. Otherwise, for a host with eight slots and two
 * hundred deliveries, all deliveries would be read again each time a request ends.
 */
export function createSlotClaims(dependencies: {
  db: Sql;
  places: RequestSlots;
  dispatchId: string;
  now: () => Date;
}): SlotClaims {
  const { db, places, dispatchId, now } = dependencies;
  let due = new Map<string, SlotHolder>();
  let nextDueInMs: number | null = null;
  let foundAtMs = Number.NEGATIVE_INFINITY;
  let endedSince = false;
  const held = new Map<string, SlotHolder>();

  async function find(): Promise<void> {
    endedSince = false;
    const found = await findDueDeliveries(db, { dispatchId, now: now() });
    due = new Map(
      found.due.map(({ id, organizationId, url }) => [id, { origin: originOf(url), organizationId }]),
    );
    nextDueInMs = found.nextDueInMs;
    foundAtMs = performance.now();
  }

  return {
    claim: async () => {
      const usedUp = due.size === 0 && endedSince;
      if (usedUp || performance.now() - foundAtMs > foundForMs) await find();
      const placed = [...due].filter(([, holder]) => places.take(holder));
      if (placed.length === 0) return [];
      placed.forEach(([id]) => due.delete(id));
      let claimed: ClaimedDelivery[] = [];
      try {
        claimed = await claimDeliveries(db, { dispatchId, ids: placed.map(([id]) => id), now: now() });
      } finally {
        // Deliveries that another worker has claimed meanwhile need no slot.
        const ids = new Set(claimed.map(({ id }) => id));
        for (const [id, holder] of placed) {
          if (ids.has(id)) held.set(id, holder);
          else places.release(holder, null);
        }
      }
      return claimed;
    },
    ended: (id, durationMs) => {
      places.release(held.get(id)!, durationMs);
      held.delete(id);
      endedSince = true;
    },
    lookAgainMs: () => (due.size > 0 ? placeAgainMs : Math.min(nextDueInMs ?? dueAgainMs, dueAgainMs)),
    waitForPlace: async () => {
      const hasPlace = (): boolean => [...due.values()].some((holder) => places.hasRoom(holder));
      for (let waitedMs = 0; due.size > 0 && waitedMs < longestWaitMs; waitedMs += waitStepMs) {
        if (hasPlace()) return true;
        await new Promise((resolve) => setTimeout(resolve, waitStepMs));
      }
      return due.size > 0 && hasPlace();
    },
    postponeRest: async () => {
      const byOrigin = Map.groupBy(due, ([, { origin }]) => origin);
      const deliveries = [...byOrigin].flatMap(([origin, waiting]) => {
        const dueAt = new Date(now().getTime() + places.queue(origin, waiting.length));
        return waiting.map(([id]) => ({ id, dueAt }));
      });
      if (deliveries.length > 0) await postponeDeliveries(db, { dispatchId, now: now(), deliveries });
    },
  };
}

/** The key of a host's slots. The URL was checked when the message was accepted. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
