import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuditAction } from '../audit/audit-event.entity.ts';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { LiveSession } from './sessions/find-session.ts';

type Fields = Record<string, unknown>;

/**
 * The account endpoints whose success is recorded in the audit log, by their path below /api/auth, with the field of
 * better-auth's response that holds the changed record; null: the response is the record.
 */
const auditedPaths: Record<string, [action: AuditAction, field: 'invitation' | 'member' | 'user' | null]> = {
  '/organization/invite-member': ['invitation.created', null],
  '/organization/accept-invitation': ['invitation.accepted', 'invitation'],
  '/organization/reject-invitation': ['invitation.rejected', 'invitation'],
  '/organization/cancel-invitation': ['invitation.cancelled', null],
  '/organization/update-member-role': ['member.role_changed', null],
  '/organization/remove-member': ['member.removed', 'member'],
  '/organization/leave': ['member.removed', null],
  '/admin/create-user': ['user.created', 'user'],
  '/admin/impersonate-user': ['user.impersonated', 'user'],
  '/admin/set-role': ['user.role_changed', 'user'],
  '/admin/ban-user': ['user.banned', 'user'],
  '/admin/unban-user': ['user.unbanned', 'user'],
};

/** Whether the audit log records the success of a path below /api/auth. */
export function isAudited(path: string): boolean {
  return Object.hasOwn(auditedPaths, path);
}

/**
 * Adds the change of an account endpoint to the audit log, with the flush of the transaction that made the change.
 *
 * @param path an audited path below /api/auth
 * @param answer the response of better-auth
 */
export function auditAccountChange(
  em: EntityManager,
  session: LiveSession,
  path: string,
  answer: Fields,
): void {
  const [action, field] = auditedPaths[path]!;
  const { id, organizationId, userId, role } = (field === null ? answer : answer[field]) as Fields;
  recordAuditEvent(
    em,
    {
      actor: { kind: 'user', id: session.userId },
      impersonatedBy: session.impersonatedBy,
      organizationId: typeof organizationId === 'string' ? organizationId : null,
    },
    {
      action,
      subjectId: String(id),
      details: {
        ...(typeof userId === 'string' && { userId }),
        ...(typeof role === 'string' && { role }),
      },
    },
  );
}
