import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../principal.ts';
import { AuditEvent, type AuditAction } from './audit-event.entity.ts';

/** Adds an event to the audit log with the caller's own flush: the action and its event are one commit. */
export function recordAuditEvent(
  em: EntityManager,
  principal: {
    /** `system` is an operator at the command line, or the service itself. */
    actor: Principal['actor'] | { kind: 'system'; id: null };
    impersonatedBy: string | null;
    organizationId: string | null;
  },
  event: { action: AuditAction; subjectId: string; details?: Record<string, unknown> },
): void {
  em.create(AuditEvent, {
    id: uuidv7(),
    organizationId: principal.organizationId,
    at: new Date(),
    actorKind: principal.actor.kind,
    actorId: principal.actor.id,
    action: event.action,
    subjectId: event.subjectId,
    details: {
      ...event.details,
      ...(principal.impersonatedBy !== null && { impersonatedBy: principal.impersonatedBy }),
    },
  });
}
