import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../database.ts';
import { findAnswers, nameOfKey, tryHoldKey, type OwnedKeyUse } from '../idempotency/find-answer.ts';
import type { IdempotencyKeyUse } from '../idempotency/idempotency-key-use.ts';
import { insertAnswers } from '../idempotency/store-answer.ts';
import { contentRefusal } from '../content-rules/content-conditions.ts';
import { metrics } from '../metrics.ts';
import { prepared } from '../prepared-statements.ts';
import { recordset, type Columns } from '../recordset.ts';
import { permittedSender } from '../sender-ids/permitted-sender.ts';
import { countUses } from '../sending-controls/count-within-caps.ts';
import type { Cap, CapVerdict } from '../sending-controls/sending-caps.ts';
import { isDestinationRefused, isSendingCapped } from '../sending-controls/sending-conditions.ts';
import { isErasedOptOut, isSuppressed } from '../suppressions/is-suppressed.ts';
import { insertMessages, newMessageColumns, type FirstDetails, type NewMessage } from './insert-messages.ts';

/**
 * A message that passed every check except those that need the database: whether its sender is approved, and whether
 * its recipient has opted out.
 */
export interface MessageDraft extends Omit<
  NewMessage,
  'sender' | 'errorCode' | 'errorMessage' | 'redrivenFrom' | 'bulkBatchId' | 'dispatchId' | 'capCounted'
> {
  /** The caller's value, normalized by `normalizeSender`; null selects the organization's default sender. */
  sender: string | null;
  /** The keyed hash of the recipient (`hashNumber`); not needed if the message ignores suppressions. */
  recipientHash?: string;
  /** The W3C `traceparent` of the request, if it is traced: `activeTraceparent`. */
  traceparent?: string | undefined;
}

/** A draft that creates only one message, however often it is sent. */
export interface KeyedDraft extends MessageDraft {
  idempotency?: IdempotencyKeyUse & {
    status: number;
    /** The response body before and after the JSON of the sender, which is known only when the draft is stored. */
    answer: [beforeSender: string, afterSender: string];
  };
}

/** The outcome of storing a draft. */
export type StoredDraft =
  | { outcome: 'stored'; sender: string }
  /** The sender is not approved, or the organization has no default sender. */
  | { outcome: 'sender_refused' }
  | { outcome: 'recipient_opted_out' }
  /** The organization may not send to this number. */
  | { outcome: 'destination_not_allowed' }
  /** A rule refuses the text, for this reason. */
  | { outcome: 'content_refused'; reason: string }
  /** Nothing is stored yet: the organization has caps, so `storeCappedMessages` must store the message and count it. */
  | { outcome: 'capped' }
  /** The organization may send no more such messages until the window of the cap ends. */
  | { outcome: 'sending_cap_reached'; reached: Cap }
  | { outcome: 'replayed'; status: number; body: string }
  | { outcome: 'key_reused' }
  | { outcome: 'key_in_progress' };

/** The outcomes that are possible without an Idempotency-Key, and without a look at caps. */
export type UnkeyedOutcome = Extract<
  StoredDraft,
  {
    outcome:
      'stored' | 'sender_refused' | 'recipient_opted_out' | 'destination_not_allowed' | 'content_refused';
  }
>;

const senderOfDraft = permittedSender({
  organizationId: sql`draft."organizationId"`,
  environment: sql`draft.environment`,
  wanted: sql`draft.sender`,
});

type Refusal =
  'recipient_opted_out' | 'destination_not_allowed' | 'content_refused' | 'capped' | 'sending_cap_reached';

/** The reason of the rule that refuses the text of a row `draft`; null if none does. */
export const contentReason = contentRefusal({
  organizationId: 'draft."organizationId"',
  environment: 'draft.environment',
  text: 'draft.text',
});

/** What a statement does about the caps on sending. */
type CapCheck =
  /** Nothing: the messages are counted when they are claimed, and wait until there is room. */
  | 'later'
  /** It stores no message that must be counted. */
  | 'report'
  /** It counts the messages that it stores, and stores none without `caps`. */
  | 'count';

/** The reason why a row `draft` is refused because of caps, as a branch of a `case`. */
const capRefusals: Record<CapCheck, RawBuilder<unknown>> = {
  later: sql``,
  report: sql`
          when ${isSendingCapped({
            organizationId: 'draft."organizationId"',
            environment: 'draft.environment',
            at: sql`draft."createdAt"`,
          })} then 'capped'`,
  count: sql`
          when draft.caps is null then 'sending_cap_reached'`,
};

/** Why the recipient of a row `draft` may not get its text; null if they may. A refused text counts for no cap. */
export function draftRefusal(capCheck: CapCheck): RawBuilder<Refusal | null> {
  return sql`case
          when ${isDestinationRefused({
            organizationId: 'draft."organizationId"',
            environment: 'draft.environment',
            recipient: 'draft.recipient',
          })} then 'destination_not_allowed'
          when "ignoresSuppression" is not true
            and (${isSuppressed('draft."organizationId"', 'draft.recipient')}
              or ${isErasedOptOut('draft."organizationId"', 'draft."recipientHash"')}) then 'recipient_opted_out'
          when ${contentReason} is not null then 'content_refused'
          ${capRefusals[capCheck]}
        end`;
}

/**
 * Stores messages and the first entries of their timelines in one statement and one commit, for any number of drafts.
 * Caps do not refuse them: they wait until there is room.
 *
 * @returns for each draft, in order, the sender it was stored with, or why nothing was stored
 */
export async function storeMessages(db: Sql, drafts: MessageDraft[]): Promise<UnkeyedOutcome[]> {
  const rows = await storeDrafts(db, drafts, 'later');
  return drafts.map(({ id }) => {
    const row = rows.get(id);
    if (row?.sender) return { outcome: 'stored', sender: row.sender };
    return (row && toRefused(row)) ?? { outcome: 'sender_refused' };
  });
}

/**
 * Does the same for drafts that may have an Idempotency-Key. The same statement stores the key and its response, so a
 * key never exists without its message. Drafts that do not get their key are not stored; one more query reads the
 * responses that are stored under their keys.
 *
 * @param verdicts for each draft, whether it is within the caps of its organization: the statement counts those that it
 *   stores. Without them, drafts that must be counted are not stored.
 */
export async function storeMessagesOnce(
  db: Sql,
  drafts: KeyedDraft[],
  verdicts?: readonly CapVerdict[],
): Promise<StoredDraft[]> {
  // The first of several drafts with the same key is stored. The others get its response, as if they had arrived later.
  const names = drafts.map((draft) => draft.idempotency && nameOfKey(claimOf(draft)));
  const indexOfFirst = drafts.map((_, index) => (names[index] ? names.indexOf(names[index]) : index));
  const firsts = drafts.flatMap((draft, index) => {
    if (indexOfFirst[index] !== index) return [];
    const verdict = verdicts?.[index];
    return verdict?.isWithin ? { ...draft, capCounted: true, caps: verdict.caps } : draft;
  });
  const rows = await storeDrafts(db, firsts, verdicts ? 'count' : 'report');

  const unanswered = drafts.filter(({ id, idempotency }) => idempotency && !rows.get(id)?.sender);
  const answerTo = await answersTo(db, unanswered);

  return drafts.map((draft, index): StoredDraft => {
    const row = rows.get(draft.id);
    if (row?.sender) return { outcome: 'stored', sender: row.sender };
    const answer = answerTo.get(draft.id);
    if (answer === 'key_reused') return { outcome: 'key_reused' };
    if (answer) return { outcome: 'replayed', ...answer };
    const first = drafts[indexOfFirst[index]!]!;
    const isFirst = first === draft;
    const refused = rows.get(first.id);
    const refusal = refused?.refusal;
    if (refusal === 'capped') return { outcome: 'capped' };
    if (isFirst && refusal === 'sending_cap_reached') return reachedCap(verdicts![index]!);
    if (isFirst && refused && refusal) return toRefused(refused)!;
    // The sender is permitted, but the draft was not stored: another transaction holds the key. The same applies to a
    // draft that waited for a first one which was refused.
    return { outcome: row || !isFirst ? 'key_in_progress' : 'sender_refused' };
  });
}

/** Why a draft was not stored, as the statement returns it. */
export interface RefusedDraft {
  refusal: Refusal | null;
  /** Why a rule refuses the text. */
  reason: string | null;
}

type Refused = Exclude<UnkeyedOutcome, { outcome: 'stored' | 'sender_refused' }>;

/** Returns the outcome of a draft that was refused for another reason than a cap; null if nothing refuses it. */
export function toRefused({ refusal, reason }: RefusedDraft): Refused | null {
  switch (refusal) {
    case 'content_refused':
      return { outcome: refusal, reason: reason ?? '' };
    case 'recipient_opted_out':
    case 'destination_not_allowed':
      return { outcome: refusal };
    default:
      return null;
  }
}

function reachedCap(verdict: CapVerdict): StoredDraft {
  if (verdict.isWithin) throw new Error('A draft within its caps was refused by one.');
  return { outcome: 'sending_cap_reached', reached: verdict.reached };
}

/** @returns by draft id, the response that is stored under its key */
async function answersTo(
  db: Sql,
  drafts: KeyedDraft[],
): Promise<Map<string, Awaited<ReturnType<typeof findAnswers>>[number]>> {
  if (drafts.length === 0) return new Map();
  const now = new Date(Math.max(...drafts.map(({ createdAt }) => createdAt.getTime())));
  const answers = await findAnswers(db, drafts.map(claimOf), now);
  return new Map(drafts.map(({ id }, index) => [id, answers[index] ?? null]));
}

function claimOf({ organizationId, environment, idempotency }: KeyedDraft): OwnedKeyUse {
  const { key, route, digest } = idempotency!;
  return { organizationId, environment, key, route, digest };
}

const optionalColumns = {
  sealedText: 'text',
  sealedWebhookSecret: 'text',
  ignoresSuppression: 'boolean',
  answersInboundId: 'uuid',
} as const satisfies Columns<MessageDraft>;

const optional = Object.keys(optionalColumns) as (keyof typeof optionalColumns)[];

/** @returns null if no request is traced: then the statement is the one without details */
function detailsOf(drafts: MessageDraft[]): FirstDetails | null {
  const traced = drafts.flatMap(({ id, traceparent }) =>
    traceparent === undefined ? [] : [[id, { traceparent }] as const],
  );
  return traced.length === 0 ? null : Object.fromEntries(traced);
}

/** A draft that is counted, with the caps that it counts for. */
interface CountedDraft extends KeyedDraft {
  capCounted?: boolean;
  caps?: Cap[];
}

const draftColumns: Columns<CountedDraft> = {
  ...newMessageColumns,
  ...optionalColumns,
  recipientHash: 'text',
  idempotency: 'json',
};

const countedColumns: Columns<CountedDraft> = { ...draftColumns, capCounted: 'boolean', caps: 'json' };

const counted = sql`counted as (
      ${countUses(sql`
        select stored.organization_id, draft.caps from stored join draft on draft.id = stored.id
      `)}
    )`;

interface StoredRow extends RefusedDraft {
  sender: string | null;
}

/**
 * @returns by id, the drafts whose sender is permitted: with that sender, or null if they did not get their key or
 *   are refused
 */
async function storeDrafts(
  db: Sql,
  drafts: CountedDraft[],
  capCheck: CapCheck,
): Promise<Map<string, StoredRow>> {
  const isKeyed = drafts.some(({ idempotency }) => idempotency);
  const counts = capCheck === 'count';
  const values = isKeyed ? drafts.map(withKeyName) : drafts;
  const { rows } = await sql<StoredRow & { id: string }>`${prepared('store_messages')}
    with draft as (
      select * from ${recordset(values, 'draft', counts ? countedColumns : draftColumns)}
    ), judged as (
      select draft.*, ${senderOfDraft} as permitted_sender,
        ${draftRefusal(capCheck)} as refusal
      from draft
    ), permitted as (
      select * from judged where permitted_sender is not null and refusal is null
    ), ${isKeyed ? claimKeys : sql``}
    ${insertMessages(
      isKeyed ? sql`first_time` : sql`permitted`,
      counts ? [...optional, 'capCounted'] : optional,
      {
        ...{ sender: sql`permitted_sender`, details: detailsOf(drafts) },
      },
    )}${counts ? sql`, ${counted}` : sql``}
    select id, sender, null as refusal, null as reason from stored
    union all select id, null, refusal, case when refusal = 'content_refused' then ${contentReason} end
      from judged draft where permitted_sender is not null and refusal is not null
    ${isKeyed ? sql`union all select id, null, null, null from permitted where id not in (select id from first_time)` : sql``}
  `.execute(db);
  metrics.messagesCreated.inc({ source: 'single' }, rows.filter(({ sender }) => sender !== null).length);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

function withKeyName(draft: CountedDraft): CountedDraft {
  if (!draft.idempotency) return draft;
  const idempotency = { ...draft.idempotency, name: nameOfKey(claimOf(draft)) };
  return { ...draft, idempotency };
}

/**
 * `first_time` contains the drafts of `permitted` that have no key and those that got their key: no other transaction
 * holds it, and it is new or has expired. Keys are locked in sorted order, so that two processes cannot deadlock.
 */
const claimKeys = sql`key as materialized (
      select "organizationId", environment, permitted_sender, "createdAt", idempotency
      from permitted where idempotency is not null
    ), held as materialized (
      select key.*, ${tryHoldKey(sql`key.idempotency->>'name'`)} as is_held from key
    ), claimed as (
      ${insertAnswers(sql`
        select "organizationId", environment, idempotency->>'route', idempotency->>'key',
          decode(idempotency->>'digest', 'hex'), (idempotency->>'status')::smallint,
          (idempotency->'answer'->>0) || to_json(permitted_sender)::text || (idempotency->'answer'->>1), "createdAt"
        from held where is_held
        order by 1, 2, 3, 4
      `)}
      returning organization_id, environment, route, key
    ), first_time as (
      select permitted.* from permitted
      left join claimed on claimed.organization_id = permitted."organizationId"
        and claimed.environment = permitted.environment
        and claimed.route = permitted.idempotency->>'route' and claimed.key = permitted.idempotency->>'key'
      where permitted.idempotency is null or claimed.key is not null
    ),`;
