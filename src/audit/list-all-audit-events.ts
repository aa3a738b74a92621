import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { Inputs } from '../http/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import type { AuditEvent } from './audit-event.entity.ts';
import { toAuditEventRecord, type AuditEventRecord } from './list-audit-events.ts';

/**
 * Lists the changes on the whole platform with their actors, newest first; an event must match all given filters. An
 * actor is found directly and as the administrator who impersonates a user. For administrators.
 */
export async function listAllAuditEvents(
  database: Database,
  filter: Inputs['listAllAuditEvents']['query'],
  page: CursorQuery,
): Promise<CursorPage<AuditEventRecord>> {
  const { organizationId, action, actorId } = filter;
  const conditions = sql.join(
    [
      sql`true`,
      ...(organizationId === undefined ? [] : [sql`organization_id = ${organizationId}`]),
      ...(action === undefined ? [] : [sql`action = ${action}`]),
      ...(page.before === null ? [] : [sql`id < ${page.before}`]),
    ],
    sql` and `,
  );
  // Direct actions and actions while impersonating are each read from their own index, newest first, so that the cost
  // depends on the page size only. Administrators cannot impersonate themselves, so no event occurs twice.
  const ways =
    actorId === undefined
      ? [sql`true`]
      : [sql`actor_id = ${actorId}`, sql`details ->> 'impersonatedBy' = ${actorId}`];
  const limit = page.limit + 1;
  const parts = ways.map(
    (way) => sql`(select * from audit_events where ${conditions} and ${way} order by id desc limit ${limit})`,
  );
  const { rows } = await sql<Omit<AuditEvent, 'at'> & { at: string }>`
    select id, organization_id as "organizationId", at, actor_kind as "actorKind", actor_id as "actorId",
      action, subject_id as "subjectId", details
    from (${sql.join(parts, sql` union all `)}) events
    order by id desc limit ${limit}
  `.execute(sqlOf(database));
  return toCursorPage(rows, page, (row) => toAuditEventRecord({ ...row, at: new Date(row.at) }));
}
