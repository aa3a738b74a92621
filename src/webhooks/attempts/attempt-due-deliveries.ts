import type { Dispatcher } from 'undici';
import type { DispatchProgress } from '../../../workflows/contract.ts';
import { isDatabaseUnreachable, sqlOf, type Database } from '../../database.ts';
import { recordProgress } from '../../dispatches/dispatch-progress.ts';
import { createBatcher, type Gathering } from '../../dispatches/natural-batching.ts';
import { processConcurrently, type WorkContext } from '../../dispatches/process-concurrently.ts';
import type { Sealer } from '../../messages/sealer.ts';
import { withTraceparents } from '../../messages/timeline/read-traceparents.ts';
import { attemptDelivery, type DeliveryAnswer } from './attempt-delivery.ts';
import type { ClaimedDelivery } from './claim-due-deliveries.ts';
import { createSlotClaims } from './claim-deliveries-for-slots.ts';
import { deliveryRows } from '../delivery-rows.ts';
import { recordAttempts, type AttemptOutcome } from './record-attempts.ts';
import type { RequestSlots } from './request-slots.ts';
import { nextAttempt, parseRetryAfter } from './retry-schedule.ts';
import { traceAttempt } from './trace-attempt.ts';

/** The maximum number of outcomes that one statement writes. */
const outcomesAtOnce = 200;

/** After this time no new attempt begins: the activity's timeout is ten minutes, and the next activity continues. */
const longestRunMs = 5 * 60_000;

/**
 * Creates the function that runs `deliverWebhooks`. It attempts the due deliveries of a dispatch for which there are
 * slots, writes each outcome when the attempt ends, and returns when the next attempt is due.
 */
export function createAttemptDueDeliveries(dependencies: {
  database: Database;
  webhookAgent: Dispatcher;
  /** Decrypts the secrets that sign requests. */
  secretSealer: Sealer;
  /** The request slots of the process, shared by all its dispatches. */
  webhookSlots: RequestSlots;
  outcomeGathering: Gathering;
  now: () => Date;
}): (dispatchId: string, context: WorkContext) => Promise<DispatchProgress> {
  const { database, webhookAgent, secretSealer, webhookSlots, outcomeGathering, now } = dependencies;
  const db = sqlOf(database);

  const record = createBatcher<AttemptOutcome, void>({
    maxItems: outcomesAtOnce,
    gathering: outcomeGathering,
    run: async (outcomes) => {
      await recordAttempts(db, outcomes);
      return outcomes.map(() => undefined);
    },
    // Outcomes that were written before the failure are written again, which changes nothing.
    isolateFailures: (error) => !isDatabaseUnreachable(error),
  });

  return async (dispatchId, context) => {
    const startedAtMs = performance.now();
    const stopping = (): boolean => context.stopping() || performance.now() - startedAtMs > longestRunMs;
    const claims = createSlotClaims({ db, slots: webhookSlots, dispatchId, now });
    do {
      await processConcurrently(
        { ...context, stopping },
        {
          // The slots of the process limit the concurrency.
          concurrency: Number.POSITIVE_INFINITY,
          claim: async () => withTraceparents(db, await claims.claim(), ({ messageId }) => messageId),
          lookAgainMs: claims.lookAgainMs,
          work: async (delivery) => {
            const secret = secretOf(delivery, secretSealer);
            const answer =
              secret === undefined
                ? unreadableSecret
                : await traceAttempt(delivery, (traceparent) =>
                    attemptDelivery(webhookAgent, { ...delivery, secret, traceparent }),
                  );
            claims.answered(delivery.id, answer.durationMs);
            await record(toOutcome(dispatchId, delivery, answer, now()));
            claims.recorded();
          },
        },
      );
      context.heartbeat();
    } while (!stopping() && (await claims.waitForSlot()));
    await claims.postponeRest();
    return recordProgress(db, deliveryRows, dispatchId, now());
  };
}

/** A delivery that requires a signature is not sent without one. */
const unreadableSecret: DeliveryAnswer = {
  durationMs: 0,
  status: null,
  body: null,
  error: 'secret_unreadable',
  retryAfter: null,
};

/**
 * Returns the secret that signs a delivery; null if it is not signed; undefined if the secret was sealed with a pepper
 * other than this worker's.
 */
function secretOf(delivery: ClaimedDelivery, sealer: Sealer): string | null | undefined {
  const { organizationId, sealedSecret } = delivery;
  if (sealedSecret === null) return null;
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
