import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database, Sql } from '../database.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { findLastCode, numberVerifiedBy } from '../security-codes/find-last-code.ts';
import type { createVerifySecurityCode } from '../security-codes/verify-security-code.ts';
import { toContactRecord } from './contact-record.ts';
import { Contact } from './contact.entity.ts';
import { verificationPurpose } from './request-verification.ts';

/**
 * Creates the function that handles POST /api/v1/contacts/{contactId}/verification/confirm: it checks a guess at the
 * last code that was sent to the contact's current number.
 *
 * A process may die after the guess is checked and before the contact is updated. Therefore the contact is marked as
 * verified once the code of its number is, whatever the guess: the next request repairs what the dead process left.
 *
 * Errors: not_found; invalid_state when no code was sent to this number.
 */
export function createConfirmVerification(
  database: Database,
  verifySecurityCode: ReturnType<typeof createVerifySecurityCode>,
): (principal: Principal, contactId: string, code: string) => Promise<Schemas['ContactConfirmation']> {
  return async (principal, contactId, code) => {
    const verificationId = await asTenant(database, principal, async (em) => {
      const contact = await em.findOne(Contact, { id: contactId });
      if (!contact) throw notFound();
      return findLastCode(em, contact.phoneNumber, verificationPurpose(contactId));
    });
    if (verificationId === null) {
      throw new ApiError('invalid_state', 'No code was sent to this contact’s number. Request a code first.');
    }
    const result = await verifySecurityCode(principal, { verificationId, code });
    const contact = await asTenant(database, principal, async (em) => {
      await markVerified(em.getKysely(), verificationId, contactId);
      return em.findOne(Contact, { id: contactId });
    });
    if (!contact) throw notFound();
    return { ...result, contact: toContactRecord(contact) };
  };
}

/** A contact whose number changed in the meantime is not verified by the code for the old number. */
async function markVerified(db: Sql, verificationId: string, contactId: string): Promise<void> {
  await sql`
    update contacts set phone_verified_at = code.verified_at
    from ${numberVerifiedBy(verificationId)} code
    where contacts.id = ${contactId} and code.recipient = phone_number
      and phone_verified_at is distinct from code.verified_at
  `.execute(db);
}
