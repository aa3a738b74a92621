import type { Dispatcher } from 'undici';
import type { DispatchProgress } from '../../workflows/contract.ts';
import { sqlOf, type Database } from '../database.ts';
import { recordProgress } from '../dispatches/dispatch-progress.ts';
import { createBatcher } from '../dispatches/natural-batching.ts';
import { workWindow, type WorkContext } from '../dispatches/work-window.ts';
import { attemptDelivery, type DeliveryAnswer } from './attempt-delivery.ts';
import { claimDueDeliveries, type ClaimedDelivery } from './claim-due-deliveries.ts';
import { recordAttempts, type AttemptOutcome } from './record-attempts.ts';
import { nextAttempt, parseRetryAfter } from './retry-schedule.ts';

/** Outcomes that one statement writes at most. */
const outcomesAtOnce = 200;

/**
 * Makes the work of `deliverWebhooks`: attempts the deliveries of a dispatch that are due, writes each
 * outcome as it comes, and tells when the next attempt is due.
 */
export function createAttemptDueDeliveries(dependencies: {
  database: Database;
  agent: Dispatcher;
  /** Requests that one dispatch has under way. */
  concurrency: number;
  now: () => Date;
}): (dispatchId: string, context: WorkContext) => Promise<DispatchProgress> {
  const { database, agent, concurrency, now } = dependencies;
  const db = sqlOf(database);

  const record = createBatcher<AttemptOutcome, void>({
    maxItems: outcomesAtOnce,
    run: async (outcomes) => {
      await recordAttempts(db, outcomes);
      return outcomes.map(() => undefined);
    },
  });

  return async (dispatchId, context) => {
    await workWindow(context, {
      concurrency,
      claim: (limit) => claimDueDeliveries(db, { dispatchId, now: now(), limit }),
      work: async (delivery) => {
        const answer = await attemptDelivery(agent, delivery);
        await record(toOutcome(dispatchId, delivery, answer, now()));
      },
    });
    return recordProgress(db, 'webhooks', dispatchId, now());
  };
}

function toOutcome(
  dispatchId: string,
  delivery: ClaimedDelivery,
  answer: DeliveryAnswer,
  finishedAt: Date,
): AttemptOutcome {
  const nowMs = finishedAt.getTime();
  const next = nextAttempt({
    attemptsMade: delivery.attempt,
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
