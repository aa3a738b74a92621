import type { Schemas } from '../http/contract/contract-types.ts';
import type { Contact } from './contact.entity.ts';

/** A contact as the API returns it. */
export type ContactRecord = Schemas['Contact'];

export function toContactRecord(contact: Contact): ContactRecord {
  const { id, organization, phoneNumber, firstName, lastName, email, company, tags, customFields } = contact;
  return {
    id,
    organizationId: organization.id,
    phoneNumber,
    firstName,
    lastName,
    email,
    company,
    tags,
    customFields,
    phoneVerifiedAt: contact.phoneVerifiedAt?.toISOString() ?? null,
    createdAt: contact.createdAt.toISOString(),
    updatedAt: contact.updatedAt.toISOString(),
  };
}
