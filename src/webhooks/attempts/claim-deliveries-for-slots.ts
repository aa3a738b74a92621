import type { Sql } from '../../database.ts';
import {
  claimDeliveries,
  findDueDeliveries,
  postponeDeliveries,
  type ClaimedDelivery,
} from './claim-due-deliveries.ts';
import type { SlotHolder, RequestSlots } from './request-slots.ts';

/** How long a list of due deliveries is used at least, while it has entries left and none of them gets a slot. */
const foundForMs = 100;

/** How soon deliveries without a slot are tried again while others of their dispatch are in progress. */
const retrySlotsMs = 500;
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
  /** Claims the due deliveries that got a slot. The caller must pass each of them to `answered`. */
  claim: () => Promise<ClaimedDelivery[]>;
  /** Releases the slot of a claimed delivery, as soon as its request has ended. */
  answered: (id: string, durationMs: number) => void;
  /** Call it after an outcome is written: the next event of the message may then belong to the dispatch. */
  recorded: () => void;
  /** How long to wait before the next claim if the last one returned nothing. */
  lookAgainMs: () => number;
  /**
   * Waits for a slot for the due deliveries that have none.
   *
   * @returns whether to claim, or wait, again: a slot is free, or a host is so fast that one will soon be
   */
  waitForSlot: () => Promise<boolean>;
  /** Postpones the due deliveries that have no slot, so that the activity can end. */
  postponeRest: () => Promise<void>;
}

/** A due delivery that waits for a slot. */
type WaitingDelivery = SlotHolder & { id: string };

/**
 * Creates the claims of an activity. Due deliveries are first read, then given slots, then claimed. So a delivery that
 * would have to wait is not claimed, and no attempt is counted for it.
 *
 * A list of due deliveries is used while any of them gets a slot. It is read again when it is empty, or when all others
 * wait for slots: the next events of messages may have joined the dispatch, for a host that has slots. It is not read
 * each time a request ends, because a dispatch has hundreds of deliveries.
 */
export function createSlotClaims(dependencies: {
  db: Sql;
  slots: RequestSlots;
  dispatchId: string;
  now: () => Date;
}): SlotClaims {
  const { db, slots, dispatchId, now } = dependencies;
  let due = new Map<string, WaitingDelivery[]>();
  let nextDueInMs: number | null = null;
  let foundAtMs = Number.NEGATIVE_INFINITY;
  let recordedSince = false;
  const held = new Map<string, SlotHolder>();

  async function find(): Promise<void> {
    recordedSince = false;
    const found = await findDueDeliveries(db, { dispatchId, now: now() });
    const waiting = found.due.map(({ id, organizationId, url }) => ({
      id,
      organizationId,
      origin: originOf(url),
    }));
    due = Map.groupBy(waiting, ({ origin }) => origin);
    nextDueInMs = found.nextDueInMs;
    foundAtMs = performance.now();
  }

  /** Returns whether the dispatch may have due deliveries that are not in the list. */
  function mayHaveMore(): boolean {
    const ageMs = performance.now() - foundAtMs;
    if (ageMs >= (nextDueInMs ?? dueAgainMs)) return true;
    return recordedSince && (due.size === 0 || ageMs > foundForMs);
  }

  /** Takes slots for due deliveries, and removes these from the list. */
  function takeSlots(): WaitingDelivery[] {
    const withSlot: WaitingDelivery[] = [];
    for (const [origin, waiting] of due) {
      if (!slots.isWorthClaiming(origin, waiting.length)) continue;
      const rest = waiting.filter((delivery) => {
        const hasSlot = slots.take(delivery);
        if (hasSlot) withSlot.push(delivery);
        return !hasSlot;
      });
      if (rest.length > 0) due.set(origin, rest);
      else due.delete(origin);
    }
    return withSlot;
  }

  return {
    claim: async () => {
      let withSlot = takeSlots();
      if (withSlot.length === 0 && mayHaveMore()) {
        await find();
        withSlot = takeSlots();
      }
      if (withSlot.length === 0) return [];
      let claimed: ClaimedDelivery[] = [];
      try {
        claimed = await claimDeliveries(db, { dispatchId, ids: withSlot.map(({ id }) => id), now: now() });
      } finally {
        // Deliveries that another worker has claimed meanwhile need no slot.
        const ids = new Set(claimed.map(({ id }) => id));
        for (const delivery of withSlot) {
          if (ids.has(delivery.id)) held.set(delivery.id, delivery);
          else slots.release(delivery, null);
        }
      }
      return claimed;
    },
    answered: (id, durationMs) => {
      slots.release(held.get(id)!, durationMs);
      held.delete(id);
    },
    recorded: () => {
      recordedSince = true;
    },
    lookAgainMs: () => (due.size > 0 ? retrySlotsMs : Math.min(nextDueInMs ?? dueAgainMs, dueAgainMs)),
    waitForSlot: async () => {
      const hasFreeSlot = (): boolean =>
        [...due].some(
          ([origin, waiting]) =>
            slots.isWorthClaiming(origin, waiting.length) &&
            waiting.some((delivery) => slots.hasFreeSlot(delivery)),
        );
      for (let waitedMs = 0; due.size > 0 && waitedMs < longestWaitMs; waitedMs += waitStepMs) {
        if (hasFreeSlot()) return true;
        await new Promise((resolve) => setTimeout(resolve, waitStepMs));
      }
      return hasFreeSlot() || [...due.keys()].some((origin) => slots.isFast(origin));
    },
    postponeRest: async () => {
      const deliveries = [...due].flatMap(([origin, waiting]) => {
        const dueAt = new Date(now().getTime() + slots.queue(origin, waiting.length));
        return waiting.map(({ id }) => ({ id, dueAt }));
      });
      if (deliveries.length > 0) await postponeDeliveries(db, { dispatchId, now: now(), deliveries });
    },
  };
}

/** The key of a host's slots. The URL was checked when the message was accepted. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
