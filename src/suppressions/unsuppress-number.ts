import { sql, type RawBuilder } from 'kysely';
import { validate } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { normalizeRecipient } from '../messages/recipient.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import type { HashNumber } from '../privacy/number-hash.ts';
import { recordConsent } from './record-consent.ts';

/**
 * Removes an entry from the organization's suppression list, or all entries of a number, also those whose number was
 * erased. Errors: not_found.
 *
 * @param idOrNumber the suppression's id, or its number in any spelling that a recipient may have
 */
export async function unsuppressNumber(
  database: Database,
  principal: Principal,
  idOrNumber: string,
  hashNumber: HashNumber,
): Promise<void> {
  const { organizationId, actor } = principal;
  const { condition, numberHash } = await readSubject(idOrNumber, hashNumber);
  await asTenant(database, principal, async (em) => {
    const db = em.getKysely<unknown>();
    const { rows } = await sql<{ phoneNumber: string | null }>`
      with listed as (
        delete from suppressions where organization_id = ${organizationId} and ${condition}
        returning phone_number
      ), erased as (
        delete from erased_opt_outs
        where organization_id = ${organizationId} and number_hash = decode(${numberHash}::text, 'hex')
        returning null::text
      )
      select phone_number as "phoneNumber" from listed union all select * from erased
    `.execute(db);
    if (!rows[0]) throw notFound();
    const hash = numberHash ?? (await hashNumber(rows[0].phoneNumber!));
    const fact = { organizationId, numberHash: hash, kind: 'opted_in', source: 'operator', actor } as const;
    await recordConsent(db, [fact], new Date());
  });
}

async function readSubject(
  idOrNumber: string,
  hashNumber: HashNumber,
): Promise<{ condition: RawBuilder<unknown>; numberHash: string | null }> {
  if (validate(idOrNumber)) return { condition: sql`id = ${idOrNumber}`, numberHash: null };
  const number = normalizeRecipient(idOrNumber);
  if (!number.ok) throw notFound();
  return { condition: sql`phone_number = ${number.e164}`, numberHash: await hashNumber(number.e164) };
}
