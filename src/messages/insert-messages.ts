import { sql, type RawBuilder } from 'kysely';
import type { Environment } from '../principal.ts';
import type { Columns } from '../recordset.ts';
import { insertEvents } from './timeline/insert-events.ts';
import type { MessageErrorCode } from './message-status.ts';

/** A message to insert. Each property that is missing is null, or false. */
export interface NewMessage {
  id: string;
  organizationId: string;
  environment: Environment;
  sender: string;
  recipient: string;
  /** The text that is stored and shown. */
  text: string;
  /** The sealed text that is submitted instead, as base64: the text of a security code (sealer.ts). */
  sealedText?: string;
  encoding: 'gsm7' | 'ucs2';
  segments: number;
  /** Why the message is stored as failed; null if it is to be submitted. */
  errorCode?: MessageErrorCode | null;
  errorMessage?: string | null;
  metadata: Record<string, unknown>;
  webhookUrl: string | null;
  /** The secret that signs its webhooks, sealed for its organization, as base64 (sealer.ts). */
  sealedWebhookSecret?: string;
  createdAt: Date;
  /** The message is not submitted at or after this time. */
  validUntil: Date;
  /** Send the message even to a number that has opted out: it is a security code, which its recipient requested. */
  ignoresSuppression?: boolean;
  /** The inbound message that this message replies to; it gets at most one reply. */
  answersInboundId?: string;
  /** The failed message that this message resends; it is resent at most once. */
  redrivenFrom?: string;
  bulkBatchId?: string;
  /** The dispatch that already contains the message. */
  dispatchId?: string | null;
  /** The message is counted within the caps of its organization, by the same statement. */
  capCounted?: boolean;
}

/** What the first entry of a timeline keeps besides the status: the W3C `traceparent` of the request, if it is traced. */
export type FirstDetails = Record<string, { traceparent: string }>;

/** The columns of a message that its source sets. The others follow from them, or keep their defaults. */
const insertedColumns = {
  id: 'id',
  organizationId: 'organization_id',
  environment: 'environment',
  sender: 'sender',
  recipient: 'recipient',
  text: 'text',
  // Its text can be sent only once.
  sealedText: 'sealed_text, one_time_text',
  encoding: 'encoding',
  segments: 'segments',
  errorCode: 'error_code',
  errorMessage: 'error_message',
  metadata: 'metadata',
  webhookUrl: 'webhook_url',
  sealedWebhookSecret: 'sealed_webhook_secret',
  createdAt: 'created_at',
  validUntil: 'valid_until',
  ignoresSuppression: 'ignores_suppression',
  answersInboundId: 'answers_inbound_id',
  redrivenFrom: 'redriven_from',
  bulkBatchId: 'bulk_batch_id',
  dispatchId: 'dispatch_id',
  capCounted: 'cap_counted',
} satisfies Record<keyof NewMessage, string>;

type Property = keyof typeof insertedColumns;

/** The types of the properties that every source sets, for a recordset. */
export const newMessageColumns = {
  id: 'uuid',
  organizationId: 'uuid',
  environment: 'text',
  sender: 'text',
  recipient: 'text',
  text: 'text',
  encoding: 'text',
  segments: 'smallint',
  metadata: 'json',
  webhookUrl: 'text',
  createdAt: 'timestamptz',
  validUntil: 'timestamptz',
} as const satisfies Columns<NewMessage>;

const always = Object.keys(newMessageColumns) as Property[];

/** How a draft's property becomes the value of its column, if it is not the value itself. */
const values: { [Name in Property]?: RawBuilder<unknown> } = {
  sealedText: sql`decode("sealedText", 'base64'), "sealedText" is not null`,
  sealedWebhookSecret: sql`decode("sealedWebhookSecret", 'base64')`,
  ignoresSuppression: sql`"ignoresSuppression" is true`,
};

/**
 * The CTEs `stored` and `noted`: they insert messages and the first entries of their timelines. Every message is stored
 * by this statement. A message without an error code is queued and due at once; the others are failed.
 *
 * `stored` has id, organization_id, sender, error_code, created_at and redriven_from of the inserted messages;
 * `noted` has their message_id.
 *
 * @param drafts the rest of a statement after `from`: a CTE with the properties of `newMessageColumns`
 * @param more the other properties that the CTE has; a message has no value for those left out
 * @param options.sender the sender, if the drafts have it in another column
 * @param options.details by message id, the details of first entries; only for queued messages
 * @param options.skipRedriven whether messages that were already redriven are left out; otherwise they are an error
 */
export function insertMessages(
  drafts: RawBuilder<unknown>,
  more: readonly Property[],
  options: { sender?: RawBuilder<string>; details?: FirstDetails | null; skipRedriven?: boolean } = {},
): RawBuilder<unknown> {
  const { sender = sql`sender`, details = null, skipRedriven = false } = options;
  const properties = [...always, ...more];
  // Most statements store queued messages only, and are planned sooner without the conditions.
  const { columns, state, entry } = properties.includes('errorCode') ? queuedOrFailed : queuedWith(details);
  const names = properties.map((name) => insertedColumns[name]).join(', ');
  const selected = properties.map((name) => (name === 'sender' ? sender : (values[name] ?? sql.ref(name))));
  return sql`stored as (
      insert into messages (${sql.raw(names)}, ${columns})
      select ${sql.join(selected)}, ${state}
      from ${drafts}
      ${skipRedriven ? sql`on conflict (redriven_from) where redriven_from is not null do nothing` : sql``}
      returning id, organization_id, sender, error_code, created_at, redriven_from
    ), noted as (
      ${insertEvents(sql`select organization_id, id, created_at, ${entry} from stored`)}
      returning message_id
    )`;
}

/** The columns and the first entry of messages that are queued and due at once. */
const queued = {
  columns: sql`status, due_at`,
  state: sql`'queued', "createdAt"`,
  entry: sql`'queued', 'queued', '{}'`,
};

function queuedWith(details: FirstDetails | null): typeof queued {
  if (!details) return queued;
  const found = sql`coalesce(${JSON.stringify(details)}::jsonb -> id::text, '{}')`;
  return { ...queued, entry: sql`'queued', 'queued', ${found}` };
}

/** The same for messages of which some have an error code. */
const queuedOrFailed = {
  columns: sql`status, due_at, failed_at`,
  state: sql`
    case when "errorCode" is null then 'queued' else 'failed' end,
    case when "errorCode" is null then "createdAt" end, case when "errorCode" is not null then "createdAt" end`,
  entry: sql`
    case when error_code is null then 'queued' else 'refused' end,
    case when error_code is null then 'queued' else 'failed' end,
    case when error_code is null then '{}' else jsonb_build_object('errorCode', error_code) end`,
};
