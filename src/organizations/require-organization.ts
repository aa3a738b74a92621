import type { EntityManager } from '@mikro-orm/postgresql';
import { validate } from 'uuid';
import { notFound } from '../errors.ts';
import { acrossOrganizations } from './organization-scope.ts';
import { Organization } from './organization.entity.ts';

/** Checks that an organization exists, for administrators. Errors: not_found. */
export async function requireOrganization(em: EntityManager, id: string): Promise<void> {
  if (!validate(id) || (await em.count(Organization, { id }, { filters: acrossOrganizations })) === 0) {
    throw notFound();
  }
}
