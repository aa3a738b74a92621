import type { Demo } from '../../bench/service.ts';
import type { Operation } from '../../src/http/contract/contract.ts';
import { isPermission } from '../../src/auth/permissions.ts';

export const callerNames = ['API key', 'session', 'administrator', 'none'] as const;
export type CallerName = (typeof callerNames)[number];

export interface Caller {
  name: CallerName;
  headers: Record<string, string>;
  /** A path that only this caller reads with 200; null: there is none. It shows that the credential still works. */
  ownPath: string | null;
}

/** Operations that no caller can send often, with the reason. */
const excludedForAll: Record<string, string> = {
  streamNotifications: 'a stream does not end',
  streamBulkSms: 'a stream does not end',
};

/** Operations that would end the session of the caller, with the reason. */
const excludedForSessions: Record<string, string> = {
  signOut: 'ends the session of the caller',
  revokeSessions: 'ends the session of the caller',
  revokeSession: 'may end the session of the caller, whose token other responses name',
};

const excludedForAdministrators: Record<string, string> = {
  ...excludedForSessions,
  revokeUserSession: 'may end the session of the caller',
  revokeUserSessions: 'may end the sessions of the caller, whose id other responses name',
  setUserRole: 'may take the role of the caller',
  impersonateUser: 'makes a session that the run does not use, and needs one that it has',
};

/** Why this caller does not send this operation; undefined: it does. */
export function whyExcluded(caller: CallerName, operationId: string): string | undefined {
  const own = { session: excludedForSessions, administrator: excludedForAdministrators };
  return (
    excludedForAll[operationId] ?? (own as Record<string, Record<string, string>>)[caller]?.[operationId]
  );
}

/**
 * Whether the operation is one that this caller may use. Whoever has no credential sends all of them, so that each
 * refusal is checked too.
 */
export function concerns(caller: CallerName, { permission }: Pick<Operation, 'permission'>): boolean {
  switch (caller) {
    case 'none':
      return true;
    case 'API key':
      return isPermission(permission);
    case 'administrator':
      return permission === 'admin';
    case 'session':
      return isPermission(permission) || /^(session|optional-session|organization:.*)$/.test(permission);
  }
}

/**
 * Signs the people of the demo organization in.
 *
 * @throws Error if a sign-in is refused
 */
export async function makeCallers(demo: Demo): Promise<Caller[]> {
  const sessionOf = async (email: string, password: string): Promise<Record<string, string>> => {
    const response = await fetch(`${demo.baseUrl}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    if (response.status !== 200) throw new Error(`The sign-in of ${email} was answered ${response.status}.`);
    const { token } = (await response.json()) as { token: string };
    return { Authorization: `Bearer ${token}` };
  };
  const owner = await sessionOf(demo.ownerEmail, demo.ownerPassword);
  const administrator = await sessionOf(demo.adminEmail, demo.adminPassword);
  return [
    { name: 'API key', headers: { 'X-API-Key': demo.testApiKey }, ownPath: '/api/v1/contacts/' },
    { name: 'session', headers: owner, ownPath: '/api/auth/list-sessions' },
    { name: 'administrator', headers: administrator, ownPath: '/api/v1/admin/redrives' },
    { name: 'none', headers: {}, ownPath: null },
  ];
}
