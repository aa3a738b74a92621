import { defineEntity, p } from '@mikro-orm/core';
import { Contact } from '../contacts/contact.entity.ts';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import { Phonebook } from './phonebook.entity.ts';

/**
 * A contact in a phonebook. Code that changes rows here locks contacts first, then the phonebook: replace-members.ts.
 */
export const PhonebookMember = defineEntity({
  name: 'PhonebookMember',
  tableName: 'phonebook_members',
  ...ofOrganizationId,
  properties: {
    phonebook: () => p.manyToOne(Phonebook).primary().deleteRule('cascade'),
    contact: () => p.manyToOne(Contact).primary().deleteRule('cascade'),
    organizationId: p.uuid(),
  },
  indexes: [{ name: 'phonebook_members_of_contact', properties: ['contact', 'phonebook'] }],
});
