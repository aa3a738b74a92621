import { sql } from 'kysely';
import { isBatchCancelled } from '../../bulk-sms/run-batch/is-batch-cancelled.ts';
import { contentRefusal } from '../../content-rules/content-conditions.ts';
import type { Sql } from '../../database.ts';
import type { Environment } from '../../principal.ts';
import { prepared } from '../../prepared-statements.ts';
import {
  isDestinationRefused,
  isSendingCapped,
  isSendingHeld,
} from '../../sending-controls/sending-conditions.ts';
import { isSuppressed } from '../../suppressions/is-suppressed.ts';
import { insertEvents } from '../timeline/insert-events.ts';
import { messageRows } from '../message-rows.ts';

/** A message that only this process may submit, until its claim expires. */
export interface ClaimedMessage {
  id: string;
  organizationId: string;
  environment: Environment;
  sender: string;
  recipient: string;
  text: string;
  /** The text to submit instead of `text`, as base64; null for most messages. */
  sealedText: string | null;
  encoding: 'gsm7' | 'ucs2';
  attempts: number;
  /** Whether an earlier attempt is in doubt, so that this one may be a duplicate. */
  mayBeDuplicate: boolean;
}

/** Whether the recipient of a row of `messages` has opted out. False if the row ignores suppressions. */
const hasOptedOut = sql`(
  not ignores_suppression and ${isSuppressed('messages.organization_id', 'messages.recipient')}
)`;

/** Whether the organization of a row of `messages` may not send to its recipient. */
const isRefused = isDestinationRefused({
  organizationId: 'messages.organization_id',
  environment: 'messages.environment',
  recipient: 'messages.recipient',
});

/** Whether a rule refuses the text of a row of `messages`. Of a security code, this is the text with its code masked. */
const isContentRefused = sql`(${contentRefusal({
  organizationId: 'messages.organization_id',
  environment: 'messages.environment',
  text: 'messages.text',
})} is not null)`;

/** Whether a row of `messages` waits because an administrator holds it. */
export const isHeld = isSendingHeld({
  organizationId: 'messages.organization_id',
  environment: 'messages.environment',
});

/**
 * Whether a row of `messages` must be counted within the caps of its organization before it is submitted. Whoever stores
 * a single message or a security code counts it at once; the others are counted before their first attempt.
 */
export const isUncounted = (now: Date) => sql<boolean>`(
  ${isSendingCapped({
    organizationId: 'messages.organization_id',
    environment: 'messages.environment',
    at: sql`${now}::timestamptz`,
  })} and cap_counted is null and attempts = 0
)`;

/**
 * Whether the bulk batch of a row of `messages` was cancelled before anything of the message was submitted. False if an
 * attempt may be in progress or in doubt: then the outcome decides.
 */
const isCancelled = sql`(not outcome_unknown and ${isBatchCancelled('messages.bulk_batch_id')})`;

/**
 * Claims messages of a dispatch whose submission is due, and records each attempt before it starts.
 *
 * Organizations take turns: a claim takes the first message of each, then the second of each, and so on, up to the
 * limit. So the hundreds of one organization do not delay the one of another.
 *
 * A claim assumes the worst case: the outcome may never become known. It therefore delays the next attempt by the time
 * for which a submission in doubt waits for a report. Once the outcome is written, or a report arrives, the delay is
 * removed. If a process dies in between, the submission is in doubt but the message is not lost. If the activity runs
 * twice, the second run finds nothing due; while both claim, either may get fewer messages than it could.
 *
 * Messages whose recipient has opted out or is no allowed destination, whose text a rule refuses, or whose bulk batch
 * was cancelled, are left for `findUnsendableMessages`, messages that are held for `postponeHeldMessages`, and messages
 * that must be counted within caps for `admitCappedMessages`. Each claim checks this, so a cancelled batch or a held
 * organization submits only what was claimed before.
 *
 * @param claim.isShared `isSharedDispatch`; the messages of one organization need no turns, and are claimed for less
 * @param claim.claimSeconds the maximum duration of an attempt, plus the time to wait for a report
 */
export async function claimDueMessages(
  db: Sql,
  claim: { dispatchId: string; isShared: boolean; now: Date; limit: number; claimSeconds: number },
): Promise<ClaimedMessage[]> {
  const { isShared, now, claimSeconds } = claim;
  const { rows } = await sql<ClaimedMessage>`${prepared('claim_due_messages')}
    with ${isShared ? inTurn(claim) : inOrder(claim)}, claimed as (
      update messages set
        attempts = attempts + 1, outcome_unknown = true,
        due_at = ${now}::timestamptz + make_interval(secs => ${claimSeconds})
      from due where messages.id = due.id
      returning messages.id, organization_id, environment, sender, recipient, text, sealed_text, encoding, attempts,
        due.outcome_unknown as may_be_duplicate
    ), noted as (
      ${insertEvents(sql`
        select organization_id, id, ${now}, 'submission_attempted', null,
          jsonb_build_object('attempt', attempts, 'possibleDuplicate', may_be_duplicate)
        from claimed
      `)}
    )
    select id, organization_id as "organizationId", environment, sender, recipient, text,
      encode(sealed_text, 'base64') as "sealedText", encoding, attempts, may_be_duplicate as "mayBeDuplicate"
    from claimed
  `.execute(db);
  return rows;
}

type Claim = { dispatchId: string; now: Date; limit: number };

const claimable = ({ dispatchId, now }: Claim) => sql`
  dispatch_id = ${dispatchId} and status = 'queued' and due_at <= ${now} and valid_until > ${now}
  and not ${hasOptedOut} and not ${isCancelled} and not ${isRefused} and not ${isContentRefused}
  and not ${isHeld} and not ${isUncounted(now)}`;

/** The CTE `due` with the messages that are due first. */
const inOrder = (claim: Claim) => sql`due as (
      select id, outcome_unknown from messages where ${claimable(claim)}
      order by due_at, id limit ${claim.limit} for no key update skip locked
    )`;

/** The CTE `due` with the first messages of each organization. Rows cannot be locked while they are numbered. */
const inTurn = (claim: Claim) => sql`turn as (
      select id from (
        select id, due_at, row_number() over (partition by organization_id order by due_at, id) as turn
        from messages where ${claimable(claim)}
      ) numbered order by turn, due_at, id limit ${claim.limit}
    ), due as (
      select id, outcome_unknown from messages
      where id in (select id from turn) and status = 'queued' and due_at <= ${claim.now}
      order by id for no key update skip locked
    )`;

/** Why a message ends without another attempt. */
export type UnsendableReason =
  | 'cancelled'
  | 'validity_expired'
  | 'dlr_timeout'
  | 'recipient_opted_out'
  | 'destination_not_allowed'
  | 'content_refused';

/**
 * Returns the messages of a dispatch that must stop waiting: queued messages whose bulk batch was cancelled, whose
 * validity has ended, whose text a rule refuses, or whose recipient has opted out or is no allowed destination, unless
 * an attempt may be in progress, and submitted messages whose final report never arrived.
 */
export async function findUnsendableMessages(
  db: Sql,
  dispatchId: string,
  now: Date,
): Promise<{ id: string; reason: UnsendableReason }[]> {
  // The offset makes the planner read the dispatch first. Otherwise it may search the messages of all organizations for
  // one of these conditions.
  const { rows } = await sql<{ id: string; reason: UnsendableReason }>`${prepared('find_unsendable_messages')}
    select id, case
        when status <> 'queued' then 'dlr_timeout'
        when ${isCancelled} then 'cancelled'
        when valid_until <= ${now} then 'validity_expired'
        when ${isRefused} then 'destination_not_allowed'
        when ${hasOptedOut} then 'recipient_opted_out'
        else 'content_refused'
      end as reason
    from (
      select * from messages
      where dispatch_id = ${dispatchId} and ${messageRows.open} offset 0
    ) messages
    where (status = 'queued' and ${isCancelled})
      or (status = 'queued' and valid_until <= ${now} and (not outcome_unknown or due_at <= ${now}))
      or (status = 'queued' and due_at <= ${now} and (${hasOptedOut} or ${isRefused} or ${isContentRefused}))
      or (status in ('accepted', 'sent') and due_at <= ${now})
  `.execute(db);
  return rows;
}
