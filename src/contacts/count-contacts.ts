import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { idRangeOf, matchContacts, type ContactFilters } from './contact-filters.ts';

/** Counts the contacts of the caller that a list with these filters has. It reads each contact in their range of days. */
export async function countContacts(
  database: Database,
  principal: Principal,
  filters: ContactFilters,
): Promise<Schemas['ContactCount']> {
  const condition = matchContacts(principal.organizationId, filters, idRangeOf(filters));
  const { rows } = await asTenant(database, principal, (em) =>
    sql<{ count: number }>`select count(*)::int as count from contacts where ${condition}`.execute(
      em.getKysely(),
    ),
  );
  return rows[0]!;
}
