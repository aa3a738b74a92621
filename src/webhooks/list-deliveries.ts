import { sql, type RawBuilder } from 'kysely';
import { validate } from 'uuid';
import type { Environment, Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Inputs } from '../http/contract/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import {
  selectDeliveries,
  toDeliveryRecord,
  type DeliveryRecord,
  type DeliveryRow,
} from './delivery-record.ts';
import { deliveryStatuses } from './webhook-delivery.entity.ts';

/** Which deliveries to list, and how many. */
export type DeliveryQuery = Pick<Inputs['listWebhookDeliveries']['query'], 'status' | 'messageId'> &
  CursorQuery;

/** Lists the caller's deliveries, newest first. */
export async function listDeliveries(
  database: Database,
  principal: Principal,
  query: DeliveryQuery,
): Promise<CursorPage<DeliveryRecord>> {
  const { organizationId, visibleEnvironments } = principal;
  if (query.messageId !== undefined && !validate(query.messageId)) {
    return toCursorPage([], query, toDeliveryRecord);
  }
  const { rows } = await asTenant(database, principal, (em) =>
    selectDeliveriesOf({ organizationId, environments: visibleEnvironments }, query).execute(
      em.getKysely<unknown>(),
    ),
  );
  return toCursorPage(rows, query, toDeliveryRecord);
}

/**
 * Selects the newest deliveries of an organization, one more than the limit. The index is ordered by environment and
 * status, so the newest of each are read and merged. The cost depends on the page size only, not on the number of
 * stored rows or on how rare the status is.
 */
export function selectDeliveriesOf(
  owner: { organizationId: string; environments: readonly Environment[] },
  { status, messageId, limit, before }: Omit<DeliveryQuery, 'list'>,
): RawBuilder<DeliveryRow> {
  const statuses = status === undefined ? deliveryStatuses : [status];
  const older = before === null ? sql`true` : sql`candidate.id < ${before}`;
  // A message has a handful of deliveries, which the index of its events finds.
  if (messageId !== undefined) {
    return selectDeliveries(sql`(
      select * from webhook_deliveries candidate
      where message_id = ${messageId} and organization_id = ${owner.organizationId}
        and environment = any(${[...owner.environments]}::text[]) and candidate.status = any(${[...statuses]}::text[])
        and ${older}
      order by candidate.id desc limit ${limit + 1}
    )`);
  }
  return selectDeliveries(sql`(
    select newest.* from unnest(${[...owner.environments]}::text[]) as one(environment)
    cross join unnest(${[...statuses]}::text[]) as other(status)
    cross join lateral (
      select * from webhook_deliveries candidate
      where organization_id = ${owner.organizationId} and candidate.environment = one.environment
        and candidate.status = other.status and ${older}
      order by candidate.id desc limit ${limit + 1}
    ) newest
    order by newest.id desc limit ${limit + 1}
  )`);
}
