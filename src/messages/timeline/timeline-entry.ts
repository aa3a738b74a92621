import { workflowIdOf } from '../../../workflows/contract.ts';
import type { Schemas } from '../../http/contract/contract-types.ts';

/** An entry of one of the kinds that the contract describes. */
type DescribedEntry = Schemas['MessageTimeline']['data'][number];

type TimelineKind = DescribedEntry['kind'];

/** An entry as it is stored: `details` contains the facts of its kind. */
export interface StoredEntry {
  /** In PostgreSQL's text format. */
  at: string;
  kind: TimelineKind;
  status: Schemas['ReachedStatus'];
  details: Record<string, unknown>;
}

/** One entry of a message's timeline. The contract defines the facts of each kind. */
export type TimelineEntry = Pick<DescribedEntry, 'at' | 'kind' | 'status'> & Record<string, unknown>;

/** The names of the facts that the contract defines for a kind. */
type FactOf<Kind extends TimelineKind, Entry = DescribedEntry> = Entry extends { kind: infer Kinds }
  ? Kind extends Kinds
    ? Exclude<keyof Entry, keyof DescribedEntry>
    : never
  : never;

/** The names of the facts that are shown, for each kind. Any other stored fact stays internal. */
const shownFacts: { [Kind in TimelineKind]: readonly FactOf<Kind>[] } = {
  queued: [],
  submission_attempted: ['attempt', 'possibleDuplicate'],
  submission_answered: ['attempt', 'outcome', 'errorCode', 'reason', 'httpStatus'],
  submission_doubtful: ['attempt', 'reason', 'httpStatus'],
  report_received: ['report', 'value', 'smscId', 'providerMessageId'],
  expired: ['errorCode'],
  redriven: ['messageId', 'redriveId'],
  redrive_of: ['messageId', 'redriveId'],
  suppressed: ['errorCode'],
  refused: ['errorCode'],
  cancelled: [],
  webhook_created: ['deliveryId', 'event', 'url', 'workflowId', 'deliveryStatus', 'nextAttemptAt'],
  webhook_attempted: [
    'deliveryId',
    'event',
    'url',
    'workflowId',
    'attempt',
    'durationMs',
    'responseStatus',
    'error',
  ],
};

/**
 * Returns the public form of one stored entry. Facts that were not recorded are null.
 *
 * @param started the workflows that were started; other workflow ids are not shown
 */
export function toTimelineEntry(
  { at, kind, status, details }: StoredEntry,
  started: ReadonlySet<string>,
): TimelineEntry {
  const { dispatchId, nextAttemptAt, detail } = details;
  const workflowId = typeof dispatchId === 'string' ? workflowIdOf('webhooks', dispatchId) : null;
  const facts: Record<string, unknown> = {
    // The reason for a refusal is a code too, although the outcome of a refusal calls it `detail`.
    reason: detail,
    ...details,
    workflowId: workflowId && started.has(workflowId) ? workflowId : null,
    nextAttemptAt: typeof nextAttemptAt === 'string' ? new Date(nextAttemptAt).toISOString() : null,
  };
  return {
    at: new Date(at).toISOString(),
    kind,
    status,
    ...Object.fromEntries(shownFacts[kind].map((name) => [name, facts[name] ?? null])),
  };
}
