import type { EntityManager } from '@mikro-orm/postgresql';
import { validate } from 'uuid';
import { notFound } from '../errors.ts';
import { acrossOrganizations } from '../organizations/organization-scope.ts';
import { Organization } from '../organizations/organization.entity.ts';

/**
 * Returns the organization whose controls an administrator names; null for the platform.
 *
 * Errors: not_found.
 */
export async function findControlled(em: EntityManager, id: string | null): Promise<Organization | null> {
  if (id === null) return null;
  const organization = validate(id)
    ? await em.findOne(Organization, { id }, { filters: acrossOrganizations })
    : null;
  if (organization === null) throw notFound();
  return organization;
}
