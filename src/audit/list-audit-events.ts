import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { AuditEvent } from './audit-event.entity.ts';
import { nameActors } from './name-actors.ts';

export type AuditEventRecord = Schemas['AuditEvent'];

/** Lists the changes in the caller's organization with their actors, newest first. */
export async function listAuditEvents(
  database: Database,
  principal: Principal,
  page: CursorQuery,
): Promise<CursorPage<AuditEventRecord>> {
  const events = await asTenant(database, principal, (em) =>
    em.find(AuditEvent, page.before ? { id: { $lt: page.before } } : {}, {
      orderBy: { id: 'desc' },
      limit: page.limit + 1,
    }),
  );
  const nameOf = await nameActors(database, events);
  return toCursorPage(events, page, (event) => toAuditEventRecord(event, nameOf(event)));
}

/** Converts a stored event to the record of openapi.yaml, with the name of its actor. */
export function toAuditEventRecord(event: AuditEvent, name: string | null): AuditEventRecord {
  const { id, organizationId, at, actorKind, actorId, action, subjectId, details } = event;
  return {
    id,
    organizationId,
    at: at.toISOString(),
    actor: { kind: actorKind, id: actorId, name },
    action,
    subjectId,
    details,
  };
}
