import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/** A webhook delivery that is this process's to attempt, until its claim runs out. */
export interface ClaimedDelivery {
  id: string;
  messageId: string;
  event: string;
  url: string;
  body: string;
  secret: string | null;
  /** The number of the attempt that was written down by this claim. */
  attempt: number;
}

/**
 * How long after its claim an attempt without an outcome is taken for lost: longer than an attempt can last.
 */
const claimSeconds = 30;

/** Claims deliveries of a dispatch that are due, and writes each attempt down before it is made. */
export async function claimDueDeliveries(
  db: Sql,
  claim: { dispatchId: string; now: Date; limit: number },
): Promise<ClaimedDelivery[]> {
  const { dispatchId, now, limit } = claim;
  const { rows } = await sql<ClaimedDelivery>`
    with due as (
      select id from webhook_deliveries
      where dispatch_id = ${dispatchId} and status in ('pending', 'retrying') and due_at <= ${now}
      order by due_at, id limit ${limit} for no key update skip locked
    ), claimed as (
      update webhook_deliveries delivery set
        attempts = attempts + 1, due_at = ${now}::timestamptz + make_interval(secs => ${claimSeconds})
      from due where delivery.id = due.id
      returning delivery.id, organization_id, message_id, event, url, body, attempts
    ), noted as (
      insert into webhook_attempts (organization_id, delivery_id, number, started_at)
      select organization_id, id, attempts, ${now} from claimed
    )
    select claimed.id, message_id as "messageId", event, url, body,
      claimed.attempts as attempt, webhook_secret as secret
    from claimed join messages on messages.id = message_id
  `.execute(db);
  return rows;
}
