import { sql } from 'kysely';
import { validate } from 'uuid';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Principal } from '../principal.ts';
import type { Database, Sql } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { ApiError, notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { selectDeliveries, toDeliveryRecord, type DeliveryRecord } from './delivery-record.ts';
import type { DeliveryStatus } from './webhook-delivery.entity.ts';

/** What can be done with a delivery that is not dead. */
const nextStepByStatus: Record<Exclude<DeliveryStatus, 'dead'>, string> = {
  pending: 'is attempted without being asked; wait for its end',
  retrying: 'is attempted again at nextAttemptAt; wait for its end',
  delivered: 'was taken by the receiver, so there is nothing left to do',
};

/** Makes the redrive of one delivery of the caller. Errors: not_found, invalid_state. */
export function createRedriveDelivery(dependencies: {
  database: Database;
  startWebhooks: (row: DispatchRow) => void;
  now: () => Date;
}): (principal: Principal, id: string) => Promise<DeliveryRecord> {
  const { database, startWebhooks, now } = dependencies;
  return async (principal, id) => {
    if (!validate(id)) throw notFound();
    const record = await asTenant(database, principal, async (em) => {
      const db = em.getKysely<unknown>();
      const redriven = await redriveDeadDeliveries(db, {
        ids: [id],
        at: now(),
        environments: principal.sees,
      });
      const delivery = await readDelivery(db, id);
      if (!delivery || !principal.sees.includes(delivery.environment)) throw notFound();
      if (redriven.length === 0) throw notDeadError(delivery.status);
      recordAuditEvent(em, principal, redriveEvent(delivery));
      return delivery;
    });
    startWebhooks(record);
    return record;
  };
}

/**
 * Takes deliveries out of the dead-letter queue: each that is dead is pending again, with a fresh budget of
 * attempts, unclaimed, due at once. One guarded statement, so of two redrives at the same time one does it;
 * ids of others, and of deliveries that are not dead, change nothing.
 *
 * Attempts are numbered on, for they are kept. What the budget counts begins after those made so far.
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
      where id = any(${ids}::uuid[]) and status = 'dead' and environment = any(${[...environments]}::text[])
      order by id for no key update
    )
    update webhook_deliveries delivery set
      status = 'pending', attempts_before = attempts, dispatch_id = null, due_at = ${at}
    from dead where delivery.id = dead.id
    returning delivery.id, organization_id as "organizationId"
  `.execute(db);
  return rows;
}

/** Reads one delivery as it is now. */
export async function readDelivery(db: Sql, id: string): Promise<DeliveryRecord | null> {
  const { rows } = await selectDeliveries(sql`(select * from webhook_deliveries where id = ${id})`).execute(
    db,
  );
  return rows[0] ? toDeliveryRecord(rows[0]) : null;
}

/** The refusal of a delivery that is in another state. */
export function notDeadError(status: DeliveryStatus): ApiError {
  const wayOn = status === 'dead' ? 'has just changed; try again' : nextStepByStatus[status];
  return new ApiError(
    'invalid_state',
    `The delivery is ${status}, and only a dead one can be redriven: this one ${wayOn}.`,
  );
}

/** How the audit log tells of a redrive. */
export function redriveEvent({ id, messageId, event, attempts }: DeliveryRecord) {
  return {
    action: 'webhook_delivery.redriven',
    subjectId: id,
    details: { messageId, event, attempts },
  } as const;
}
