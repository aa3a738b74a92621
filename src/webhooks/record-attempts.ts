import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/** The outcome of one attempt, and what it makes of its delivery. */
export interface AttemptOutcome {
  deliveryId: string;
  messageId: string;
  dispatchId: string;
  attempt: number;
  finishedAt: Date;
  durationMs: number;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  status: 'delivered' | 'retrying' | 'dead';
  /** When the next attempt is due; null when there is none. */
  dueAt: Date | null;
}

/**
 * Writes the outcomes of attempts, then lets the next event of each message join the dispatch of the one
 * before: from now on it is that dispatch which carries it.
 *
 * The two are separate statements on purpose. Whoever stores an event and finds its forerunner unattempted
 * leaves it to us; so we must look for it after our own commit, or both would miss it.
 */
export async function recordAttempts(db: Sql, outcomes: AttemptOutcome[]): Promise<void> {
  await writeOutcomes(db, outcomes);
  await adoptNextEvents(db, outcomes);
}

async function writeOutcomes(db: Sql, outcomes: AttemptOutcome[]): Promise<void> {
  await sql`
    with outcome as (
      select * from json_to_recordset(${JSON.stringify(outcomes)}::json) as outcome(
        "deliveryId" uuid, "attempt" smallint, "finishedAt" timestamptz, "durationMs" integer,
        "responseStatus" smallint, "responseBody" text, "error" text, "status" text, "dueAt" timestamptz
      )
    ), attempted as (
      update webhook_attempts set
        duration_ms = "durationMs", response_status = "responseStatus", response_body = "responseBody",
        error = outcome.error
      from outcome where delivery_id = "deliveryId" and number = attempt
    )
    update webhook_deliveries delivery set
      status = outcome.status, due_at = "dueAt",
      delivered_at = case when outcome.status = 'delivered' then "finishedAt" end
    from outcome
    where delivery.id = "deliveryId" and delivery.status in ('pending', 'retrying')
      -- An attempt that was taken for lost may still end: its success counts, its failure does not.
      -- One from before a redrive says nothing of the budget since.
      and (outcome.status = 'delivered' or (delivery.attempts = attempt and attempt > attempts_before))
  `.execute(db);
}

async function adoptNextEvents(db: Sql, outcomes: AttemptOutcome[]): Promise<void> {
  await sql`
    with ended as (
      select distinct on ("messageId") "messageId", "dispatchId"
      from json_to_recordset(${JSON.stringify(outcomes)}::json) as ended("messageId" uuid, "dispatchId" uuid)
    ), next as (
      select candidate.id, "dispatchId"
      from ended join webhook_deliveries candidate on message_id = "messageId"
      -- A dispatch that is settled already has no workflow any more: then the sweep is the one to claim the event.
      join dispatches on dispatches.id = "dispatchId" and kind = 'webhooks' and settled_at is null
      where dispatch_id is null and status = 'pending' and not exists (
        select from webhook_deliveries earlier
        where earlier.message_id = candidate.message_id
          and earlier.position < candidate.position and earlier.status = 'pending'
      )
      order by candidate.id for no key update of candidate skip locked
    )
    update webhook_deliveries adopted set dispatch_id = "dispatchId" from next where adopted.id = next.id
  `.execute(db);
}
