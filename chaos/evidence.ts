import type { Fault } from './plan.ts';

/** A message or a security code that a client wanted to send, once. */
export interface SendRecord {
  /** Unique, in the metadata of whatever is stored for it. */
  token: string;
  kind: 'message' | 'code';
  /** Whether the requests carried an Idempotency-Key, and were repeated until an answer came. */
  keyed: boolean;
  hasWebhook: boolean;
  /** The id of the message in each 202. */
  acceptedIds: string[];
  /** How the recipient ends a message, if its reports arrive. */
  ends: { status: string; errorCode?: string | undefined };
}

/** A guess at a security code, and its answer; null without one. */
export interface GuessRecord {
  isRight: boolean;
  valid: boolean | null;
  status: string | null;
}

export interface CodeRecord {
  verificationId: string;
  guesses: GuessRecord[];
}

export interface ScheduleRecord {
  id: string;
  /** How many occurrences it has in all. */
  occurrences: number;
}

/** A message from a phone, whose callback was answered with 200. */
export interface CallbackRecord {
  providerMessageId: string;
  /** Whether a keyword rule answers it. */
  isAnswered: boolean;
}

/** A delivery report as the gateway made it. */
export interface GatewayReport {
  messageId: string;
  type: number;
  /** Whether a fault kept it from the service. */
  lost: boolean;
  /** The statuses with which the API answered it. */
  answers: number[];
}

/** A request that a webhook receiver got. */
export interface ReceivedWebhook {
  deliveryId: string;
  messageId: string;
  event: string;
  atMs: number;
  body: string;
  isSigned: boolean;
  /** Whether headers and envelope agree. */
  isConsistent: boolean;
  answer: 'ok' | 'gone' | 'hang' | 'refuse' | 'half';
}

export interface MessageRow {
  id: string;
  token: string | null;
  status: string;
  errorCode: string | null;
  segments: number;
  webhookUrl: string | null;
  acceptedAt: string | null;
  sentAt: string | null;
  batchId: string | null;
}

export interface EventRow {
  messageId: string;
  kind: string;
  status: string | null;
  details: { attempt?: number; possibleDuplicate?: boolean };
}

export interface DeliveryRow {
  id: string;
  messageId: string;
  event: string;
  position: number;
  status: string;
}

export interface AttemptRow {
  deliveryId: string;
  number: number;
  responseStatus: number | null;
  error: string | null;
  /** Null while the attempt has no outcome: its worker died. */
  durationMs: number | null;
}

export interface StoredCodeRow {
  id: string;
  status: string;
  attempts: number;
}

export interface StoredScheduleRow {
  id: string;
  status: string;
  created: number;
  failed: number;
  missed: number;
  skipped: number;
  /** The messages of its runs. */
  messageIds: string[];
}

export interface BatchRow {
  id: string;
  status: string;
  total: number;
  recipients: number;
  /** Recipients without a message and without a refusal. */
  forgotten: number;
  /** Its messages, of which each recipient has one. */
  messages: number;
}

export interface InboundRow {
  providerMessageId: string;
  status: string;
  replies: number;
}

export interface StoredRows {
  messages: MessageRow[];
  events: EventRow[];
  deliveries: DeliveryRow[];
  attempts: AttemptRow[];
  codes: StoredCodeRow[];
  schedules: StoredScheduleRow[];
  batches: BatchRow[];
  inbound: InboundRow[];
}

/** Counts of messages, as analytics show them and as the rows give them. */
export type Totals = Record<string, number>;

export interface ErrorLine {
  process: string;
  atMs: number;
  line: string;
}

/** A fault that was made, in the time of the harness. */
export interface MadeFault {
  fault: Fault;
  startedAtMs: number;
  endedAtMs: number;
}

/** Everything that is known about a run after it has settled. */
export interface Evidence {
  /** What was still open when the time to settle was over. Empty if everything settled. */
  unsettled: string[];
  sends: SendRecord[];
  codes: CodeRecord[];
  schedules: ScheduleRecord[];
  /** The ids of the bulk batches that were answered with 202. */
  batchIds: string[];
  callbacks: CallbackRecord[];
  /** The ids of the deliveries whose redrive was answered with 200. */
  redrivenIds: string[];
  /** Answers that no fault explains: a 500, or a refusal of a valid request. */
  unexpectedAnswers: string[];
  gateway: { taken: Map<string, number>; submitted: Map<string, number>; reports: GatewayReport[] };
  received: ReceivedWebhook[];
  rows: StoredRows;
  /** Each look at a ledger of a batch or at analytics: what did not balance. */
  looks: { count: number; violations: string[] };
  /** As each API process shows them at the end. */
  analytics: { shown: Totals[]; counted: Totals };
  /** Running workflows whose work is done, and open work that no running workflow carries. */
  workflows: { idle: string[]; missing: string[] };
  logs: { errors: ErrorLine[]; telling: string[] };
  made: MadeFault[];
  /** Processes that gave up. */
  givenUp: string[];
}

/** Something that must not be. */
export interface Finding {
  /** The guarantee that is broken, in a few words. */
  check: string;
  detail: string;
}
