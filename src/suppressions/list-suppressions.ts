import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage } from '../http/cursor.ts';
import { containing } from '../http/search-pattern.ts';
import { normalizeRecipient } from '../messages/recipient.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toSuppressionRecord, type SuppressionRecord } from './suppression-record.ts';
import { Suppression } from './suppression.entity.ts';

/**
 * Lists the numbers that the caller's organization is not to write to, newest first.
 *
 * @param search a number in any way that a recipient may be written, or some digits of one
 */
export async function listSuppressions(
  database: Database,
  principal: Principal,
  search: string | undefined,
  page: { limit: number; before: string | null },
): Promise<CursorPage<SuppressionRecord>> {
  const found = await asTenant(database, principal, (em) =>
    em.find(
      Suppression,
      {
        ...(search !== undefined && { phoneNumber: readNumber(search) }),
        ...(page.before && { id: { $lt: page.before } }),
      },
      { orderBy: { id: 'desc' }, limit: page.limit + 1 },
    ),
  );
  return toCursorPage(found, page.limit, (row) =>
    toSuppressionRecord({ ...row, organizationId: row.organization.id }),
  );
}

function readNumber(search: string): string | { $like: string } {
  const number = normalizeRecipient(search);
  if (number.ok) return number.e164;
  const digits = search.replace(/\D/g, '');
  // The 0 in front is dialled at home only: no number is stored with it. Without digits nothing is a part of a number.
  return { $like: containing(digits === '' ? search : digits.replace(/^0/, '')) };
}
