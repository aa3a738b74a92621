import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { orderOf } from '../security-codes/draft-security-code.ts';
import type { createSendSecurityCode } from '../security-codes/send-security-code.ts';
import { Contact } from './contact.entity.ts';

/**
 * The purpose of the codes for a contact's number: a code of another contact, or for another use, does not confirm
 * it. It is longer than the 64 characters that a caller's purpose may have, so the two are never equal.
 */
export function verificationPurpose(contactId: string): string {
  return `verification of the phone number of contact ${contactId}`;
}

/**
 * Creates the function that handles POST /api/v1/contacts/{contactId}/verification/request. It sends a six-digit code
 * to the contact's number, as any security code is sent; an earlier code is superseded.
 *
 * Errors: not_found, sender_required, rate_limited.
 */
export function createRequestVerification(
  database: Database,
  sendSecurityCode: ReturnType<typeof createSendSecurityCode>,
): (principal: Principal, contactId: string) => Promise<Schemas['ContactVerification']> {
  return async (principal, contactId) => {
    const contact = await asTenant(database, principal, (em) => em.findOne(Contact, { id: contactId }));
    if (!contact) throw notFound();
    const order = orderOf({ to: contact.phoneNumber, purpose: verificationPurpose(contact.id) });
    const sent = await sendSecurityCode(principal, order, null).catch((error: unknown) => {
      throw error instanceof ApiError && error.code === 'sender_required' ? withoutDefaultSender() : error;
    });
    if (sent.kind !== 'made') throw new Error('A code was replayed without an idempotency key.');
    const { verificationId, to, status, attemptsRemaining, expiresAt, messageId } = sent.record;
    return { contactId: contact.id, verificationId, to, status, attemptsRemaining, expiresAt, messageId };
  };
}

/** This request cannot name a sender, unlike others that send a code. */
function withoutDefaultSender(): ApiError {
  return new ApiError(
    'sender_required',
    'The organization has no approved default sender. Get a sender ID approved and make it the default.',
  );
}
