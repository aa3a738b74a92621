import type { Contact } from './contact.entity.ts';
import type { ContactFields } from './contact-fields.ts';

/** A contact as the API returns it. */
export interface ContactRecord extends ContactFields {
  id: string;
  organizationId: string;
  phoneVerifiedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export function toContactRecord(contact: Contact): ContactRecord {
  const { id, organization, phoneNumber, firstName, lastName, email, company, tags, customFields } = contact;
  return {
    id,
    organizationId: organization.id,
    ...{ phoneNumber, firstName, lastName, email, company, tags, customFields },
    phoneVerifiedAt: contact.phoneVerifiedAt?.toISOString() ?? null,
    createdAt: contact.createdAt.toISOString(),
    updatedAt: contact.updatedAt.toISOString(),
  };
}
