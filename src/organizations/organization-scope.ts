import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Environment, Principal } from '../principal.ts';
import type { Database, Sql } from '../database.ts';

/** The role that work for organizations runs under: it owns no table, so row-level security holds for it. */
const tenantRole = 'sms_tenant';

/** What the policies read, set for one transaction: the ids of organizations, with commas between. */
const organizationsVariable = 'app.organization_ids';
const namedOrganizations = `(select string_to_array(nullif(current_setting('${organizationsVariable}'::text, true), ''::text), ','::text) as string_to_array)::uuid[]`;

/**
 * What makes an entity the property of organizations; spread it into `defineEntity`. Two walls, each enough:
 * - the filter: queries of entities see one organization's rows, and a query that names none is an error;
 * - the policy: so does every statement under the tenants' role, whatever it says (migrations/).
 *
 * @param property the entity's property that holds the organization
 */
function belongingBy(property: 'id' | 'organization' | 'organizationId') {
  const condition = `${property === 'id' ? 'id' : 'organization_id'} = any (${namedOrganizations})`;
  return {
    filters: {
      organization: {
        name: 'organization',
        default: true,
        cond: ({ id }: { id: string }) => ({ [property]: id }),
      },
    },
    policies: [{ name: 'of_organization', roles: [tenantRole], using: condition, check: condition }],
  };
}

/** For entities with a relation to their organization. */
export const ofOrganization = belongingBy('organization');

/** For entities that outlive their organization, or are written too often for a foreign key. */
export const ofOrganizationId = belongingBy('organizationId');

/** For the organization itself. */
export const isOrganization = belongingBy('id');

/** For what has an environment as well: a key sees its own only (contract section 2). */
export const ofOrganizationAndEnvironment = {
  ...ofOrganization,
  filters: {
    ...ofOrganization.filters,
    environment: {
      name: 'environment',
      default: true,
      cond: ({ sees }: { sees: readonly Environment[] }) => ({ environment: { $in: sees } }),
    },
  },
};

/** For the few who look across organizations: administrators, the worker, commands. */
export const acrossOrganizations = { organization: false, environment: false } as const;

/** An entity manager that sees one organization. */
export type ScopedEntityManager = EntityManager & { readonly '~scope': 'organization' };

/**
 * Runs a use case for the caller's organization, in one transaction behind both walls.
 *
 * @param scope the principal, or as much of it as decides what is seen
 */
export async function asTenant<Result>(
  database: Database,
  scope: Pick<Principal, 'organizationId' | 'sees'>,
  work: (em: ScopedEntityManager) => Promise<Result>,
): Promise<Result> {
  const em = database.em.fork();
  em.setFilterParams('organization', { id: scope.organizationId });
  em.setFilterParams('environment', { sees: scope.sees });
  em.setSessionContext({ variables: wallOf([scope.organizationId]) });
  return em.transactional((scoped) => work(scoped as ScopedEntityManager));
}

/** The same for a set-based statement that works for several organizations at once, behind the second wall. */
export async function asTenants<Result>(
  database: Database,
  organizationIds: Iterable<string>,
  work: (db: Sql) => Promise<Result>,
): Promise<Result> {
  const em = database.em.fork();
  em.setSessionContext({ variables: wallOf(organizationIds) });
  return em.transactional((scoped) => work(scoped.getKysely()));
}

/** Puts what is left of a transaction behind the second wall: for work that looks across organizations before it begins. */
export async function stayWithin(db: Sql, organizationIds: Iterable<string>): Promise<void> {
  const settings = Object.entries(wallOf(organizationIds)).map(
    ([name, value]) => sql`set_config(${name}, ${value}, true)`,
  );
  await sql`select ${sql.join(settings)}`.execute(db);
}

/** `role` is set as a variable like the other, so that both take one round trip. */
function wallOf(organizationIds: Iterable<string>): Record<string, string> {
  return { [organizationsVariable]: [...new Set(organizationIds)].join(','), role: tenantRole };
}
