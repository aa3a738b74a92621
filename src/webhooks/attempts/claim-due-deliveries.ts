import { sql } from 'kysely';
import type { Sql } from '../../database.ts';
import { prepared } from '../../prepared-statements.ts';
import { recordset } from '../../recordset.ts';
import { deliveryRows } from '../delivery-rows.ts';

/** A delivery that is due and not claimed yet. */
export interface DueDelivery {
  id: string;
  organizationId: string;
  url: string;
}

/** A webhook delivery that this process has claimed. Only this process attempts it until the claim expires. */
export interface ClaimedDelivery {
  id: string;
  organizationId: string;
  messageId: string;
  event: string;
  url: string;
  body: string;
  /** The signing secret, sealed for the organization, as base64. */
  sealedSecret: string | null;
  /** The number of the attempt that this claim recorded. */
  attempt: number;
  /** How many attempts the budget does not count: the attempts before the last redrive. */
  attemptsBefore: number;
}

/** How long after its claim an attempt without an outcome counts as lost: longer than an attempt can last. */
const claimSeconds = 30;

/** The maximum number of due deliveries that are read at a time: more than a dispatch holds. */
const dueAtOnce = 1000;

/**
 * Finds the due deliveries of a dispatch, longest overdue first, and the time until the next one is due, null if there
 * is none. It claims nothing: the caller first determines which hosts have slots.
 */
export async function findDueDeliveries(
  db: Sql,
  { dispatchId, now }: { dispatchId: string; now: Date },
): Promise<{ due: DueDelivery[]; nextDueInMs: number | null }> {
  const { rows } = await sql<DueDelivery & { dueAt: string }>`${prepared('find_due_deliveries')}
    select id, organization_id as "organizationId", url, due_at as "dueAt" from webhook_deliveries
    where dispatch_id = ${dispatchId} and ${deliveryRows.open}
    order by due_at, id limit ${dueAtOnce}
  `.execute(db);
  const waitOf = ({ dueAt }: { dueAt: string }): number => Date.parse(dueAt) - now.getTime();
  const next = rows.find((row) => waitOf(row) > 0);
  return { due: rows.filter((row) => waitOf(row) <= 0), nextDueInMs: next ? waitOf(next) : null };
}

/** Claims the deliveries that are still due, and records each attempt before it is made. */
export async function claimDeliveries(
  db: Sql,
  claim: { dispatchId: string; ids: string[]; now: Date },
): Promise<ClaimedDelivery[]> {
  const { dispatchId, ids, now } = claim;
  const { rows } = await sql<ClaimedDelivery>`${prepared('claim_deliveries')}
    with due as (
      select id from webhook_deliveries
      where id = any(${ids}::uuid[])
        and dispatch_id = ${dispatchId} and ${deliveryRows.open} and due_at <= ${now}
      order by due_at, id for no key update skip locked
    ), claimed as (
      update webhook_deliveries delivery set
        attempts = attempts + 1, due_at = ${now}::timestamptz + make_interval(secs => ${claimSeconds})
      from due where delivery.id = due.id
      returning delivery.id, organization_id, message_id, event, url, body, attempts, attempts_before
    ), noted as (
      insert into webhook_attempts (organization_id, delivery_id, number, started_at)
      select organization_id, id, attempts, ${now} from claimed
    )
    select claimed.id, claimed.organization_id as "organizationId", message_id as "messageId", event, url, body,
      claimed.attempts as attempt, attempts_before as "attemptsBefore",
      encode(sealed_webhook_secret, 'base64') as "sealedSecret"
    from claimed join messages on messages.id = message_id
  `.execute(db);
  return rows;
}

/** Postpones deliveries that have no slot. This does not count as an attempt. */
export async function postponeDeliveries(
  db: Sql,
  postponement: { dispatchId: string; now: Date; deliveries: { id: string; dueAt: Date }[] },
): Promise<void> {
  const { dispatchId, now, deliveries } = postponement;
  await sql`
    update webhook_deliveries delivery set due_at = later."dueAt"
    from ${recordset(deliveries, 'later', { id: 'uuid', dueAt: 'timestamptz' })}
    where delivery.id = later.id
      and dispatch_id = ${dispatchId} and ${deliveryRows.open} and due_at <= ${now}
  `.execute(db);
}
