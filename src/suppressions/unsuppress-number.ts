import { validate } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { normalizeRecipient } from '../messages/recipient.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { Suppression } from './suppression.entity.ts';

/**
 * Removes an entry from the organization's suppression list, or all entries of a number. Errors: not_found.
 *
 * @param idOrNumber the suppression's id, or its number in any spelling that a recipient may have
 */
export async function unsuppressNumber(
  database: Database,
  principal: Principal,
  idOrNumber: string,
): Promise<void> {
  const which = readSubject(idOrNumber);
  const count = await asTenant(database, principal, (em) => em.nativeDelete(Suppression, which));
  if (count === 0) throw notFound();
}

function readSubject(idOrNumber: string): { id: string } | { phoneNumber: string } {
  if (validate(idOrNumber)) return { id: idOrNumber };
  const number = normalizeRecipient(idOrNumber);
  if (!number.ok) throw notFound();
  return { phoneNumber: number.e164 };
}
