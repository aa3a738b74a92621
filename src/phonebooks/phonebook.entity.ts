import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';

/** A list of contacts to send to; the API calls it a contact list. */
export const Phonebook = defineEntity({
  name: 'Phonebook',
  tableName: 'phonebooks',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    name: p.string().columnType('text'),
    description: p.string().columnType('text').strictNullable(),
    /**
     * Updated by the code that adds or removes members, which locks this row first: counting 100,000 rows takes too
     * long.
     */
    memberCount: p.integer().default(0),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  indexes: [{ name: 'phonebooks_list', properties: ['organization', 'id'] }],
});

export type Phonebook = InferEntity<typeof Phonebook>;
