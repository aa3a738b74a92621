import { sql } from 'kysely';
import { validate } from 'uuid';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { environments, type Principal } from '../principal.ts';
import { sqlOf, type Database } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { notFound } from '../errors.ts';
import { toCursorPage, type CursorPage } from '../http/cursor.ts';
import { selectDeliveries, toDeliveryRecord, type DeliveryRecord } from './delivery-record.ts';
import { selectDeliveriesOf, type DeliveryQuery } from './list-deliveries.ts';
import { notDeadError, readDelivery, redriveDeadDeliveries, redriveEvent } from './redrive-deliveries.ts';

/** Lists the deliveries of all organizations, or of one, newest first. An unknown organization has no deliveries. */
export async function listAllDeliveries(
  database: Database,
  { organizationId, ...query }: DeliveryQuery & { organizationId?: string | undefined },
): Promise<CursorPage<DeliveryRecord>> {
  const { status, limit, before } = query;
  if (organizationId !== undefined && !validate(organizationId))
    return toCursorPage([], limit, toDeliveryRecord);
  const select =
    organizationId !== undefined
      ? selectDeliveriesOf({ organizationId, environments }, query)
      : selectDeliveries(sql`(
          select * from webhook_deliveries
          where ${status === undefined ? sql`true` : sql`status = ${status}`}
            and ${before === null ? sql`true` : sql`id < ${before}`}
          order by id desc limit ${limit + 1}
        )`);
  const { rows } = await select.execute(sqlOf(database));
  return toCursorPage(rows, limit, toDeliveryRecord);
}

/**
 * Creates the function that redrives any delivery for an administrator. The audit event belongs to the delivery's
 * organization.
 *
 * Errors: not_found, invalid_state.
 */
export function createRedriveAnyDelivery(dependencies: {
  database: Database;
  startWebhooks: (row: DispatchRow) => void;
  now: () => Date;
}): (administrator: Pick<Principal, 'actor' | 'impersonatedBy'>, id: string) => Promise<DeliveryRecord> {
  const { database, startWebhooks, now } = dependencies;
  return async (administrator, id) => {
    const record = await database.em.fork().transactional(async (em) => {
      const db = em.getKysely<unknown>();
      const redriven = await redriveDeadDeliveries(db, { ids: [id], at: now(), environments });
      const delivery = await readDelivery(db, id);
      if (!delivery) throw notFound();
      if (redriven.length === 0) throw notDeadError(delivery.status);
      const { organizationId } = delivery;
      recordAuditEvent(em, { ...administrator, organizationId }, redriveEvent(delivery));
      return delivery;
    });
    startWebhooks(record);
    return record;
  };
}
