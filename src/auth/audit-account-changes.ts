import { v7 as uuidv7 } from 'uuid';
import { AuditEvent, type AuditAction } from '../audit/audit-event.entity.ts';
import type { Database } from '../database.ts';
import type { LiveSession } from './find-session.ts';

type Fields = Record<string, unknown>;

/** The account endpoints whose success is a line of the audit log; the path below /api/auth names them. */
const auditedPaths: Record<string, AuditAction> = {
  '/organization/invite-member': 'invitation.created',
  '/organization/accept-invitation': 'invitation.accepted',
  '/organization/reject-invitation': 'invitation.rejected',
  '/organization/cancel-invitation': 'invitation.cancelled',
  '/organization/update-member-role': 'member.role_changed',
  '/organization/remove-member': 'member.removed',
  '/organization/leave': 'member.removed',
  '/admin/impersonate-user': 'user.impersonated',
  '/admin/set-role': 'user.role_changed',
  '/admin/ban-user': 'user.banned',
  '/admin/unban-user': 'user.unbanned',
};

/**
 * Records what an account endpoint has changed. better-auth commits by itself, so this is a commit of its own,
 * made before the caller is answered: one who was told of success finds it in the log.
 *
 * @param path below /api/auth
 * @param body what was asked, @param answer what better-auth answered
 */
export async function auditAccountChange(
  database: Database,
  session: LiveSession,
  path: string,
  body: Fields,
  answer: Fields,
): Promise<void> {
  const action = auditedPaths[path];
  if (!action) return;
  const changed = (answer['invitation'] ?? answer['member'] ?? answer['user'] ?? answer) as Fields;
  const organizationId = changed['organizationId'] ?? body['organizationId'];
  const subject = [changed['id'], body['userId']].find((id) => typeof id === 'string') ?? session.userId;
  const role = body['role'] ?? changed['role'];
  const em = database.em.fork();
  em.create(AuditEvent, {
    id: uuidv7(),
    organizationId: typeof organizationId === 'string' ? organizationId : null,
    at: new Date(),
    actorKind: 'user',
    actorId: session.userId,
    action,
    subjectId: subject,
    details: {
      ...(typeof role === 'string' && { role }),
      ...(session.impersonatedBy !== null && { impersonatedBy: session.impersonatedBy }),
    },
  });
  await em.flush();
}
