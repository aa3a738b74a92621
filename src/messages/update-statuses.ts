import { sql } from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';
import { metrics } from '../metrics.ts';
import { prepared } from '../prepared-statements.ts';
import { recordset, type Columns } from '../recordset.ts';
import { toDate, type Stored } from '../stored-rows.ts';
import { insertWebhooks, type NewWebhook } from '../webhooks/insert-webhooks.ts';
import { makeWebhook, type WebhookSubject } from '../webhooks/make-webhook.ts';
import { insertEvents } from './timeline/insert-events.ts';
import type { MessageEventKind } from './timeline/message-event.entity.ts';
import {
  applyTransition,
  effectiveTime,
  isFinal,
  type MessageStatus,
  type MessageTransition,
} from './message-status.ts';

/** One fact about one message, and the timeline entry for it. */
export interface StatusUpdate {
  messageId: string;
  at: Date;
  transition: MessageTransition;
  event: { kind: MessageEventKind; details: Record<string, unknown> };
}

export interface StatusUpdateResult {
  /** For each update, in order: whether the message exists. */
  found: boolean[];
  /** Webhook rows that were created; the caller starts their dispatch. */
  webhooks: { id: string; organizationId: string; messageId: string }[];
  /** Dispatches in which at least one message became final. */
  dispatchesToComplete: string[];
}

/** A locked message: its state, and the fields that its webhooks contain. */
interface LockedMessage extends WebhookSubject {
  dispatchId: string | null;
}

/**
 * Applies facts to messages. This is the only place where the status of a stored message changes. One transaction of
 * four round trips writes status, timeline and webhook rows, for any number of facts.
 *
 * Messages are locked in the order of their ids, so concurrent calls cannot deadlock, and a row cannot change between
 * the read and the write.
 */
export async function updateStatuses(
  database: Database,
  updates: StatusUpdate[],
): Promise<StatusUpdateResult> {
  const { changes, ...result } = await sqlOf(database)
    .transaction()
    .execute(async (transaction) => {
      const messages = await lockMessages(transaction, [
        ...new Set(updates.map(({ messageId }) => messageId)),
      ]);
      const before = new Map([...messages].map(([id, message]) => [id, message.status]));
      const changed = new Set<string>();
      const events: EventRow[] = [];
      const webhooks: NewWebhook[] = [];
      const found = updates.map(({ messageId, at: observedAt, transition, event }) => {
        const message = messages.get(messageId);
        if (!message) return false;
        const at = effectiveTime(message, observedAt);
        const { state, steps } = applyTransition(message, transition, at);
        if (state !== message) changed.add(messageId);
        for (const step of steps) {
          const webhook = makeWebhook({ ...message, ...step }, at);
          if (webhook) webhooks.push(webhook);
        }
        messages.set(messageId, { ...message, ...state });
        events.push({
          organizationId: message.organizationId,
          messageId,
          at,
          ...event,
          status: steps.at(-1)?.status ?? null,
        });
        return true;
      });
      const rows = [...changed].map((id) => ({ ...messages.get(id)!, statusBefore: before.get(id)! }));
      await write(transaction, rows, events, webhooks);
      return {
        changes: rows,
        found,
        webhooks,
        dispatchesToComplete: [
          ...new Set(rows.filter((row) => isFinal(row.status)).flatMap((row) => row.dispatchId ?? [])),
        ],
      };
    });
  measureChanges(changes);
  return result;
}

/** Counts what a commit has changed. */
function measureChanges(rows: ChangedMessage[]): void {
  for (const { status, statusBefore, errorCode } of rows) {
    if (status === statusBefore) continue;
    metrics.statusesReached.inc({ status });
    if (status === 'failed') metrics.messagesFailed.inc({ error_code: errorCode ?? 'none' });
  }
}

type EventRow = {
  organizationId: string;
  messageId: string;
  at: Date;
  kind: MessageEventKind;
  status: MessageStatus | null;
  details: Record<string, unknown>;
};

async function lockMessages(db: Sql, ids: string[]): Promise<Map<string, LockedMessage>> {
  const { rows } = await sql<Stored<LockedMessage>>`${prepared('lock_messages')}
    select id, organization_id as "organizationId", environment, sender, recipient, segments, status,
      provider_message_id as "providerMessageId", error_code as "errorCode", error_message as "errorMessage",
      created_at as "createdAt", accepted_at as "acceptedAt", sent_at as "sentAt", delivered_at as "deliveredAt",
      failed_at as "failedAt", due_at as "dueAt", attempts, outcome_unknown as "outcomeUnknown",
      webhook_url as "webhookUrl", dispatch_id as "dispatchId"
    from messages where id = any(${ids}::uuid[])
    order by id for no key update
  `.execute(db);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...row,
        createdAt: toDate(row.createdAt),
        acceptedAt: toDate(row.acceptedAt),
        sentAt: toDate(row.sentAt),
        deliveredAt: toDate(row.deliveredAt),
        failedAt: toDate(row.failedAt),
        dueAt: toDate(row.dueAt),
      },
    ]),
  );
}

type ChangedMessage = LockedMessage & { statusBefore: MessageStatus };

const changeColumns: Columns<ChangedMessage> = {
  id: 'uuid',
  statusBefore: 'text',
  status: 'text',
  providerMessageId: 'text',
  errorCode: 'text',
  errorMessage: 'text',
  acceptedAt: 'timestamptz',
  sentAt: 'timestamptz',
  deliveredAt: 'timestamptz',
  failedAt: 'timestamptz',
  dueAt: 'timestamptz',
  outcomeUnknown: 'boolean',
};

const eventColumns: Columns<EventRow> = {
  organizationId: 'uuid',
  messageId: 'uuid',
  at: 'timestamptz',
  kind: 'text',
  status: 'text',
  details: 'jsonb',
};

async function write(
  db: Sql,
  messages: ChangedMessage[],
  events: EventRow[],
  webhooks: NewWebhook[],
): Promise<void> {
  await sql`${prepared('update_statuses')}
    with change as (
      select * from ${recordset(messages, 'change', changeColumns)}
    ), changed as (
      update messages set
        status = change.status, provider_message_id = "providerMessageId", error_code = "errorCode",
        error_message = "errorMessage", accepted_at = "acceptedAt", sent_at = "sentAt",
        delivered_at = "deliveredAt", failed_at = "failedAt", due_at = "dueAt", outcome_unknown = "outcomeUnknown",
        -- Once it is taken or final nothing is submitted any more, and nobody needs to read it.
        sealed_text = case when change.status = 'queued' then sealed_text end
      -- The list tells the planner how few rows these are. Of a recordset it expects a hundred, and reads the whole table
      -- while that is small.
      from change where messages.id = change.id and messages.status = "statusBefore"
        and messages.id = any(${messages.map(({ id }) => id)}::uuid[])
    ), noted as (
      ${insertEvents(sql`
        select "organizationId", "messageId", at, kind, status, details
        from ${recordset(events, 'event', eventColumns)}
      `)}
    )
    ${insertWebhooks(webhooks)}
  `.execute(db);
}
