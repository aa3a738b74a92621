import type { Dispatcher } from 'undici';
import type { DispatchProgress } from '../../workflows/contract.ts';
import { sqlOf, type Database } from '../database.ts';
import { recordProgress } from '../dispatches/dispatch-progress.ts';
import { createBatcher } from '../dispatches/natural-batching.ts';
import { workWindow, type WorkContext } from '../dispatches/work-window.ts';
import { attemptDelivery, type DeliveryAnswer } from './attempt-delivery.ts';
import {
  claimDeliveries,
  findDueDeliveries,
  postponeDeliveries,
  type ClaimedDelivery,
  type DueDelivery,
} from './claim-due-deliveries.ts';
import { recordAttempts, type AttemptOutcome } from './record-attempts.ts';
import type { PlaceHolder, RequestPlaces } from './request-places.ts';
import { nextAttempt, parseRetryAfter } from './retry-schedule.ts';

/** Outcomes that one statement writes at most. */
const outcomesAtOnce = 200;

/** After this long nothing new is begun: the activity's own time is ten minutes, and another goes on. */
const longestRunMs = 5 * 60_000;

/** How soon deliveries without a place ask again while others of their dispatch are under way. */
const placeAgainMs = 500;
/** How long it takes at most to notice what came due while others of its dispatch are under way. */
const dueAgainMs = 5_000;

/**
 * Makes the work of `deliverWebhooks`: attempts the deliveries of a dispatch that are due and for which there
 * are places, writes each outcome as it comes, and tells when the next attempt is due.
 */
export function createAttemptDueDeliveries(dependencies: {
  database: Database;
  agent: Dispatcher;
  /** Those of the process: all its dispatches share them. */
  places: RequestPlaces;
  now: () => Date;
}): (dispatchId: string, context: WorkContext) => Promise<DispatchProgress> {
  const { database, agent, places, now } = dependencies;
  const db = sqlOf(database);

  const record = createBatcher<AttemptOutcome, void>({
    maxItems: outcomesAtOnce,
    run: async (outcomes) => {
      await recordAttempts(db, outcomes);
      return outcomes.map(() => undefined);
    },
  });

  /** Claims what has got places, and gives the places back of what another had claimed meanwhile. */
  async function claim(dispatchId: string, placed: Map<string, PlaceHolder>): Promise<ClaimedDelivery[]> {
    if (placed.size === 0) return [];
    let claimed: ClaimedDelivery[] = [];
    try {
      claimed = await claimDeliveries(db, { dispatchId, ids: [...placed.keys()], now: now() });
      return claimed;
    } finally {
      const ids = new Set(claimed.map(({ id }) => id));
      for (const [id, holder] of placed) if (!ids.has(id)) places.release(holder, null);
    }
  }

  async function postpone(dispatchId: string, withoutPlace: DueDelivery[]): Promise<void> {
    const deliveries = [...Map.groupBy(withoutPlace, ({ url }) => originOf(url))].flatMap(
      ([origin, queued]) => {
        const dueAt = new Date(now().getTime() + places.queue(origin, queued.length));
        return queued.map(({ id }) => ({ id, dueAt }));
      },
    );
    await postponeDeliveries(db, { dispatchId, now: now(), deliveries });
  }

  return async (dispatchId, context) => {
    const startedAtMs = performance.now();
    const stopping = (): boolean => context.stopping() || performance.now() - startedAtMs > longestRunMs;
    const holders = new Map<string, PlaceHolder>();
    let withoutPlace: DueDelivery[] = [];
    let lookAgainMs = dueAgainMs;
    await workWindow(
      { ...context, stopping },
      {
        // The places are the bound, and it is that of the process.
        concurrency: Number.POSITIVE_INFINITY,
        claim: async () => {
          const { due, nextDueInMs } = await findDueDeliveries(db, { dispatchId, now: now() });
          const placed = new Map<string, PlaceHolder>();
          withoutPlace = [];
          for (const delivery of due) {
            const holder = { origin: originOf(delivery.url), organizationId: delivery.organizationId };
            if (places.take(holder)) placed.set(delivery.id, holder);
            else withoutPlace.push(delivery);
          }
          lookAgainMs =
            withoutPlace.length > 0 ? placeAgainMs : Math.min(nextDueInMs ?? dueAgainMs, dueAgainMs);
          const claimed = await claim(dispatchId, placed);
          for (const { id } of claimed) holders.set(id, placed.get(id)!);
          return claimed;
        },
        lookAgainMs: () => lookAgainMs,
        work: async (delivery) => {
          const answer = await attemptDelivery(agent, delivery);
          places.release(holders.get(delivery.id)!, answer.durationMs);
          await record(toOutcome(dispatchId, delivery, answer, now()));
        },
      },
    );
    if (withoutPlace.length > 0) await postpone(dispatchId, withoutPlace);
    return recordProgress(db, 'webhooks', dispatchId, now());
  };
}

/** The key of a host's places; URLs were checked when their messages were taken. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

function toOutcome(
  dispatchId: string,
  delivery: ClaimedDelivery,
  answer: DeliveryAnswer,
  finishedAt: Date,
): AttemptOutcome {
  const nowMs = finishedAt.getTime();
  const next = nextAttempt({
    attemptsMade: delivery.attempt - delivery.attemptsBefore,
    outcome: {
      status: answer.status ?? undefined,
      retryAfterSeconds: answer.retryAfter === null ? undefined : parseRetryAfter(answer.retryAfter, nowMs),
      error: answer.error ?? undefined,
    },
    random: Math.random,
    nowMs,
  });
  return {
    deliveryId: delivery.id,
    messageId: delivery.messageId,
    dispatchId,
    attempt: delivery.attempt,
    finishedAt,
    durationMs: answer.durationMs,
    responseStatus: answer.status,
    responseBody: answer.body,
    error: answer.error,
    status: next.kind === 'retry' ? 'retrying' : next.kind,
    dueAt: next.kind === 'retry' ? new Date(next.atMs) : null,
  };
}
