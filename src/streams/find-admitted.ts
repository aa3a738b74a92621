import { sql } from 'kysely';
import { isBanned, isLiveSession } from '../auth/sessions/find-session.ts';
import { roleAllows } from '../auth/permissions.ts';
import { sqlOf, type Database } from '../database.ts';
import type { MemberRole } from '../organizations/member.entity.ts';
import { roleIn } from '../organizations/membership.ts';
import { recordset } from '../recordset.ts';

/** A caller whose request was admitted, with everything that decides whether it would still be admitted. */
export interface AdmittedCaller {
  apiKeyId: string | null;
  sessionId: string | null;
  /** The organization for which the caller acts; null for a person without one. */
  organizationId: string | null;
  /** The permission that the operation requires. */
  permission: string;
}

/**
 * Finds which of the callers would still be admitted, in one statement. Meanwhile keys may be revoked or expire,
 * sessions end, people be banned, and memberships and roles change. The rules are those of `authenticate` and
 * `authorize`.
 *
 * @returns for each caller, in the given order, whether it would be admitted
 */
export async function findAdmitted(
  database: Database,
  callers: AdmittedCaller[],
  now: Date,
): Promise<boolean[]> {
  const asked = callers.map(({ apiKeyId, sessionId, organizationId }, number) => ({
    number,
    apiKeyId,
    sessionId,
    organizationId,
  }));
  const { rows } = await sql<{ permissions: string[] | null; isSession: boolean; role: MemberRole | null }>`
    select api_keys.permissions, person.id is not null as "isSession",
      ${roleIn(sql`caller."organizationId"`, sql`person.id`)} as role
    from ${recordset(asked, 'caller', {
      number: 'integer',
      apiKeyId: 'uuid',
      sessionId: 'uuid',
      organizationId: 'uuid',
    })}
    left join api_keys on api_keys.id = "apiKeyId" and revoked_at is null
      and (api_keys.expires_at is null or api_keys.expires_at > ${now})
    left join lateral (
      select u.id from sessions s join users u on u.id = s.user_id
      where s.id = "sessionId" and ${isLiveSession(now)} and not ${isBanned(now)}
    ) person on true
    order by number
  `.execute(sqlOf(database));
  return callers.map(({ apiKeyId, organizationId, permission }, index) => {
    const { permissions, isSession, role } = rows[index]!;
    if (apiKeyId !== null) return permissions?.includes(permission) ?? false;
    if (!isSession || organizationId === null) return isSession;
    return role !== null && (permission === 'session' || roleAllows(role, permission));
  });
}
