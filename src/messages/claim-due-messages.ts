import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import type { Environment } from '../principal.ts';
import { isSuppressed } from '../suppressions/is-suppressed.ts';

/** A message that is this process's to submit, until its claim runs out. */
export interface ClaimedMessage {
  id: string;
  environment: Environment;
  sender: string;
  recipient: string;
  text: string;
  /** To be submitted in place of `text`, as base64; null for most messages. */
  sealedText: string | null;
  encoding: 'gsm7' | 'ucs2';
  attempts: number;
}

/** Whether the recipient of a row of `messages` has opted out, as far as that row cares. */
const hasOptedOut = sql`(
  not ignores_suppression and ${isSuppressed('messages.organization_id', 'messages.recipient')}
)`;

/**
 * Claims messages of a dispatch whose submission is due, and writes each attempt down before it is made.
 *
 * A claim assumes the worst: that the outcome will never be known. So it puts the next attempt off by the
 * time a doubt lasts; the outcome, when it is written, or a report, takes that back. A process that dies in
 * between therefore leaves a doubt, not a loss, and one that runs twice finds nothing due. Messages whose
 * recipient has opted out are left for `findUnsendableMessages`.
 *
 * @param claim.claimSeconds how long an attempt can last, and then a report is waited for
 */
export async function claimDueMessages(
  db: Sql,
  claim: { dispatchId: string; now: Date; limit: number; claimSeconds: number },
): Promise<ClaimedMessage[]> {
  const { dispatchId, now, limit, claimSeconds } = claim;
  const { rows } = await sql<ClaimedMessage>`
    with due as (
      select id, outcome_unknown from messages
      where dispatch_id = ${dispatchId} and status = 'queued' and due_at <= ${now} and valid_until > ${now}
        and not ${hasOptedOut}
      order by due_at, id limit ${limit} for no key update skip locked
    ), claimed as (
      update messages set
        attempts = attempts + 1, outcome_unknown = true,
        due_at = ${now}::timestamptz + make_interval(secs => ${claimSeconds})
      from due where messages.id = due.id
      returning messages.id, organization_id, environment, sender, recipient, text, sealed_text, encoding, attempts,
        due.outcome_unknown as may_be_duplicate
    ), noted as (
      insert into message_events (organization_id, message_id, at, kind, details)
      select organization_id, id, ${now}, 'submission_attempted',
        jsonb_build_object('attempt', attempts, 'possibleDuplicate', may_be_duplicate)
      from claimed
    )
    select id, environment, sender, recipient, text, encode(sealed_text, 'base64') as "sealedText", encoding, attempts
    from claimed
  `.execute(db);
  return rows;
}

/** Why a message is given up. */
export type UnsendableErrorCode = 'validity_expired' | 'dlr_timeout' | 'recipient_opted_out';

/**
 * Names the messages of a dispatch that may wait no longer: queued ones whose validity is over or whose
 * recipient has opted out, unless an attempt may just be under way, and submitted ones whose final report
 * never came.
 */
export async function findUnsendableMessages(
  db: Sql,
  dispatchId: string,
  now: Date,
): Promise<{ id: string; errorCode: UnsendableErrorCode }[]> {
  // The offset keeps the planner to the dispatch: it would look for one of these conditions among everyone's messages.
  const { rows } = await sql<{ id: string; errorCode: UnsendableErrorCode }>`
    select id, case
        when status <> 'queued' then 'dlr_timeout'
        when valid_until <= ${now} then 'validity_expired'
        else 'recipient_opted_out'
      end as "errorCode"
    from (
      select * from messages
      where dispatch_id = ${dispatchId} and status in ('queued', 'accepted', 'sent') offset 0
    ) messages
    where (status = 'queued' and valid_until <= ${now} and (not outcome_unknown or due_at <= ${now}))
      or (status = 'queued' and due_at <= ${now} and ${hasOptedOut})
      or (status in ('accepted', 'sent') and due_at <= ${now})
  `.execute(db);
  return rows;
}
