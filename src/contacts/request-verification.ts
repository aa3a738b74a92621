import { validate } from 'uuid';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { withinOrganization } from '../organizations/organization-scope.ts';
import { orderOf } from '../security-codes/draft-security-code.ts';
import type { createSendSecurityCode } from '../security-codes/send-security-code.ts';
import { Contact } from './contact.entity.ts';

/** What a verification under way is told of; the code is in the message alone. */
export interface ContactVerificationRecord {
  contactId: string;
  verificationId: string;
  to: string;
  status: 'pending';
  attemptsRemaining: number;
  expiresAt: string;
  messageId: string;
}

/** Under which codes for a contact's number are sent: another contact's code, or another use's, is none of its own. */
export function verificationPurpose(contactId: string): string {
  return `contact:${contactId}`;
}

/**
 * Makes the use case of POST /api/v1/contacts/{contactId}/verification/request: sends a six-digit code to the
 * contact's number, as any security code is sent (contract section 5); an earlier one is superseded.
 *
 * Errors: not_found, sender_required, rate_limited.
 */
export function createRequestVerification(
  database: Database,
  sendSecurityCode: ReturnType<typeof createSendSecurityCode>,
): (principal: Principal, contactId: string) => Promise<ContactVerificationRecord> {
  return async (principal, contactId) => {
    if (!validate(contactId)) throw notFound();
    const contact = await withinOrganization(database, principal, (em) =>
      em.findOne(Contact, { id: contactId }),
    );
    if (!contact) throw notFound();
    const order = orderOf({ to: contact.phoneNumber, purpose: verificationPurpose(contact.id) });
    const sent = await sendSecurityCode(principal, order, null);
    if (sent.kind !== 'made') throw new Error('A code was replayed without an idempotency key.');
    const { verificationId, to, status, attemptsRemaining, expiresAt, messageId } = sent.record;
    return { contactId: contact.id, verificationId, to, status, attemptsRemaining, expiresAt, messageId };
  };
}
