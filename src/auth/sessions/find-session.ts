import { sql } from 'kysely';
import { sqlOf, type Database } from '../../database.ts';
import { membershipsOf, type Membership } from '../../organizations/membership.ts';
import { isDueToBeProlonged } from './prolong-session.ts';
import { hashSessionToken } from './session-token.ts';
import type { userRoles } from '../user.entity.ts';

/** A session that has not expired, with everything that determines what its user may do. */
export interface LiveSession {
  id: string;
  userId: string;
  email: string;
  emailVerified: boolean;
  /** The role on the platform. */
  role: (typeof userRoles)[number];
  /** Whether a ban is in force now. */
  isBanned: boolean;
  activeOrganizationId: string | null;
  /** The administrator who impersonates the user in this session. */
  impersonatedBy: string | null;
  /** Whether a day of the session has passed, so that a use prolongs it (prolong-session.ts). */
  isDueToBeProlonged: boolean;
  memberships: Membership[];
}

/**
 * Finds a session by its token in one statement, which reads the session by index, its user by key, and the user's
 * memberships by index. The result is not cached, so bans, roles and sign-outs take effect from the next request on,
 * in every process.
 *
 * @returns null for an unknown token or an expired session; an impersonation has also expired if the impersonating user
 *   is no longer an administrator
 */
export async function findSession(database: Database, token: string, now: Date): Promise<LiveSession | null> {
  const { rows } = await sql<LiveSession>`
    select s.id, s.user_id as "userId", u.email, u.email_verified as "emailVerified", u.role,
      ${isBanned(now)} as "isBanned",
      s.active_organization_id as "activeOrganizationId", s.impersonated_by as "impersonatedBy",
      ${isDueToBeProlonged(now)} as "isDueToBeProlonged",
      ${membershipsOf(sql`u.id`)} as memberships
    from sessions s join users u on u.id = s.user_id
    where s.token = ${hashSessionToken(token)} and ${isLiveSession(now)}
  `.execute(sqlOf(database));
  return rows[0] ?? null;
}

/** Part of a select from `users u`: whether a ban is in force now. */
export function isBanned(now: Date) {
  return sql<boolean>`(u.banned and (u.ban_expires is null or u.ban_expires > ${now}))`;
}

/**
 * Part of a select from `sessions s`: whether the session has not expired and, for an impersonation, the impersonating
 * user is still an administrator.
 */
export function isLiveSession(now: Date) {
  return sql<boolean>`(s.expires_at > ${now} and (s.impersonated_by is null or exists (
    select from users a where a.id = s.impersonated_by and a.role = 'admin'
      and not (a.banned and (a.ban_expires is null or a.ban_expires > ${now}))
  )))`;
}
