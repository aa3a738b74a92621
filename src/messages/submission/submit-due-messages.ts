import { isDatabaseUnreachable, sqlOf, type Database } from '../../database.ts';
import { createBatcher, type Gathering } from '../../dispatches/natural-batching.ts';
import { isSharedDispatch } from '../../dispatches/is-shared-dispatch.ts';
import type { DispatchRow } from '../../dispatches/start-dispatches.ts';
import { processConcurrently, type WorkContext } from '../../dispatches/process-concurrently.ts';
import type { Gateway, SubmissionOutcome } from '../../gateway/kannel.ts';
import type { Environment } from '../../principal.ts';
import type { HashNumber } from '../../privacy/number-hash.ts';
import { toCancelled } from '../cancel-queued-messages.ts';
import { messageRows } from '../message-rows.ts';
import { updateStatuses, type StatusUpdate } from '../update-statuses.ts';
import {
  claimDueMessages,
  findUnsendableMessages,
  type ClaimedMessage,
  type UnsendableReason,
} from './claim-due-messages.ts';
import { admitCappedMessages } from './admit-capped-messages.ts';
import { postponeHeldMessages } from './postpone-held-messages.ts';
import type { Sealer } from '../sealer.ts';
import { withTraceparents } from '../timeline/read-traceparents.ts';
import { traceSubmission } from './trace-submission.ts';
import { nextSubmissionAt } from './submission-retry.ts';

/** The maximum number of outcomes that one transaction writes. */
const outcomesAtOnce = 200;

/**
 * Creates the function that does the work of `sendMessages`: it submits the messages of a dispatch that are due, and
 * writes each outcome as soon as it is known. If several workers submit messages of one dispatch, each message is
 * claimed by one of them.
 *
 * Live messages go to the operator's gateway, and messages of test keys to the simulator, in any dispatch.
 */
export function createSubmitDueMessages(dependencies: {
  database: Database;
  gateways: Record<Environment, Gateway>;
  sealer: Sealer;
  /** How long a submission in doubt waits for a report before it is repeated. */
  doubtSeconds: number;
  /** The maximum duration of an attempt. Until it has passed, a claim without an outcome is not a loss. */
  attemptSeconds: number;
  /** The number of concurrent submissions of one dispatch. */
  submissionConcurrency: number;
  startWebhooks: (row: DispatchRow) => void;
  outcomeGathering: Gathering;
  hashNumber: HashNumber;
  now: () => Date;
}): (dispatchId: string, context: WorkContext) => Promise<void> {
  const {
    database,
    gateways,
    sealer,
    doubtSeconds,
    attemptSeconds,
    submissionConcurrency,
    startWebhooks,
    outcomeGathering,
    hashNumber,
    now,
  } = dependencies;
  const db = sqlOf(database);

  const update = createBatcher<StatusUpdate, void>({
    maxItems: outcomesAtOnce,
    gathering: outcomeGathering,
    run: async (updates) => {
      const { webhooks } = await updateStatuses(database, updates);
      const started = await withTraceparents(db, webhooks, ({ messageId }) => messageId);
      started.forEach(startWebhooks);
      return updates.map(() => undefined);
    },
    isolateFailures: (error) => !isDatabaseUnreachable(error),
  });

  async function submit(message: ClaimedMessage): Promise<SubmissionOutcome> {
    const { id, organizationId, sender, recipient, encoding } = message;
    const text = textOf(message, sealer);
    if (text === null) return { outcome: 'unavailable', reason: 'sealed_text_unreadable' };
    const submission = { messageId: id, organizationId, from: sender, to: recipient, text, encoding };
    return gateways[message.environment].submit(submission);
  }

  return async (dispatchId, context) => {
    const [unsendable, isShared, cappedOrganizationIds] = await Promise.all([
      findUnsendableMessages(db, dispatchId, now()),
      isSharedDispatch(db, messageRows.kind, dispatchId),
      postponeHeldMessages(db, dispatchId, now()),
    ]);
    // A message whose state cannot be changed, for any reason, must not delay messages that can be sent.
    const ends = await Promise.allSettled(
      unsendable.map(({ id, reason }) => update(toEnd(id, reason, now()))),
    );
    if (cappedOrganizationIds.length > 0) {
      const waiting = { dispatchId, organizationIds: cappedOrganizationIds, now: now() };
      await admitCappedMessages(db, waiting, hashNumber);
    }
    await processConcurrently(context, {
      concurrency: submissionConcurrency,
      claim: async (limit) => {
        const claimSeconds = attemptSeconds + doubtSeconds;
        const claimed = await claimDueMessages(db, { dispatchId, isShared, now: now(), limit, claimSeconds });
        return withTraceparents(db, claimed, ({ id }) => id);
      },
      work: (message) => traceSubmission(message, () => submit(message)),
      record: (message, outcome) => update(toUpdate(message, outcome, now(), doubtSeconds)),
    });
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  };
}

/**
 * Returns the text to submit; null if it was sealed with a pepper other than this worker's. This is an error of the
 * worker, not of the message: another worker, or this one after it is corrected, may still send the message in time.
 */
function textOf({ id, text, sealedText }: ClaimedMessage, sealer: Sealer): string | null {
  if (sealedText === null) return text;
  try {
    return sealer.unseal(id, sealedText);
  } catch {
    return null;
  }
}

function toEnd(messageId: string, reason: UnsendableReason, at: Date): StatusUpdate {
  const details = { errorCode: reason };
  switch (reason) {
    case 'cancelled':
      return toCancelled(messageId, at);
    case 'recipient_opted_out':
      return { messageId, at, transition: { kind: 'suppressed' }, event: { kind: 'suppressed', details } };
    case 'destination_not_allowed':
      return {
        messageId,
        at,
        transition: { kind: 'destination_refused' },
        event: { kind: 'refused', details },
      };
    case 'content_refused':
      return {
        messageId,
        at,
        transition: { kind: 'content_refused' },
        event: { kind: 'refused', details },
      };
    case 'validity_expired':
    case 'dlr_timeout':
      return {
        messageId,
        at,
        transition: { kind: 'expired', errorCode: reason },
        event: { kind: 'expired', details },
      };
  }
}

function toUpdate(
  message: ClaimedMessage,
  outcome: SubmissionOutcome,
  at: Date,
  doubtSeconds: number,
): StatusUpdate {
  const { id: messageId, attempts: attempt, mayBeDuplicate: wasInDoubt } = message;
  const answered = { kind: 'submission_answered', details: { attempt, ...outcome } } as const;
  switch (outcome.outcome) {
    case 'accepted':
      return { messageId, at, transition: { kind: 'accepted_by_gateway' }, event: answered };
    case 'refused':
      return {
        messageId,
        at,
        transition: { kind: 'refused_by_gateway', errorCode: outcome.errorCode },
        event: answered,
      };
    case 'unavailable':
      return {
        messageId,
        at,
        transition: {
          ...{ kind: 'gateway_unavailable', attempt, wasInDoubt },
          retryAt: nextSubmissionAt(attempt, at),
        },
        event: answered,
      };
    case 'doubtful':
      return {
        messageId,
        at,
        transition: {
          kind: 'outcome_unknown',
          attempt,
          retryAt: new Date(at.getTime() + doubtSeconds * 1000),
        },
        event: { kind: 'submission_doubtful', details: { attempt, ...outcome } },
      };
  }
}
