import { sql } from 'kysely';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Principal } from '../principal.ts';
import type { Database, Sql } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { ApiError, notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { selectDeliveries, toDeliveryRecord, type DeliveryRecord } from './delivery-record.ts';
import type { DeliveryStatus } from './webhook-delivery.entity.ts';

/** What the caller can do with a delivery that is not dead. */
const nextStepByStatus: Record<Exclude<DeliveryStatus, 'dead'>, string> = {
  pending: 'is attempted automatically; wait for the result',
  retrying: 'is attempted again at nextAttemptAt; wait for the result',
  delivered: 'was accepted by the receiver, so no action is needed',
};

/** Creates the function that redrives one delivery of the caller. Errors: not_found, invalid_state. */
export function createRedriveDelivery(dependencies: {
  database: Database;
  startWebhooks: (row: DispatchRow) => void;
  now: () => Date;
}): (principal: Principal, id: string) => Promise<DeliveryRecord> {
  const { database, startWebhooks, now } = dependencies;
  return async (principal, id) => {
    const record = await asTenant(database, principal, async (em) => {
      const db = em.getKysely<unknown>();
      const redriven = await redriveDeadDeliveries(db, {
        ids: [id],
        at: now(),
        environments: principal.visibleEnvironments,
      });
      const delivery = await readDelivery(db, id);
      if (!delivery || !principal.visibleEnvironments.includes(delivery.environment)) throw notFound();
      if (redriven.length === 0) throw notDeadError(delivery.status);
      recordAuditEvent(em, principal, redriveEvent(delivery));
      return delivery;
    });
    startWebhooks(record);
    return record;
  };
}

/**
 * Takes deliveries out of the dead-letter queue. Each dead delivery becomes pending again, with a new budget of
 * attempts, unassigned and due at once. One statement checks and changes the status, so only one of two concurrent
 * redrives takes effect. The ids of other organizations' deliveries, and of deliveries that are not dead, have no
 * effect.
 *
 * Earlier attempts are kept, so the numbering continues. The new budget counts only the attempts after them.
 *
 * @returns the deliveries that were redriven; start a dispatch for them after the commit, or leave that to the sweep
 */
export async function redriveDeadDeliveries(
  db: Sql,
  redrive: { ids: string[]; at: Date; environments: readonly string[] },
): Promise<DispatchRow[]> {
  const { ids, at, environments } = redrive;
  const { rows } = await sql<DispatchRow>`
    with dead as (
      select id from webhook_deliveries
      where id = any(${ids}::uuid[]) and status = 'dead' and body <> '' and environment = any(${[...environments]}::text[])
      order by id for no key update
    )
    update webhook_deliveries delivery set
      status = 'pending', attempts_before = attempts, dispatch_id = null, due_at = ${at}
    from dead where delivery.id = dead.id
    returning delivery.id, organization_id as "organizationId"
  `.execute(db);
  return rows;
}

/** Reads the current state of one delivery. */
export async function readDelivery(db: Sql, id: string): Promise<DeliveryRecord | null> {
  const { rows } = await selectDeliveries(sql`(select * from webhook_deliveries where id = ${id})`).execute(
    db,
  );
  return rows[0] ? toDeliveryRecord(rows[0]) : null;
}

/** Creates the error for a delivery that is not dead. */
export function notDeadError(status: DeliveryStatus): ApiError {
  const nextStep =
    status === 'dead' ? 'has just changed, or its body was discarded' : nextStepByStatus[status];
  return new ApiError(
    'invalid_state',
    `The delivery is ${status}, and only a dead one can be redriven: this one ${nextStep}.`,
  );
}

/** The audit event of a redrive. */
export function redriveEvent({ id, messageId, event, attempts }: DeliveryRecord) {
  return {
    action: 'webhook_delivery.redriven',
    subjectId: id,
    details: { messageId, event, attempts },
  } as const;
}
