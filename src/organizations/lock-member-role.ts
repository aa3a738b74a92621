import { validate as isUuid } from 'uuid';
import type { User } from '../auth/user.entity.ts';
import { tablesOf, type Database } from '../database.ts';
import type { Member, MemberRole } from './member.entity.ts';

/**
 * Finds the role of a member of an organization, and locks the membership until the end of the transaction: of several
 * removals at once, the first removes the member, and the others find none.
 *
 * @param idOrEmail the id of the membership, or the person's address
 * @returns null if the organization has no such member
 */
export async function lockMemberRole(
  database: Database,
  organizationId: string,
  idOrEmail: string,
): Promise<MemberRole | null> {
  const members = tablesOf<typeof Member | typeof User>(database.em)
    .selectFrom('Member')
    .innerJoin('User', 'User.id', 'Member.user')
    .select('Member.role')
    .where('Member.organization', '=', organizationId);
  const named = isUuid(idOrEmail)
    ? members.where('Member.id', '=', idOrEmail)
    : members.where('User.email', '=', idOrEmail.toLowerCase());
  return (await named.forUpdate('Member').executeTakeFirst())?.role ?? null;
}
