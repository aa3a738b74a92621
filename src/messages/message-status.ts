import type { DeliveryReport } from '../gateway/delivery-report.ts';
import type { Schemas } from '../http/contract/contract-types.ts';

export const messageStatuses = [
  'queued',
  'accepted',
  'sent',
  'delivered',
  'failed',
  'cancelled',
] as const satisfies Schemas['MessageStatus'][];

export type MessageStatus = (typeof messageStatuses)[number];

/** How long to wait for a final report after the gateway accepted the message. */
export const reportDeadlineMs = 72 * 60 * 60 * 1000;

/** How long an ordinary message may wait for its submission. After that it fails and is never sent late. */
export const defaultValidityMs = 72 * 60 * 60 * 1000;

/** The fields of a message that the rules read and change. */
export interface MessageState {
  status: MessageStatus;
  acceptedAt: Date | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
  failedAt: Date | null;
  providerMessageId: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  dueAt: Date | null;
  /** How often the message was claimed for a submission. */
  attempts: number;
  /** Whether the last submission is in progress, or any submission is in doubt. */
  outcomeUnknown: boolean;
}

/** A fact about a message, from any source. */
export type MessageTransition =
  | { kind: 'accepted_by_gateway' }
  | { kind: 'refused_by_gateway'; errorCode: 'gateway_rejected' | 'not_routable' }
  /** This attempt certainly was not taken; `wasInDoubt` tells whether an earlier one may have been. */
  | { kind: 'gateway_unavailable'; attempt: number; retryAt: Date; wasInDoubt: boolean }
  /** The submission is in doubt: no response shows whether the gateway accepted the message. */
  | { kind: 'outcome_unknown'; attempt: number; retryAt: Date }
  | { kind: 'report'; report: DeliveryReport; providerMessageId: string | null }
  /** The message ends with the status `failed` and the webhook message.failed. */
  | { kind: 'expired'; errorCode: 'validity_expired' | 'dlr_timeout' }
  | { kind: 'suppressed' }
  /** The organization may not send to this number any more. */
  | { kind: 'destination_refused' }
  /** A rule refuses the text. */
  | { kind: 'content_refused' }
  | { kind: 'cancelled' };

/** Human-readable texts for the error codes of failed messages. */
export const messageErrors = {
  undelivered: 'The network could not deliver the message to the handset.',
  smsc_rejected: 'The carrier refused the message.',
  gateway_rejected: 'The SMS gateway refused the message.',
  not_routable: 'The SMS gateway has no route to this recipient.',
  dlr_timeout: 'No final delivery report arrived within 72 hours.',
  validity_expired: 'The message could not be submitted before its validity ended.',
  recipient_opted_out: 'The recipient opted out before the message was submitted.',
  destination_not_allowed: 'The organization may not send to this destination any more.',
  content_refused: 'A rule of the service refuses the text of the message.',
  duplicate_recipient: 'An earlier recipient of the bulk batch has the same number.',
  invalid_recipient: 'The recipient is not a number that can receive messages.',
  text_empty: 'The text is empty after the merge fields are filled in for this recipient.',
  text_too_long:
    'The text has more than 1,600 characters after the merge fields are filled in for this recipient.',
} as const;

export type MessageErrorCode = keyof typeof messageErrors;

export function isFinal(status: MessageStatus): boolean {
  return status === 'delivered' || status === 'failed' || status === 'cancelled';
}

/**
 * Returns the time at which a fact takes effect: when it was observed, but not before the last step of the message. A
 * report and the gateway's answer to the submission travel on different connections, so the answer may be observed
 * first and recorded last; without this rule a message would be accepted after it was sent.
 */
export function effectiveTime(
  { acceptedAt, sentAt }: Pick<MessageState, 'acceptedAt' | 'sentAt'>,
  observedAt: Date,
): Date {
  return [acceptedAt, sentAt].reduce<Date>(
    (latest, step) => (step !== null && step > latest ? step : latest),
    observedAt,
  );
}

/**
 * Applies one fact to a message. The status never moves backwards, a final status never changes,
 * and a fact that skips steps also applies the skipped steps.
 *
 * @returns the states that the message passes through, in order: one for each status it newly reaches. An empty list
 *   with a changed `state` means that the status stayed the same and other fields changed (a retry was delayed).
 */
export function applyTransition(
  state: MessageState,
  transition: MessageTransition,
  at: Date,
): { state: MessageState; steps: MessageState[] } {
  if (isFinal(state.status)) return { state, steps: [] };
  switch (transition.kind) {
    case 'accepted_by_gateway':
      return walk(state, ['accepted'], at);
    case 'refused_by_gateway':
      // A report may have shown meanwhile that the gateway accepted an earlier attempt. Then the refusal concerns a
      // repetition.
      return state.status === 'queued' ? fail(state, [], transition.errorCode, at) : { state, steps: [] };
    case 'gateway_unavailable':
      if (!isCurrentAttempt(state, transition)) return { state, steps: [] };
      return {
        state: { ...state, dueAt: transition.retryAt, outcomeUnknown: transition.wasInDoubt },
        steps: [],
      };
    case 'outcome_unknown':
      if (!isCurrentAttempt(state, transition)) return { state, steps: [] };
      return { state: { ...state, dueAt: transition.retryAt, outcomeUnknown: true }, steps: [] };
    case 'report':
      return applyReport(
        { ...state, providerMessageId: state.providerMessageId ?? transition.providerMessageId },
        transition.report,
        at,
      );
    case 'expired':
      return (transition.errorCode === 'validity_expired') === (state.status === 'queued')
        ? fail(state, [], transition.errorCode, at)
        : { state, steps: [] };
    case 'suppressed':
      return state.status === 'queued' ? fail(state, [], 'recipient_opted_out', at) : { state, steps: [] };
    case 'destination_refused':
      return state.status === 'queued'
        ? fail(state, [], 'destination_not_allowed', at)
        : { state, steps: [] };
    case 'content_refused':
      return state.status === 'queued' ? fail(state, [], 'content_refused', at) : { state, steps: [] };
    case 'cancelled': {
      // A message that may have been submitted is not cancelled: it could be delivered although it is reported as
      // cancelled.
      if (state.status !== 'queued' || state.outcomeUnknown) return { state, steps: [] };
      const cancelled: MessageState = { ...state, status: 'cancelled', dueAt: null };
      return { state: cancelled, steps: [cancelled] };
    }
  }
}

/**
 * Whether the message still waits for the outcome of this attempt. A worker that stood still for longer than its claim
 * learns the outcome after another worker has claimed the message: the outcome must neither end the doubt of that later
 * attempt nor make the message due while the attempt is in progress.
 */
function isCurrentAttempt(state: MessageState, { attempt }: { attempt: number }): boolean {
  return state.status === 'queued' && state.attempts === attempt;
}

function applyReport(state: MessageState, report: DeliveryReport, at: Date) {
  switch (report) {
    case 'delivered':
      return walk(state, ['accepted', 'sent', 'delivered'], at);
    case 'smsc_accepted':
    case 'buffered':
      return walk(state, ['accepted', 'sent'], at);
    case 'undelivered':
      // Only an SMSC that had the message can report that the handset did not receive it.
      return fail(state, ['accepted', 'sent'], 'undelivered', at);
    case 'smsc_rejected':
      return fail(state, ['accepted'], 'smsc_rejected', at);
    default:
      return { state, steps: [] };
  }
}

const rank = { queued: 0, accepted: 1, sent: 2, delivered: 3, failed: 3, cancelled: 3 } as const;

/** Moves the message through those of the given statuses that are ahead of its current one. */
function walk(state: MessageState, path: ('accepted' | 'sent' | 'delivered')[], at: Date) {
  let current = state;
  const steps: MessageState[] = [];
  for (const status of path) {
    if (rank[status] <= rank[current.status]) continue;
    current = {
      ...current,
      status,
      [`${status}At`]: at,
      outcomeUnknown: false,
      dueAt: dueAfter(status, current, at),
    };
    steps.push(current);
  }
  return { state: current, steps };
}

/** The deadline for the report starts when the gateway is known to have the message, and is set only once. */
function dueAfter(status: 'accepted' | 'sent' | 'delivered', state: MessageState, at: Date): Date | null {
  if (status === 'delivered') return null;
  return state.status === 'queued' ? new Date(at.getTime() + reportDeadlineMs) : state.dueAt;
}

function fail(
  state: MessageState,
  path: ('accepted' | 'sent')[],
  errorCode: MessageErrorCode,
  at: Date,
): { state: MessageState; steps: MessageState[] } {
  const before = walk(state, path, at);
  const failed: MessageState = {
    ...before.state,
    status: 'failed',
    failedAt: at,
    errorCode,
    errorMessage: messageErrors[errorCode],
    outcomeUnknown: false,
    dueAt: null,
  };
  return { state: failed, steps: [...before.steps, failed] };
}
