import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../../organizations/organization-scope.ts';
import { TextArray } from '../../text-array.ts';
import { ContactImport } from './contact-import.entity.ts';

/** The `code` of a row that was skipped. */
export const duplicateRow = 'duplicate_row';

/** A row of a file that was rejected, or skipped as a duplicate, and the reason. */
export const ContactImportReject = defineEntity({
  name: 'ContactImportReject',
  tableName: 'contact_import_rejects',
  ...ofOrganizationId,
  properties: {
    import: () => p.manyToOne(ContactImport).primary().deleteRule('cascade'),
    /** The line on which the row begins; the header is on line 1. */
    line: p.integer().primary(),
    organizationId: p.uuid(),
    /** The column as the header names it; null when the whole row is wrong. */
    column: p.string().columnType('text').strictNullable(),
    code: p.string().columnType('text'),
    message: p.string().columnType('text'),
    /** The row as it was read. */
    cells: p.array().type(TextArray).columnType('text[]'),
  },
});
