import { sql } from 'kysely';
import { tablesOf, type Database } from '../database.ts';
import type { Inputs } from '../http/contract/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import type { AuditEvent } from './audit-event.entity.ts';
import { nameActors } from './name-actors.ts';
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
  const tables = tablesOf<typeof AuditEvent>(database.em);
  let events = tables
    .selectFrom('AuditEvent')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  if (organizationId !== undefined) events = events.where('organizationId', '=', organizationId);
  if (action !== undefined) events = events.where('action', '=', action);
  if (page.before !== null) events = events.where('id', '<', page.before);
  if (actorId === undefined) return toPage(await events.execute());
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
  return toPage(found);

  async function toPage(rows: AuditEvent[]): Promise<CursorPage<AuditEventRecord>> {
    const nameOf = await nameActors(database, rows);
    return toCursorPage(rows, page, (event) => toAuditEventRecord(event, nameOf(event)));
  }
}
