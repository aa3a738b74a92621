import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../../organizations/organization-scope.ts';
import { ContactImport } from './contact-import.entity.ts';

/**
 * A part of an imported file. Each part is `chunkBytes` long, the last may be shorter. Deleted once the import is
 * completed.
 */
export const ContactImportChunk = defineEntity({
  name: 'ContactImportChunk',
  tableName: 'contact_import_chunks',
  ...ofOrganizationId,
  properties: {
    import: () => p.manyToOne(ContactImport).primary().deleteRule('cascade'),
    /** 0 for the first. */
    position: p.integer().primary(),
    organizationId: p.uuid(),
    bytes: p.blob(),
  },
});
