import type { Sql } from '../database.ts';
import {
  claimDeliveries,
  findDueDeliveries,
  postponeDeliveries,
  type ClaimedDelivery,
} from './claim-due-deliveries.ts';
import type { SlotHolder, RequestSlots } from './request-slots.ts';

/** How long what was found due is gone by, while there is some left of it. */
const foundForMs = 100;

/** How soon deliveries without a place ask again while others of their dispatch are under way. */
const placeAgainMs = 500;
/** How long it takes at most to notice what came due while others of its dispatch are under way. */
const dueAgainMs = 5_000;

/** How long an activity itself waits for a place: a fast host has one by then, and the workflow need not turn. */
const longestWaitMs = 1_500;
/** How often it looks. */
const waitStepMs = 25;

/** The claims of one activity on the deliveries of its dispatch: of those only for which there are places. */
export interface SlotClaims {
  /** Claims what is due and has got a place; each must be given to `ended`. */
  claim: () => Promise<ClaimedDelivery[]>;
  /**
   * Gives the place of a claimed delivery back. Its outcome is written by then, and the next event of its
   * message may have joined the dispatch.
   */
  ended: (id: string, durationMs: number) => void;
  /** How long to wait before the next claim when the last gave nothing. */
  lookAgainMs: () => number;
  /**
   * Waits for a place for what is due and has none, if its host is fast enough for that.
   *
   * @returns whether to claim again
   */
  waitForPlace: () => Promise<boolean>;
  /** Puts off what is due and has no place, so that nobody has to wait for it. */
  postponeRest: () => Promise<void>;
}

/**
 * Makes the claims of an activity. What is due is read first, then given places, then claimed: so no delivery
 * is claimed, and no attempt counted, that would have to wait.
 *
 * What was read serves until it is used up or 100 ms old: a host with eight places and two hundred deliveries
 * would have them all read again for each request that ends.
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
        // What another had claimed meanwhile needs no place.
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

/** The key of a host's places; URLs were checked when their messages were taken. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
