import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';

/**
 * A CSV file that is being made contacts of, or was. `nextByte` and `nextLine` say where reading goes on; they
 * and the counts move in the transaction that stores what was read, so an import goes on where it stood.
 */
export const ContactImport = defineEntity({
  name: 'ContactImport',
  tableName: 'contact_imports',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    status: p.enum(['processing', 'completed'] as const),
    sizeBytes: p.integer(),
    /** `,` or `;`. */
    delimiter: p.string().columnType('text'),
    /** The header of the file. */
    columns: p.array().columnType('text[]'),
    nextByte: p.integer(),
    nextLine: p.integer(),
    /** Rows that could not be told from the ones after them. */
    brokenRows: p.integer().default(0),
    imported: p.integer().default(0),
    updated: p.integer().default(0),
    skipped: p.integer().default(0),
    rejected: p.integer().default(0),
    /** Whether those that were not taken are gone, as they are some time after the end: rejects-expiry.ts. */
    rejectsRemoved: p.boolean().default(false),
    /** When the sweep looks whether anyone works on it; null once it is completed. */
    wakeAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
    completedAt: p.datetime(3).strictNullable(),
  },
  indexes: [
    { name: 'contact_imports_of_organization', properties: ['organization'] },
    { name: 'contact_imports_with_rejects', properties: ['completedAt'], where: 'not rejects_removed' },
    { name: 'contact_imports_open', properties: ['wakeAt'], where: `status = 'processing'` },
  ],
});

export type ContactImport = InferEntity<typeof ContactImport>;
