import type { Request, RequestHandler } from 'express';
import { ApiError, notFound } from '../../errors.ts';
import type { MemberRole } from '../../organizations/member.entity.ts';
import type { LiveSession } from '../sessions/find-session.ts';
import { roleAllows } from '../permissions.ts';
import { environments, type Environment, type Principal } from '../../principal.ts';

/**
 * Creates the principal: it determines the organization that the caller acts for, and checks the permission that the
 * operation requires. This runs after validation, because the body may name the organization.
 *
 * A key acts for its own organization only. A session acts for `organizationId` if given, otherwise for its active
 * organization, otherwise for its only organization.
 *
 * Errors: permission_denied, organization_required, not_found for an organization that is not the caller's.
 */
export function authorize(): RequestHandler {
  return (request, _response, next) => {
    if (!forNoOrganization.has(request.operation.permission)) request.principal = makePrincipal(request);
    next();
  };
}

/** The permissions that do not depend on an organization. */
const forNoOrganization = new Set(['public', 'gateway', 'optional-session', 'session', 'admin']);

function makePrincipal(request: Request): Principal {
  const { apiKey, session, operation } = request;
  const asked = askedOrganization(request);
  const filter = request.query['environment'] as Environment | undefined;
  if (apiKey) {
    const { id, makerId, organizationId, environment } = apiKey;
    if (asked !== undefined && asked !== organizationId) throw notFound();
    const visibleEnvironments = filter === undefined || filter === environment ? [environment] : [];
    const actor = { kind: 'api_key', id } as const;
    return {
      actor,
      personId: makerId,
      impersonatedBy: null,
      organizationId,
      environment,
      visibleEnvironments,
    };
  }
  if (!session) throw new Error(`${operation.operationId} was called without a key or session.`);
  const { organizationId, role } = findMembership(session, asked);
  requirePermission(role, operation.permission);
  return {
    actor: { kind: 'user', id: session.userId },
    personId: session.userId,
    impersonatedBy: session.impersonatedBy,
    organizationId,
    environment: 'live',
    visibleEnvironments: filter === undefined ? environments : [filter],
  };
}

function askedOrganization(request: Request): string | undefined {
  const body = request.body as { organizationId?: string } | undefined;
  const [inQuery, inBody] = [request.query['organizationId'] as string | undefined, body?.organizationId];
  // Two different ids can only be a mistake. Choosing one could affect the wrong organization.
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody) throw notFound();
  return inBody ?? inQuery;
}

/** Error: permission_denied, which names the role and the missing permission. */
export function requirePermission(role: MemberRole, permission: string): void {
  if (roleAllows(role, permission)) return;
  throw new ApiError('permission_denied', `The role ${role} lacks the permission ${permission}.`);
}

/**
 * Finds the organization that a session acts for, and the user's role in it. Errors:
 * organization_required; not_found, for an organization that is not the user's.
 *
 * @param asked the organization that the request names
 */
export function findMembership(
  session: LiveSession,
  asked: string | undefined,
): LiveSession['memberships'][number] {
  const { memberships, activeOrganizationId } = session;
  const of = (id: string | null) => memberships.find(({ organizationId }) => organizationId === id);
  if (asked !== undefined) {
    const membership = of(asked);
    if (!membership) throw notFound();
    return membership;
  }
  const membership = of(activeOrganizationId) ?? (memberships.length === 1 ? memberships[0] : undefined);
  if (membership) return membership;
  throw new ApiError(
    'organization_required',
    memberships.length === 0
      ? 'You do not belong to an organization. Create one, or accept an invitation.'
      : 'You belong to several organizations. Set organizationId, or make one of them active.',
  );
}
