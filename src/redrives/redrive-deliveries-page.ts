import { sql } from 'kysely';
import { environments } from '../principal.ts';
import { toDate, type Stored } from '../stored-rows.ts';
import { attemptErrorCodes } from '../webhooks/attempts/attempt-errors.ts';
import { redriveDeadDeliveries } from '../webhooks/redrive-deliveries.ts';
import { rowsBeyondCursor } from './page-of-rows.ts';
import type { RedrivePage } from './redriven-page.ts';

/**
 * Takes a page of deliveries out of the dead-letter queue. A delivery that dies again is behind the cursor, so a
 * redrive takes each delivery once. A delivery that another request takes out at the same time is skipped.
 */
export const redriveDeliveriesPage: RedrivePage = async (db, redrive, { rows, maxRedriven, at }) => {
  const { errorCode, environment } = redrive;
  // The same code as from describeAttemptError: the stored code, or the code that follows from the HTTP status.
  const endedWith = sql`(
    select case
      when error is not null then case when error = any (${attemptErrorCodes}) then error else 'request_failed' end
      when response_status is null then 'request_failed'
      when response_status = 410 then 'gone'
      when response_status between 300 and 399 and response_status <> 304 then 'redirected'
      else 'http_error' end = ${errorCode} or response_status::text = ${errorCode}
    from webhook_attempts where delivery_id = looked_at.id and duration_ms is not null
    order by number desc limit 1
  )`;
  const { rows: lookedAt } = await sql<Stored<{ id: string; createdAt: Date; fits: boolean }>>`
    with looked_at as (
      ${rowsBeyondCursor(sql`webhook_deliveries`, 'dead', redrive, rows)}
    )
    select id, created_at as "createdAt",
      ${environment === null ? sql`true` : sql`environment = ${environment}`}
        and ${errorCode === null ? sql`true` : sql`coalesce(${endedWith}, false)`} as fits
    from looked_at order by created_at, id
  `.execute(db);
  const limiting = lookedAt.filter(({ fits }) => fits)[maxRedriven - 1];
  const page = limiting ? lookedAt.slice(0, lookedAt.indexOf(limiting) + 1) : lookedAt;
  const ids = page.filter(({ fits }) => fits).map(({ id }) => id);
  const redriven = ids.length > 0 ? await redriveDeadDeliveries(db, { ids, at, environments }) : [];
  const last = page.at(-1);
  return {
    last: last ? { id: last.id, createdAt: toDate(last.createdAt) } : null,
    exhausted: lookedAt.length < rows && page.length === lookedAt.length,
    redriven,
    skipped: redriven.length < ids.length ? { not_dead: ids.length - redriven.length } : {},
  };
};
