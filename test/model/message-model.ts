import { outcomeFor, type Outcome } from './scripted-gateway.ts';
import type { Model } from './linearize.ts';

/**
 * What a message may be. `due`: queued, and the worker may take it; `waiting`: queued, and an attempt is in progress, in
 * doubt or to be repeated later.
 */
export type Phase =
  'due' | 'waiting' | 'accepted' | 'sent' | 'delivered' | `failed ${ErrorCode}` | 'cancelled';
type ErrorCode = 'undelivered' | 'smsc_rejected' | 'not_routable' | 'recipient_opted_out';

export const statusOf = (phase: Phase): string =>
  phase === 'due' || phase === 'waiting' ? 'queued' : phase.split(' ')[0]!;

/** The reports of Kannel, and one that it does not have. */
export const reportValues = ['1', '2', '4', '8', '16', '64'] as const;
export type ReportValue = (typeof reportValues)[number];

/** What a report makes of a message, written down from the specification: no status goes back, and none leaves the end. */
export function afterReport(phase: Phase, value: ReportValue): Phase {
  if (phase === 'delivered' || phase === 'cancelled' || phase.startsWith('failed')) return phase;
  const taken = {
    1: 'delivered',
    2: 'failed undelivered',
    4: 'sent',
    8: 'sent',
    16: 'failed smsc_rejected',
    64: phase,
  } as const;
  return taken[value];
}

/** What a worker makes of it that takes what is due. */
export function afterWork(phase: Phase, outcome: Outcome): Phase {
  if (phase !== 'due') return phase;
  return (
    {
      accepted: 'accepted',
      refused: 'failed not_routable',
      unavailable: 'waiting',
      doubtful: 'waiting',
    } as const
  )[outcome];
}

/** What is possible if the worker died in the middle: nothing, a claim without an outcome, or everything. */
export function afterCrash(phase: Phase, outcome: Outcome): Phase[] {
  return phase === 'due' ? ['due', 'waiting', afterWork(phase, outcome)] : [phase];
}

/** A caller: one organization and environment. */
export type CallerIndex = 0 | 1 | 2;
export const callers = [
  { organization: 0, environment: 'live' },
  { organization: 0, environment: 'test' },
  { organization: 1, environment: 'live' },
] as const;

export type MessageCommand =
  | {
      kind: 'send';
      caller: CallerIndex;
      to: string;
      text: string;
      key: string | null;
      api: 0 | 1;
      encoding: 'json' | 'form' | 'multipart';
      /** The connection breaks while the request is on its way, or after it. */
      isCut: boolean;
    }
  | { kind: 'read'; caller: CallerIndex; target: number; api: 0 | 1; id?: string }
  | { kind: 'report'; target: number; value: ReportValue; api: 0 | 1; id?: string }
  | { kind: 'work' }
  | { kind: 'crash'; afterStatements: number }
  | { kind: 'pass' }
  | { kind: 'restart'; api: 0 | 1 };

export type MessageResult =
  | {
      status: number;
      code?: string;
      id?: string;
      isReplay?: boolean;
      messageStatus?: string;
      errorCode?: string | null;
    }
  /** No response. */
  | null;

interface ModelMessage {
  caller: CallerIndex;
  to: string;
  phases: Phase[];
}

export interface MessageState {
  messages: Record<string, ModelMessage>;
  /** What a key of a caller stands for; `id` is null if the response was lost, and then it may stand for nothing. */
  keys: Record<string, { body: string; id: string | null }>;
  /** How many messages may exist that no response has named. */
  unnamed: number;
}

const allPhases: Phase[] = [
  ...(['due', 'waiting', 'accepted', 'sent', 'delivered'] as const),
  ...(['failed undelivered', 'failed smsc_rejected', 'failed not_routable'] as const),
];

/** Sending with idempotency keys, the statuses of messages, and who sees what. */
export const messageModel: Model<MessageState, MessageCommand, MessageResult> = {
  initial: { messages: {}, keys: {}, unnamed: 0 },
  step: (state, command, result) => {
    switch (command.kind) {
      case 'send':
        return afterSend(state, command, result);
      case 'read':
        return afterRead(state, command, result);
      case 'report':
        return result?.status === 200
          ? [
              changed(state, (phase, _to, id) => [
                id === command.id ? afterReport(phase, command.value) : phase,
              ]),
            ]
          : [];
      case 'work':
        return [changed(state, (phase, to) => [afterWork(phase, outcomeFor(to))])];
      case 'crash':
        return [changed(state, (phase, to) => afterCrash(phase, outcomeFor(to)))];
      case 'pass':
        return [changed(state, (phase) => [phase === 'waiting' ? 'due' : phase])];
      case 'restart':
        return [state];
    }
  },
};

function changed(
  state: MessageState,
  change: (phase: Phase, to: string, id: string) => Phase[],
): MessageState {
  const messages = Object.entries(state.messages).map(([id, message]): [string, ModelMessage] => [
    id,
    {
      ...message,
      phases: [...new Set(message.phases.flatMap((phase) => change(phase, message.to, id)))].toSorted(),
    },
  ]);
  return { ...state, messages: Object.fromEntries(messages) };
}

function afterSend(
  state: MessageState,
  command: MessageCommand & { kind: 'send' },
  result: MessageResult,
): MessageState[] {
  const body = JSON.stringify([command.to, command.text]);
  const name = command.key === null ? null : `${command.caller} ${command.key}`;
  const known = name === null ? undefined : state.keys[name];
  if (result === null) {
    // It was stored, or not.
    if (known) return [state];
    const stored = { ...state, unnamed: state.unnamed + 1 };
    return [state, name === null ? stored : withKey(stored, name, body, null)];
  }
  // Another request with the key is in progress: it changes nothing. Only one that overlaps causes it.
  if (result.code === 'idempotency_in_progress') return name !== null ? [state] : [];
  if (known && known.body !== body) return result.code === 'idempotency_key_reused' ? [state] : [];
  if (result.status !== 202 || result.id === undefined || result.messageStatus !== 'queued') return [];
  if (known?.id) return result.isReplay && result.id === known.id ? [state] : [];
  if (known) return result.isReplay ? [named(state, name!, body, command, result.id)] : [];
  if (result.isReplay || state.messages[result.id]) return [];
  const message: ModelMessage = { caller: command.caller, to: command.to, phases: ['due'] };
  const made = { ...state, messages: { ...state.messages, [result.id]: message } };
  return [name === null ? made : withKey(made, name, body, result.id)];
}

/** A replay names the message of a request whose response was lost. Meanwhile anything may have become of it. */
function named(
  state: MessageState,
  name: string,
  body: string,
  command: MessageCommand & { kind: 'send' },
  id: string,
): MessageState {
  const message: ModelMessage = { caller: command.caller, to: command.to, phases: allPhases };
  const messages = { ...state.messages, [id]: message };
  return withKey({ ...state, messages, unnamed: state.unnamed - 1 }, name, body, id);
}

function withKey(state: MessageState, name: string, body: string, id: string | null): MessageState {
  return { ...state, keys: { ...state.keys, [name]: { body, id } } };
}

function afterRead(
  state: MessageState,
  command: MessageCommand & { kind: 'read' },
  result: MessageResult,
): MessageState[] {
  const message = state.messages[command.id!];
  // A read at the same time as the send that made it, in an order in which it does not exist yet.
  if (!message) return result?.status === 404 ? [state] : [];
  const [owner, reader] = [callers[message.caller], callers[command.caller]];
  if (owner.organization !== reader.organization || owner.environment !== reader.environment)
    return result?.status === 404 ? [state] : [];
  if (result?.status !== 200) return [];
  const phases = message.phases.filter(
    (phase) => statusOf(phase) === result.messageStatus && (phase.split(' ')[1] ?? null) === result.errorCode,
  );
  if (phases.length === 0) return [];
  return [{ ...state, messages: { ...state.messages, [command.id!]: { ...message, phases } } }];
}
