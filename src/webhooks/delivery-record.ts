import { sql, type RawBuilder } from 'kysely';
import type { Schemas } from '../http/contract/contract-types.ts';
import { describeAttemptError } from './attempts/attempt-errors.ts';
import { toIsoTime } from '../stored-rows.ts';

/** A webhook delivery as every endpoint returns it. */
export type DeliveryRecord = Schemas['WebhookDelivery'];

/** The columns of a delivery and its last attempt from which the record is built; times as PostgreSQL writes them. */
export interface DeliveryRow extends Omit<DeliveryRecord, 'lastAttempt'>, AttemptRow {}

/** The columns of an attempt; `number` is null where there is none. */
export interface AttemptRow {
  number: number | null;
  startedAt: string;
  durationMs: number | null;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
}

/**
 * Selects the rows from which records are built.
 *
 * @param deliveries the FROM item: rows of webhook_deliveries, from a table or a subquery
 */
export function selectDeliveries(deliveries: RawBuilder<unknown>): RawBuilder<DeliveryRow> {
  return sql<DeliveryRow>`
    select delivery.id, message_id as "messageId", delivery.organization_id as "organizationId", environment,
      event, url, status, attempts, due_at as "nextAttemptAt", created_at as "createdAt",
      delivered_at as "deliveredAt", number, started_at as "startedAt", duration_ms as "durationMs",
      response_status as "responseStatus", response_body as "responseBody", error
    from ${deliveries} delivery
    left join webhook_attempts attempt on attempt.delivery_id = delivery.id and number = attempts
    order by delivery.id desc
  `;
}

export function toDeliveryRecord(row: DeliveryRow): DeliveryRecord {
  const { number, startedAt, durationMs, responseStatus, responseBody, error, ...delivery } = row;
  return {
    ...delivery,
    nextAttemptAt: toIsoTime(row.nextAttemptAt),
    createdAt: toIsoTime(row.createdAt),
    deliveredAt: toIsoTime(row.deliveredAt),
    lastAttempt: toAttemptRecord({ number, startedAt, durationMs, responseStatus, responseBody, error }),
  };
}

/** An attempt as every endpoint returns it; null where there is none. */
export function toAttemptRecord(row: AttemptRow): Schemas['WebhookAttempt'] | null {
  const { number, startedAt, durationMs, responseStatus, responseBody, error } = row;
  if (number === null) return null;
  return {
    number,
    at: toIsoTime(startedAt),
    durationMs,
    httpStatus: responseStatus,
    response: responseBody,
    error: durationMs === null ? null : describeAttemptError({ status: responseStatus, error }),
  };
}
