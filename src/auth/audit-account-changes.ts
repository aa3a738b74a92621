import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuditAction } from '../audit/audit-event.entity.ts';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { LiveSession } from './find-session.ts';

type Fields = Record<string, unknown>;

/** The account endpoints whose success is recorded in the audit log, by their path below /api/auth. */
const auditedPaths: Record<string, AuditAction> = {
  '/organization/invite-member': 'invitation.created',
  '/organization/accept-invitation': 'invitation.accepted',
  '/organization/reject-invitation': 'invitation.rejected',
  '/organization/cancel-invitation': 'invitation.cancelled',
  '/organization/update-member-role': 'member.role_changed',
  '/organization/remove-member': 'member.removed',
  '/organization/leave': 'member.removed',
  '/admin/create-user': 'user.created',
  '/admin/impersonate-user': 'user.impersonated',
  '/admin/set-role': 'user.role_changed',
  '/admin/ban-user': 'user.banned',
  '/admin/unban-user': 'user.unbanned',
};

/** Whether the audit log records the success of a path below /api/auth. */
export function isAudited(path: string): boolean {
  return Object.hasOwn(auditedPaths, path);
}

/**
 * Adds the change of an account endpoint to the audit log, with the flush of the transaction that made the change.
 *
 * @param path an audited path below /api/auth
 * @param body the body of the request, @param answer the response of better-auth
 */
export function auditAccountChange(
  em: EntityManager,
  session: LiveSession,
  path: string,
  body: Fields,
  answer: Fields,
): void {
  const changed = (answer['invitation'] ?? answer['member'] ?? answer['user'] ?? answer) as Fields;
  const organizationId = changed['organizationId'] ?? body['organizationId'];
  const subject = [changed['id'], body['userId']].find((id) => typeof id === 'string') ?? session.userId;
  const role = body['role'] ?? changed['role'];
  recordAuditEvent(
    em,
    {
      actor: { kind: 'user', id: session.userId },
      impersonatedBy: session.impersonatedBy,
      organizationId: typeof organizationId === 'string' ? organizationId : null,
    },
    {
      action: auditedPaths[path]!,
      subjectId: subject,
      details: { ...(typeof role === 'string' && { role }) },
    },
  );
}
