import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Environment, Principal } from '../principal.ts';
import type { Database, Sql } from '../database.ts';

/** The database role for work on behalf of organizations. It owns no table, so row-level security applies to it. */
const tenantRole = 'sms_tenant';

/** The variable that the policies read, set for one transaction: organization ids, separated by commas. */
const organizationsVariable = 'app.organization_ids';
const namedOrganizations = `(select string_to_array(nullif(current_setting('${organizationsVariable}'::text, true), ''::text), ','::text) as string_to_array)::uuid[]`;

/**
 * The options of an entity that belongs to organizations; spread them into `defineEntity`. There are two walls, and
 * each is sufficient:
 * - the filter: queries of entities see the rows of one organization, and a query without an organization is an error;
 * - the policy: every statement under the tenants' role sees only these rows, whatever its conditions (migrations/).
 *
 * @param property the entity's property that contains the organization
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

/** For entities that also have an environment: a key sees only its own environment. */
export const ofOrganizationAndEnvironment = {
  ...ofOrganization,
  filters: {
    ...ofOrganization.filters,
    environment: {
      name: 'environment',
      default: true,
      cond: ({ visibleEnvironments }: { visibleEnvironments: readonly Environment[] }) => ({
        environment: { $in: visibleEnvironments },
      }),
    },
  },
};

/** For the callers that read across organizations: administrators, the worker, commands. */
export const acrossOrganizations = { organization: false, environment: false } as const;

/** An entity manager that sees one organization. */
export type ScopedEntityManager = EntityManager & { readonly '~scope': 'organization' };

/**
 * Runs a use case for the caller's organization, in one transaction behind both walls.
 *
 * @param scope the principal, or the part of it that determines which rows are visible
 */
export async function asTenant<Result>(
  database: Database,
  scope: Pick<Principal, 'organizationId' | 'visibleEnvironments'>,
  work: (em: ScopedEntityManager) => Promise<Result>,
): Promise<Result> {
  const em = database.em.fork();
  em.setFilterParams('organization', { id: scope.organizationId });
  em.setFilterParams('environment', { visibleEnvironments: scope.visibleEnvironments });
  em.setSessionContext({ variables: wallOf([scope.organizationId]) });
  return em.transactional((scoped) => work(scoped as ScopedEntityManager));
}

/** Like `asTenant`, for a set-based statement that works for several organizations at once, behind the second wall. */
export async function asTenants<Result>(
  database: Database,
  organizationIds: Iterable<string>,
  work: (db: Sql) => Promise<Result>,
): Promise<Result> {
  const em = database.em.fork();
  em.setSessionContext({ variables: wallOf(organizationIds) });
  return em.transactional((scoped) => work(scoped.getKysely()));
}

/** Puts the rest of a transaction behind the second wall: for work that first reads across organizations. */
export async function stayWithin(db: Sql, organizationIds: Iterable<string>): Promise<void> {
  const settings = Object.entries(wallOf(organizationIds)).map(
    ([name, value]) => sql`set_config(${name}, ${value}, true)`,
  );
  await sql`select ${sql.join(settings)}`.execute(db);
}

/** The settings of the second wall. `role` is set like a variable, so that both settings take one round trip. */
function wallOf(organizationIds: Iterable<string>): Record<string, string> {
  return { [organizationsVariable]: [...new Set(organizationIds)].join(','), role: tenantRole };
}
