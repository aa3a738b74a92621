import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { AuditEvent } from './audit-event.entity.ts';

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
  return toCursorPage(events, page, toAuditEventRecord);
}

/** Converts a stored event to the record of openapi.yaml. */
export function toAuditEventRecord(event: AuditEvent): AuditEventRecord {
  const { id, organizationId, at, actorKind, actorId, action, subjectId, details } = event;
  return {
    id,
    organizationId,
    at: at.toISOString(),
    actor: { kind: actorKind, id: actorId },
    action,
    subjectId,
    details,
  };
}
