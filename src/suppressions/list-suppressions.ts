import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { containing } from '../http/search-pattern.ts';
import { normalizeRecipient } from '../messages/recipient.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toSuppressionRecord, type SuppressionRecord } from './suppression-record.ts';
import { Suppression } from './suppression.entity.ts';

/**
 * Lists the suppressed numbers of the caller's organization, newest first.
 *
 * @param search a number in any spelling that a recipient may have, or some digits of one
 */
export async function listSuppressions(
  database: Database,
  principal: Principal,
  search: string | undefined,
  page: CursorQuery,
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
  return toCursorPage(found, page, (row) =>
    toSuppressionRecord({ ...row, organizationId: row.organization.id }),
  );
}

function readNumber(search: string): string | { $like: string } {
  const number = normalizeRecipient(search);
  if (number.ok) return number.e164;
  // The leading 0 is used only in national format: no number is stored with it. A text that is no part of a number
  // matches no number.
  const isPart = /^[\d\s()+./-]*\d[\d\s()+./-]*$/.test(search);
  return { $like: containing(isPart ? search.replace(/\D/g, '').replace(/^0/, '') : search) };
}
