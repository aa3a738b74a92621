import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { MemberRole } from '../organizations/member.entity.ts';
import { isDueToBeProlonged } from './prolong-session.ts';
import { hashSessionToken } from './session-token.ts';
import type { userRoles } from './user.entity.ts';

/** A session that is not over, with all that decides what its user may do. */
export interface LiveSession {
  id: string;
  userId: string;
  email: string;
  emailVerified: boolean;
  /** The role on the platform. */
  role: (typeof userRoles)[number];
  /** A ban that lasts now. */
  isBanned: boolean;
  activeOrganizationId: string | null;
  /** The administrator behind this session. */
  impersonatedBy: string | null;
  /** It is in use and a day of it has passed: prolong-session.ts. */
  isDueToBeProlonged: boolean;
  memberships: { organizationId: string; role: MemberRole }[];
}

/**
 * Finds a session by its token in one statement: an indexed read of the session, of its user by key, and of
 * the user's memberships by index. It is not cached, so bans, roles and sign-outs hold from the next request
 * on, on every process.
 *
 * @returns null for a token that nobody has, or whose session is over; one that impersonates is over too when who
 *   is behind it is no administrator any more
 */
export async function findSession(database: Database, token: string, now: Date): Promise<LiveSession | null> {
  const { rows } = await sql<LiveSession>`
    select s.id, s.user_id as "userId", u.email, u.email_verified as "emailVerified", u.role,
      ${isBanned(now)} as "isBanned",
      s.active_organization_id as "activeOrganizationId", s.impersonated_by as "impersonatedBy",
      ${isDueToBeProlonged(now)} as "isDueToBeProlonged",
      coalesce(
        (select json_agg(json_build_object('organizationId', m.organization_id, 'role', m.role) order by m.id)
         from members m where m.user_id = u.id),
        '[]'::json
      ) as memberships
    from sessions s join users u on u.id = s.user_id
    where s.token = ${hashSessionToken(token)} and ${isLiveSession(now)}
  `.execute(sqlOf(database));
  return rows[0] ?? null;
}

/** Of `users u`: whether a ban lasts now. */
export function isBanned(now: Date) {
  return sql<boolean>`(u.banned and (u.ban_expires is null or u.ban_expires > ${now}))`;
}

/** Of `sessions s`: whether it is not over, nor one that impersonates for who is no administrator any more. */
export function isLiveSession(now: Date) {
  return sql<boolean>`(s.expires_at > ${now} and (s.impersonated_by is null or exists (
    select from users a where a.id = s.impersonated_by and a.role = 'admin'
      and not (a.banned and (a.ban_expires is null or a.ban_expires > ${now}))
  )))`;
}
