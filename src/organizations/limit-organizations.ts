import { lockUser } from '../auth/lock-user.ts';
import { tablesOf, type Database } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Member } from './member.entity.ts';

/**
 * Refuses another organization to a person who has reached the limit. Runs in the transaction that creates the
 * organization: a lock makes concurrent attempts of the same person wait until it ends.
 *
 * Errors: organization_limit_reached.
 */
export async function limitOrganizations(database: Database, userId: string, limit: number): Promise<void> {
  await lockUser(database, userId);
  const { owned } = await tablesOf<typeof Member>(database.em)
    .selectFrom('Member')
    .select(({ fn }) => fn.countAll().as('owned'))
    .where('user', '=', userId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  if (Number(owned) < limit) return;
  throw new ApiError(
    'organization_limit_reached',
    `You own ${owned} organizations, and the limit is ${limit}. Use one of them, or ask the operator of the service.`,
  );
}
