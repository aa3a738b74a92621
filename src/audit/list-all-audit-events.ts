import { sql } from 'kysely';
import { tablesOf, type Database } from '../database.ts';
import { toCursorPage, type CursorPage } from '../http/cursor.ts';
import type { AuditAction, AuditEvent } from './audit-event.entity.ts';
import { toAuditEventRecord, type AuditEventRecord } from './list-audit-events.ts';

/** The filters of an administrator's query. An event must match all given filters. */
export interface AuditEventFilter {
  organizationId?: string;
  action?: AuditAction;
  /** The actor, either directly or as the administrator who impersonates a user. */
  actorId?: string;
}

/** Lists the changes on the whole platform with their actors, newest first. For administrators. */
export async function listAllAuditEvents(
  database: Database,
  filter: AuditEventFilter,
  page: { limit: number; before: string | null },
): Promise<CursorPage<AuditEventRecord>> {
  const { organizationId, action, actorId } = filter;
  const tables = tablesOf<typeof AuditEvent>(database.em);
  let events = tables
    .selectFrom('AuditEvent')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  if (organizationId !== undefined) events = events.where('organizationId', '=', organizationId);
  if (action !== undefined) events = events.where('action', '=', action);
  if (page.before !== null) events = events.where('id', '<', page.before);
  if (actorId === undefined) return toCursorPage(await events.execute(), page.limit, toAuditEventRecord);
  // Direct actions and actions while impersonating are each read from their own index, newest first, so that the cost
  // depends on the page size only. Administrators cannot impersonate themselves, so no event occurs twice.
  const direct = events.where('actorId', '=', actorId);
  const impersonating = events.where(sql<string>`details ->> 'impersonatedBy'`, '=', actorId);
  const found = await tables
    .selectFrom(direct.as('direct'))
    .selectAll()
    .unionAll(tables.selectFrom(impersonating.as('impersonating')).selectAll())
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return toCursorPage(found, page.limit, toAuditEventRecord);
}
