import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../../http/contract/contract-types.ts';
import { Organization } from '../../organizations/organization.entity.ts';
import { ofOrganization } from '../../organizations/organization-scope.ts';
import { TextArray } from '../../text-array.ts';

/**
 * A CSV file whose import is in progress or has ended. `nextByte` and `nextLine` are the position at which reading
 * continues. They and the counts change in the transaction that stores the rows, so an import continues at the right
 * position after an interruption.
 */
export const ContactImport = defineEntity({
  name: 'ContactImport',
  tableName: 'contact_imports',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    status: p.enum([
      'processing',
      'completed',
      'failed',
    ] as const satisfies Schemas['ContactImport']['status'][]),
    sizeBytes: p.integer(),
    /** `,` or `;`. */
    delimiter: p.string().columnType('text'),
    /** The header of the file. */
    columns: p.array().type(TextArray).columnType('text[]'),
    nextByte: p.integer(),
    nextLine: p.integer(),
    /** Rows whose end could not be found. */
    brokenRows: p.integer().default(0),
    imported: p.integer().default(0),
    updated: p.integer().default(0),
    skipped: p.integer().default(0),
    rejected: p.integer().default(0),
    /** Whether the rejected and skipped rows are deleted, which happens some time after the end: rejects-expiry.ts. */
    rejectsRemoved: p.boolean().default(false),
    /** When the sweep checks whether a workflow processes this import; null once it has ended. */
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
