import { sql } from 'kysely';
import type { Sql } from '../../database.ts';
import type { Environment } from '../../principal.ts';
import { makeTimeOrderedId } from '../../time-ordered-id.ts';
import { insertDispatch } from '../../dispatches/insert-dispatch.ts';
import { insertMessages, newMessageColumns, type NewMessage } from '../../messages/insert-messages.ts';
import { defaultValidityMs, messageErrors, type MessageErrorCode } from '../../messages/message-status.ts';
import { countSegments, maxTextLength } from '../../messages/segments.ts';
import { recordset, type Columns } from '../../recordset.ts';
import type { HashNumber } from '../../privacy/number-hash.ts';
import { findErasedOptOuts } from '../../suppressions/find-erased-opt-outs.ts';
import { hasErasedOptOuts, isSuppressed } from '../../suppressions/is-suppressed.ts';
import { parseMergeFields, renderMergeFields, type MergeValues } from '../../templates/merge-fields.ts';
import { isSenderApproved } from '../batch-blocker.ts';
import type { BulkBatchStatus } from '../bulk-batch-status.ts';
import { failBatch } from './fail-batch.ts';

/** The result of an attempt to create the next messages of a batch. */
export type Chunk =
  /** The batch is in another status, in which nothing is sent. */
  | { outcome: 'stopped'; status: BulkBatchStatus }
  | { outcome: 'all_created' }
  /** The rate of the batch is not the one by which the chunk waited for its turn. Nothing was created. */
  | { outcome: 'rate_changed'; ratePerSecond: number | null }
  /** `dispatch` processes the messages to submit; null: there are none. */
  | {
      outcome: 'made';
      made: number;
      dispatch: { dispatchId: string; organizationId: string; rows: number } | null;
      isLast: boolean;
    };

/** The period over which the rate is measured, and its first part, in which the rate measured before still counts. */
const [windowSeconds, windowBeginSeconds] = [5, 1];

/** The time without progress after which the sweep restarts a batch. */
const silenceSeconds = 60;

/**
 * How soon the workflow of a chunk must be started. After that, the sweep starts it, once its own waiting time of 10
 * s is over.
 */
const startSeconds = 3;

/**
 * Creates the messages of a batch's next recipients, with their dispatch and their timelines, and moves the cursor.
 * This is one transaction: whichever process dies, a recipient has either one message or none yet. The batch's row is
 * locked, so concurrent calls run one after the other, and none continues once the batch is paused or cancelled. A
 * recipient who has opted out since the recipients were frozen gets a failed message instead.
 *
 * @param turn.ratePerSecond the rate of the batch when the chunk began to wait for its turn
 */
export async function makeChunk(
  db: Sql,
  batchId: string,
  turn: { limit: number; ratePerSecond: number | null },
  now: Date,
  hashNumber: HashNumber,
): Promise<Chunk> {
  return db.transaction().execute(async (transaction) => {
    const batch = await lockBatch(transaction, batchId);
    if (!batch) return { outcome: 'stopped', status: 'cancelled' };
    if (batch.status !== 'processing') return { outcome: 'stopped', status: batch.status };
    if (!batch.isApproved) {
      await failBatch(transaction, batchId, 'sender_not_approved', now);
      return { outcome: 'stopped', status: 'failed' };
    }
    if (batch.nextPosition > batch.total) return { outcome: 'all_created' };
    const { ratePerSecond } = batch;
    if (ratePerSecond !== turn.ratePerSecond) return { outcome: 'rate_changed', ratePerSecond };
    const recipients = await nextRecipients(transaction, batch, turn.limit, hashNumber);
    const messages = draftChunk(batch, recipients, now);
    const queued = messages.filter(({ errorCode }) => errorCode === null);
    const dispatchId = queued[0]?.dispatchId ?? null;
    await storeChunk(transaction, batch, messages, dispatchId, now);
    return {
      outcome: 'made',
      made: messages.length,
      dispatch:
        dispatchId === null
          ? null
          : { dispatchId, organizationId: batch.organizationId, rows: queued.length },
      isLast: batch.nextPosition + messages.length > batch.total,
    };
  });
}

interface LockedBatch {
  id: string;
  organizationId: string;
  environment: Environment;
  status: BulkBatchStatus;
  text: string;
  sender: string;
  total: number;
  nextPosition: number;
  ratePerSecond: number | null;
  isApproved: boolean;
}

async function lockBatch(db: Sql, id: string): Promise<LockedBatch | undefined> {
  const { rows } = await sql<LockedBatch>`
    select id, organization_id as "organizationId", environment, status, text, sender, total,
      next_position as "nextPosition", rate_per_second as "ratePerSecond", ${isSenderApproved} as "isApproved"
    from bulk_batches where id = ${id} for no key update
  `.execute(db);
  return rows[0];
}

interface NextRecipient {
  position: number;
  recipient: string;
  fields: MergeValues | null;
  refusal: MessageErrorCode | null;
}

async function nextRecipients(
  db: Sql,
  { id, nextPosition, organizationId }: LockedBatch,
  limit: number,
  hashNumber: HashNumber,
): Promise<NextRecipient[]> {
  const { rows } = await sql<NextRecipient & { hasErasedOptOuts: boolean }>`
    select position, recipient, fields, coalesce(refusal,
      case when ${isSuppressed('bulk_recipients.organization_id', 'bulk_recipients.recipient')} then 'recipient_opted_out' end
    ) as refusal,
      ${hasErasedOptOuts(organizationId)} as "hasErasedOptOuts"
    from bulk_recipients
    where batch_id = ${id} and position >= ${nextPosition} and position < ${nextPosition + limit}
      and organization_id = ${organizationId}
    order by position
  `.execute(db);
  if (!rows[0]?.hasErasedOptOuts) return rows;
  const hashes = await Promise.all(rows.map(({ recipient }) => hashNumber(recipient)));
  const optedOut = await findErasedOptOuts(db, organizationId, hashes);
  return rows.map((row, index) =>
    optedOut.has(hashes[index]!) ? { ...row, refusal: row.refusal ?? 'recipient_opted_out' } : row,
  );
}

/** A message of a chunk, and the recipient that it is for. */
interface ChunkMessage extends NewMessage {
  position: number;
}

/** Drafts the messages of a chunk. The first one to submit gives its id to their dispatch. */
function draftChunk(batch: LockedBatch, recipients: NextRecipient[], now: Date): ChunkMessage[] {
  const { id: bulkBatchId, organizationId, environment, sender } = batch;
  const parsed = parseMergeFields(batch.text);
  const validUntil = new Date(now.getTime() + defaultValidityMs);
  let dispatchId: string | null = null;
  return recipients.map(({ position, recipient, fields, refusal }) => {
    const id = makeTimeOrderedId(now);
    const rendered = renderMergeFields(parsed, fields ?? {});
    const errorCode = refusal ?? findTextError(rendered);
    if (errorCode === null) dispatchId ??= id;
    const text = truncateText(rendered);
    return {
      id,
      organizationId,
      environment,
      bulkBatchId,
      position,
      sender,
      recipient,
      text,
      ...countSegments(text),
      errorCode,
      errorMessage: errorCode && messageErrors[errorCode],
      dispatchId: errorCode === null ? dispatchId : null,
      metadata: {},
      webhookUrl: null,
      createdAt: now,
      validUntil,
    };
  });
}

/** Why a text cannot be sent after its merge fields are filled in. */
export function findTextError(text: string): 'text_empty' | 'text_too_long' | null {
  if (text === '') return 'text_empty';
  // A text has at least as many code units as code points, and code units are far cheaper to count.
  if (text.length > maxTextLength && Array.from(text).length > maxTextLength) return 'text_too_long';
  return null;
}

/**
 * Shortens a text that is too long to send before it is stored: a field may hold 16 KiB and a text 88 fields, for
 * each message of a chunk.
 */
function truncateText(text: string): string {
  if (text.length <= maxTextLength) return text;
  return Array.from(text.slice(0, 2 * maxTextLength))
    .slice(0, maxTextLength)
    .join('');
}

const chunkColumns: Columns<ChunkMessage> = {
  ...newMessageColumns,
  position: 'integer',
  errorCode: 'text',
  errorMessage: 'text',
  bulkBatchId: 'uuid',
  dispatchId: 'uuid',
};

async function storeChunk(
  db: Sql,
  { id, organizationId }: LockedBatch,
  messages: ChunkMessage[],
  dispatchId: string | null,
  now: Date,
): Promise<void> {
  await sql`
    with draft as (
      select * from ${recordset(messages, 'draft', chunkColumns)}
    ), ${insertMessages(sql`draft order by id`, ['errorCode', 'errorMessage', 'bulkBatchId', 'dispatchId'])}, dispatched as (
      ${insertDispatch(
        'messages',
        {
          id: sql`${dispatchId}::uuid`,
          organizationIds: sql`array[${organizationId}::uuid]`,
          isBulk: true,
          createdAt: sql`${now}::timestamptz`,
          wakeSeconds: startSeconds,
        },
        sql`where ${dispatchId}::uuid is not null`,
      )}
    ), named as (
      update bulk_recipients set message_id = draft.id
      from draft where bulk_recipients.batch_id = ${id} and bulk_recipients.position = draft.position
    )
    update bulk_batches set
      next_position = next_position + ${messages.length},
      wake_at = ${now}::timestamptz + make_interval(secs => ${silenceSeconds}),
      window_started_at = case when window_ends or window_started_at is null then clock_timestamp() else window_started_at end,
      window_made = case when window_ends or window_started_at is null then 0 else window_made end + ${messages.length},
      measured_per_second = case when window_tells
        then window_made / extract(epoch from clock_timestamp() - window_started_at) else measured_per_second end
    from (
      select window_started_at < clock_timestamp() - make_interval(secs => ${windowSeconds}) as window_ends,
        window_started_at < clock_timestamp() - make_interval(secs => ${windowBeginSeconds}) as window_tells
      from bulk_batches where id = ${id}
    ) measuring
    where bulk_batches.id = ${id}
  `.execute(db);
}
