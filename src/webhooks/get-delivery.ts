import { sql } from 'kysely';
import { validate } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toAttemptRecord, type AttemptRow } from './delivery-record.ts';
import { readDelivery } from './redrive-deliveries.ts';

/** The maximum number of attempts that a response has. A delivery that is redriven often has more. */
const mostAttempts = 50;

/** Returns a delivery of the caller with its body and its latest attempts, newest first. Errors: not_found. */
export async function getDelivery(
  database: Database,
  principal: Principal,
  id: string,
): Promise<Schemas['WebhookDeliveryDetails']> {
  if (!validate(id)) throw notFound();
  return asTenant(database, principal, async (em) => {
    const db = em.getKysely<unknown>();
    const delivery = await readDelivery(db, id);
    if (!delivery || !principal.visibleEnvironments.includes(delivery.environment)) throw notFound();
    const { rows } = await sql<AttemptRow & { body: string }>`
      select body, number, started_at as "startedAt", duration_ms as "durationMs",
        response_status as "responseStatus", response_body as "responseBody", error
      from webhook_deliveries delivery left join webhook_attempts attempt on attempt.delivery_id = delivery.id
      where delivery.id = ${id} order by number desc limit ${mostAttempts}
    `.execute(db);
    const attempts = rows.flatMap((row) => toAttemptRecord(row) ?? []);
    return { delivery, body: rows[0]!.body, attempts };
  });
}
