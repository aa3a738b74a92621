import type { Schemas } from '../http/contract/contract-types.ts';
import type { MemberRole } from '../organizations/member.entity.ts';

/** The permissions of API keys (specification section 2). Operations name the permission they require. */
export const permissions = [
  'messages:send',
  'messages:read',
  'security-codes:send',
  'security-codes:verify',
  'schedules:write',
  'schedules:read',
  'contacts:write',
  'contacts:read',
  'contacts:verify',
  'contacts:import',
  'contacts:export',
  'phonebooks:write',
  'phonebooks:read',
  'templates:write',
  'templates:read',
  'campaigns:write',
  'campaigns:read',
  'bulk:write',
  'bulk:read',
  'bulk:export',
  'analytics:read',
  'analytics:export',
  'sender-ids:read',
  'sender-ids:write',
  'inbound:read',
  'inbound:write',
  'webhooks:read',
  'webhooks:write',
] as const satisfies Schemas['Permission'][];

export type Permission = (typeof permissions)[number];

/** The permissions that members lack: sender IDs, webhooks and all exports. */
const deniedToMembers = new Set<Permission>([
  'sender-ids:write',
  'webhooks:write',
  'contacts:export',
  'bulk:export',
  'analytics:export',
]);

/**
 * Whether a session with this role in the organization may call an operation that requires the permission. Two of them
 * are not permissions of keys: `organization:member` is for every member, `organization:manage` for owners and admins.
 */
export function roleAllows(role: MemberRole, permission: string): boolean {
  if (permission === 'organization:member') return true;
  if (role !== 'member') return permission === 'organization:manage' || isPermission(permission);
  return isPermission(permission) && !deniedToMembers.has(permission);
}

export function isPermission(text: string): text is Permission {
  return (permissions as readonly string[]).includes(text);
}

/** The values of `x-permission` other than the permissions of keys. Each is for another kind of caller. */
const otherPermissions = new Set([
  ...['public', 'optional-session', 'gateway'],
  ...['session', 'organization:member', 'organization:manage', 'admin'],
]);

/** Whether an operation can require this permission. A mistyped one would admit nobody or everybody. */
export function isKnownPermission(text: string): boolean {
  return isPermission(text) || otherPermissions.has(text);
}
