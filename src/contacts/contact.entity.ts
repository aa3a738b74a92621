import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';
import { TextArray } from '../text-array.ts';
import type { CustomFields } from './contact-fields.ts';

/**
 * A person or place that an organization sends messages to. A number belongs to at most one contact of an
 * organization.
 */
export const Contact = defineEntity({
  name: 'Contact',
  tableName: 'contacts',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    /** E.164. */
    phoneNumber: p.string().columnType('text'),
    firstName: p.string().columnType('text').strictNullable(),
    lastName: p.string().columnType('text').strictNullable(),
    email: p.string().columnType('text').strictNullable(),
    company: p.string().columnType('text').strictNullable(),
    tags: p.array().type(TextArray).columnType('text[]'),
    customFields: p.json<CustomFields>().columnType('jsonb'),
    /** The text that searches match: `searchTextOf`. */
    searchText: p.string().columnType('text'),
    /** When the contact proved to own the number; null again once the number changes. */
    phoneVerifiedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  uniques: [{ name: 'contacts_phone_number_unique', properties: ['organization', 'phoneNumber'] }],
  indexes: [{ name: 'contacts_list', properties: ['organization', 'id'] }],
});

export type Contact = InferEntity<typeof Contact>;
