import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';

/** A list of contacts to send to; the interface calls it contact list. */
export const Phonebook = defineEntity({
  name: 'Phonebook',
  tableName: 'phonebooks',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    name: p.string().columnType('text'),
    description: p.string().columnType('text').strictNullable(),
    /** Kept true by whoever adds or takes members, who locks this row before: counting 100,000 takes too long. */
    memberCount: p.integer().default(0),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  indexes: [{ name: 'phonebooks_list', properties: ['organization', 'id'] }],
});

export type Phonebook = InferEntity<typeof Phonebook>;
