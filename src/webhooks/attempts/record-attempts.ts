import { sql } from 'kysely';
import type { Sql } from '../../database.ts';
import { webhookDead } from '../../notifications/notification-events.ts';
import type { NotificationEvent } from '../../notifications/notification-kinds.ts';
import { recordNotifications } from '../../notifications/record-notifications.ts';
import { metrics } from '../../metrics.ts';
import { prepared } from '../../prepared-statements.ts';
import { recordset, type Columns } from '../../recordset.ts';
import { isNextOfMessage } from '../delivery-rows.ts';

/** The outcome of one attempt, and the resulting state of its delivery. */
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
  /** When the next attempt is due; null if there is none. */
  dueAt: Date | null;
}

/**
 * Writes the outcomes of attempts. Then adds the next event of each message to the dispatch of the previous event; from
 * then on that dispatch delivers it.
 *
 * The two are separate statements on purpose. A process that stores an event whose previous event has not been
 * attempted leaves the new event to this function. So this function must look for it after its own commit; otherwise
 * both processes would miss it.
 */
export async function recordAttempts(db: Sql, outcomes: AttemptOutcome[]): Promise<void> {
  // Dead deliveries are few. They are written with their notifications in one transaction; the others need none.
  if (outcomes.some(({ status }) => status === 'dead')) {
    await db.transaction().execute(async (transaction) => {
      await notifyDeadWebhooks(transaction, await writeOutcomes(transaction, outcomes));
    });
  } else {
    await writeOutcomes(db, outcomes);
  }
  for (const { status, durationMs } of outcomes) {
    metrics.webhookAttempts.inc({ outcome: status });
    metrics.webhookDuration.observe(durationMs / 1000);
  }
  await releaseNextEvents(db, outcomes);
}

const outcomeColumns: Columns<AttemptOutcome> = {
  deliveryId: 'uuid',
  attempt: 'smallint',
  finishedAt: 'timestamptz',
  durationMs: 'integer',
  responseStatus: 'smallint',
  responseBody: 'text',
  error: 'text',
  status: 'text',
  dueAt: 'timestamptz',
};

/** @returns the deliveries that became dead */
async function writeOutcomes(db: Sql, outcomes: AttemptOutcome[]): Promise<DeadDelivery[]> {
  // The list tells the planner how few rows these are. Of a recordset it expects a hundred, and reads the whole table
  // while that is small.
  const ids = outcomes.map(({ deliveryId }) => deliveryId);
  const { rows } = await sql<DeadDelivery>`${prepared('record_attempts')}
    with outcome as (
      select * from ${recordset(outcomes, 'outcome', outcomeColumns)}
    ), attempted as (
      update webhook_attempts set
        duration_ms = "durationMs", response_status = "responseStatus", response_body = "responseBody",
        error = outcome.error
      from outcome where delivery_id = "deliveryId" and number = attempt and delivery_id = any(${ids}::uuid[])
    ), updated as (
      update webhook_deliveries delivery set
        status = outcome.status, due_at = "dueAt",
        delivered_at = case when outcome.status = 'delivered' then "finishedAt" end
      from outcome
      where delivery.id = "deliveryId" and delivery.id = any(${ids}::uuid[])
        and delivery.status in ('pending', 'retrying')
        -- An attempt that was considered lost may still end: its success counts, its failure does not.
        -- An attempt from before a redrive does not affect the budget after it.
        and (outcome.status = 'delivered' or (delivery.attempts = attempt and attempt > attempts_before))
      returning delivery.*
    )
    select id, message_id as "messageId", organization_id as "organizationId", environment, url
    from updated where status = 'dead' order by id
  `.execute(db);
  return rows;
}

type DeadDelivery = Parameters<typeof webhookDead>[0];

/** When a receiver is down, many deliveries die at once. Each event is notified once, for its first delivery. */
async function notifyDeadWebhooks(db: Sql, deliveries: DeadDelivery[]): Promise<void> {
  const now = new Date();
  const events = new Map<string, NotificationEvent>();
  for (const delivery of deliveries) {
    const event = webhookDead(delivery, now);
    if (!events.has(event.occurrence)) events.set(event.occurrence, event);
  }
  await recordNotifications(db, [...events.values()], now);
}

async function releaseNextEvents(db: Sql, outcomes: AttemptOutcome[]): Promise<void> {
  await sql`${prepared('release_next_events')}
    with ended as (
      select distinct on ("messageId") "messageId", "dispatchId"
      from ${recordset(outcomes, 'ended', { messageId: 'uuid', dispatchId: 'uuid' })}
    ), next as (
      select candidate.id, "dispatchId"
      from ended
      -- A completed dispatch no longer has a workflow. Then the sweep assigns the event.
      join dispatches on dispatches.id = "dispatchId" and kind = 'webhooks' and settled_at is null
      -- The offset makes the planner search by the message, for the reason that isNextOfMessage gives.
      cross join lateral (select * from webhook_deliveries where message_id = "messageId" offset 0) candidate
      where dispatch_id is null and status = 'pending' and ${isNextOfMessage}
    ), locked as (
      select id from webhook_deliveries
      where id in (select id from next) and dispatch_id is null
      order by id for no key update skip locked
    )
    update webhook_deliveries adopted set dispatch_id = "dispatchId"
    from next join locked using (id) where adopted.id = next.id
  `.execute(db);
}
