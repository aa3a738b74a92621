import {
  afterCrash,
  afterReport,
  afterWork,
  statusOf,
  type Phase,
  type ReportValue,
} from './message-model.ts';
import type { Model } from './linearize.ts';
import { outcomeFor } from './scripted-gateway.ts';

export type BatchStatus =
  'pending' | 'scheduled' | 'processing' | 'paused' | 'completed' | 'cancelled' | 'failed';

const actions = {
  start: { from: ['scheduled'], to: 'pending' },
  pause: { from: ['processing'], to: 'paused' },
  resume: { from: ['paused'], to: 'processing' },
  rate: { from: ['pending', 'scheduled', 'processing', 'paused'], to: null },
  cancel: { from: ['pending', 'scheduled', 'processing', 'paused'], to: 'cancelled' },
} as const satisfies Record<string, { from: BatchStatus[]; to: BatchStatus | null }>;
export type BatchAction = keyof typeof actions;
export const batchActions = Object.keys(actions) as BatchAction[];

export type BulkCommand =
  | { kind: 'act'; action: BatchAction }
  | { kind: 'read' }
  /** The statuses of all messages, one by one. */
  | { kind: 'list' }
  | { kind: 'report'; target: number; value: ReportValue; recipient?: string }
  /** The worker does what is due for the batch once, and dies after a number of statements; null: it does not die. */
  | { kind: 'advance'; diesAfter: number | null }
  /** The worker does the work of the workflows of the messages. */
  | { kind: 'carry'; diesAfter: number | null }
  | { kind: 'pass' };

export interface BulkResult {
  status: number;
  code?: string;
  batch?: string;
  ledger?: Record<string, number>;
  messages?: [recipient: string, status: string][];
}

/** `isInDoubt`: an attempt may have been taken, so that a cancellation leaves it. */
interface Recipient {
  to: string;
  isOptedOut: boolean;
  /** null: no message yet. */
  phase: Phase | null;
  isInDoubt: boolean;
}

export interface BulkState {
  status: BatchStatus;
  recipients: Recipient[];
  /** Whether the recipients are written down. Before that, the ledger is empty. */
  isFrozen: boolean;
}

export function bulkModel(initial: BulkState): Model<BulkState, BulkCommand, BulkResult> {
  return { initial, step };
}

function step(state: BulkState, command: BulkCommand, result: BulkResult): BulkState[] {
  switch (command.kind) {
    case 'act': {
      const { from, to } = actions[command.action];
      if (!(from as readonly string[]).includes(state.status))
        return result.code === 'invalid_state' ? [state] : [];
      return result.status < 300 ? [{ ...state, status: to ?? state.status }] : [];
    }
    case 'read':
      return result.batch === state.status && isSameLedger(result.ledger!, state) ? [state] : [];
    case 'list':
      return isSameList(result.messages!, state) ? [state] : [];
    case 'report':
      return [
        mapRecipients(state, (recipient) =>
          recipient.to === command.recipient && recipient.phase !== null
            ? {
                ...recipient,
                phase: afterReport(recipient.phase, command.value),
                isInDoubt: recipient.isInDoubt && command.value === '64',
              }
            : recipient,
        ),
      ];
    case 'pass':
      return [mapRecipients(state, (one) => (one.phase === 'waiting' ? { ...one, phase: 'due' } : one))];
    case 'advance':
      return command.diesAfter === null ? [advance(state)] : crashedAdvance(state);
    case 'carry':
      return command.diesAfter === null ? [mapRecipients(state, work(state))] : crashedWork(state);
  }
}

/** What the worker does with a message that is due: a cancelled batch submits nothing more. */
function work(state: BulkState): (recipient: Recipient) => Recipient {
  return (one) => {
    if (state.status === 'cancelled' && !one.isInDoubt && (one.phase === 'due' || one.phase === 'waiting'))
      return { ...one, phase: 'cancelled' };
    if (one.phase !== 'due') return one;
    const outcome = outcomeFor(one.to);
    return {
      ...one,
      phase: afterWork(one.phase, outcome),
      isInDoubt: outcome === 'doubtful' || (one.isInDoubt && outcome === 'unavailable'),
    };
  };
}

function advance(state: BulkState): BulkState {
  switch (state.status) {
    case 'pending':
      return { ...state, status: 'processing', isFrozen: true };
    case 'processing': {
      const made = mapRecipients(state, (one) =>
        one.phase === null
          ? work(state)({ ...one, phase: one.isOptedOut ? 'failed recipient_opted_out' : 'due' })
          : one,
      );
      return isSubmitted(made) ? { ...made, status: 'completed' } : made;
    }
    case 'cancelled':
      return mapRecipients(state, (one) =>
        one.phase === 'due' || one.phase === 'waiting' ? work(state)(one) : one,
      );
    default:
      return state;
  }
}

function isSubmitted({ recipients }: BulkState): boolean {
  return recipients.every(({ phase }) => phase !== null && statusOf(phase) !== 'queued');
}

/** Each transaction is whole or not: frozen or not, all messages made or none, and each message as far as it came. */
function crashedAdvance(state: BulkState): BulkState[] {
  if (state.status === 'pending') return [state, advance(state)];
  if (state.status === 'cancelled') return crashedWork(state);
  if (state.status !== 'processing') return [state];
  const isMade = state.recipients.every(({ phase }) => phase !== null);
  if (isMade) return [state, advance(state)];
  const made = mapRecipients(state, (one) =>
    one.phase === null ? { ...one, phase: one.isOptedOut ? 'failed recipient_opted_out' : 'due' } : one,
  );
  const states = [state, ...crashedWork(made)];
  return [
    ...states,
    ...states.filter(isSubmitted).map((one): BulkState => ({ ...one, status: 'completed' })),
  ];
}

function crashedWork(state: BulkState): BulkState[] {
  return state.recipients.reduce<BulkState[]>(
    (states, recipient, index) =>
      states.flatMap((before) =>
        fates(state, recipient).map((fate) => ({
          ...before,
          recipients: before.recipients.map((one, position) => (position === index ? fate : one)),
        })),
      ),
    [state],
  );
}

function fates(state: BulkState, one: Recipient): Recipient[] {
  if (state.status === 'cancelled') return [one, work(state)(one)];
  if (one.phase === null) return [one];
  return afterCrash(one.phase, outcomeFor(one.to)).flatMap((phase) =>
    phase === 'waiting' && one.phase === 'due'
      ? [{ ...one, phase, isInDoubt: true }, { ...work(state)(one) }]
      : [{ ...one, phase, isInDoubt: phase === one.phase && one.isInDoubt }],
  );
}

function mapRecipients(state: BulkState, change: (recipient: Recipient) => Recipient): BulkState {
  return { ...state, recipients: state.recipients.map(change) };
}

/** The status of each recipient's message. Without one, the recipient counts with the status that it will get. */
function statusesOf({ status, recipients, isFrozen }: BulkState): [recipient: string, status: string][] {
  if (!isFrozen) return [];
  const unmadeAs = status === 'cancelled' || status === 'failed' ? status : 'queued';
  return recipients.map(({ to, phase }) => [to, phase === null ? unmadeAs : statusOf(phase)]);
}

/** The ledger as the specification has it: each recipient once, by the status of their message. */
function isSameLedger(seen: Record<string, number>, state: BulkState): boolean {
  const expected: Record<string, number> = { total: state.isFrozen ? state.recipients.length : 0 };
  for (const [, status] of statusesOf(state)) expected[status] = (expected[status] ?? 0) + 1;
  return Object.entries(seen).every(([name, count]) => count === (expected[name] ?? 0));
}

function isSameList(seen: [string, string][], state: BulkState): boolean {
  const text = (list: [string, string][]): string =>
    list
      .map((one) => one.join(' '))
      .toSorted()
      .join();
  return text(seen) === text(statusesOf(state));
}
