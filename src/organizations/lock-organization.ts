import type { EntityManager } from '@mikro-orm/postgresql';
import type { Expression } from 'kysely';
import { tablesOf } from '../database.ts';
import type { Organization } from './organization.entity.ts';

/**
 * Locks an organization until the transaction ends: of two concurrent changes that must agree on something of the
 * organization, the second sees the result of the first.
 *
 * @param id the id, or an expression of it
 * @returns the id; null if the organization does not exist
 */
export async function lockOrganization(
  em: EntityManager,
  id: string | Expression<string>,
): Promise<string | null> {
  const organization = await tablesOf<typeof Organization>(em)
    .selectFrom('Organization')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return organization?.id ?? null;
}
