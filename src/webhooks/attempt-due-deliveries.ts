import type { Dispatcher } from 'undici';
import type { DispatchProgress } from '../../workflows/contract.ts';
import { isDatabaseUnreachable, sqlOf, type Database } from '../database.ts';
import { recordProgress } from '../dispatches/dispatch-progress.ts';
import { createBatcher } from '../dispatches/natural-batching.ts';
import { processConcurrently, type WorkContext } from '../dispatches/process-concurrently.ts';
import type { Sealer } from '../messages/sealer.ts';
import { attemptDelivery, type DeliveryAnswer } from './attempt-delivery.ts';
import type { ClaimedDelivery } from './claim-due-deliveries.ts';
import { createSlotClaims } from './claim-deliveries-for-slots.ts';
import { recordAttempts, type AttemptOutcome } from './record-attempts.ts';
import type { RequestSlots } from './request-slots.ts';
import { nextAttempt, parseRetryAfter } from './retry-schedule.ts';

/** Outcomes that one statement writes at most. */
const outcomesAtOnce = 200;

/** After this long nothing new is begun: the activity's own time is ten minutes, and another goes on. */
const longestRunMs = 5 * 60_000;

/**
 * Makes the work of `deliverWebhooks`: attempts the deliveries of a dispatch that are due and for which there
 * are places, writes each outcome as it comes, and tells when the next attempt is due.
 */
export function createAttemptDueDeliveries(dependencies: {
  database: Database;
  agent: Dispatcher;
  /** Opens the secrets that sign. */
  secretSealer: Sealer;
  /** Those of the process: all its dispatches share them. */
  places: RequestSlots;
  now: () => Date;
}): (dispatchId: string, context: WorkContext) => Promise<DispatchProgress> {
  const { database, agent, secretSealer, places, now } = dependencies;
  const db = sqlOf(database);

  const record = createBatcher<AttemptOutcome, void>({
    maxItems: outcomesAtOnce,
    run: async (outcomes) => {
      await recordAttempts(db, outcomes);
      return outcomes.map(() => undefined);
    },
    // Outcomes that were written before it failed are written again, which changes nothing.
    isolateFailures: (error) => !isDatabaseUnreachable(error),
  });

  return async (dispatchId, context) => {
    const startedAtMs = performance.now();
    const stopping = (): boolean => context.stopping() || performance.now() - startedAtMs > longestRunMs;
    const claims = createSlotClaims({ db, places, dispatchId, now });
    do {
      await processConcurrently(
        { ...context, stopping },
        {
          // The places are the bound, and it is that of the process.
          concurrency: Number.POSITIVE_INFINITY,
          claim: claims.claim,
          lookAgainMs: claims.lookAgainMs,
          work: async (delivery) => {
            const secret = secretOf(delivery, secretSealer);
            const answer =
              secret === undefined ? unreadableSecret : await attemptDelivery(agent, { ...delivery, secret });
            try {
              await record(toOutcome(dispatchId, delivery, answer, now()));
            } finally {
              claims.ended(delivery.id, answer.durationMs);
            }
          },
        },
      );
      context.heartbeat();
    } while (!stopping() && (await claims.waitForPlace()));
    await claims.postponeRest();
    return recordProgress(db, 'webhooks', dispatchId, now());
  };
}

/** Nothing is sent without the signature that its receiver asks for. */
const unreadableSecret: DeliveryAnswer = {
  ...{ durationMs: 0, status: null, body: null, error: 'secret_unreadable', retryAfter: null },
};

/** What signs a delivery; null: nothing does; undefined: it was sealed under another pepper than this worker has. */
function secretOf(delivery: ClaimedDelivery, sealer: Sealer): string | null | undefined {
  const { organizationId, sealedSecret, clearSecret } = delivery;
  if (sealedSecret === null) return clearSecret;
  try {
    return sealer.unseal(organizationId, sealedSecret);
  } catch {
    return undefined;
  }
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
