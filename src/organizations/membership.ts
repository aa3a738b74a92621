import { sql, type RawBuilder } from 'kysely';
import type { MemberRole } from './member.entity.ts';

/** Part of a statement: the role of a user in an organization; null if they are not a member. */
export function roleIn(
  organizationId: RawBuilder<unknown>,
  userId: RawBuilder<unknown>,
): RawBuilder<MemberRole | null> {
  return sql<MemberRole | null>`(
    select members.role from members where members.organization_id = ${organizationId} and members.user_id = ${userId}
  )`;
}

export interface Membership {
  organizationId: string;
  role: MemberRole;
}

/** Part of a statement: all memberships of a user, the oldest first. */
export function membershipsOf(userId: RawBuilder<unknown>): RawBuilder<Membership[]> {
  return sql<Membership[]>`coalesce(
    (select json_agg(json_build_object('organizationId', members.organization_id, 'role', members.role)
       order by members.id)
     from members where members.user_id = ${userId}),
    '[]'::json
  )`;
}
