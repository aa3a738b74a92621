import type { EntityManager } from '@mikro-orm/postgresql';
import { acrossOrganizations } from './organization-scope.ts';
import { Organization } from './organization.entity.ts';

/** Returns those of the ids that belong to no organization. For administrators. */
export async function findUnknownOrganizations(em: EntityManager, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await em.find(
    Organization,
    { id: { $in: [...ids] } },
    { fields: ['id'], filters: acrossOrganizations },
  );
  const known = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}
