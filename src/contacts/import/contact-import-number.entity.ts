import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../../organizations/organization-scope.ts';

/** A number that an import has read, and the first line that has it. Deleted once the import is completed. */
export const ContactImportNumber = defineEntity({
  name: 'ContactImportNumber',
  tableName: 'contact_import_numbers',
  ...ofOrganizationId,
  properties: {
    // No foreign key: there is a row for each row of each file.
    importId: p.uuid().primary(),
    phoneNumber: p.string().columnType('text').primary(),
    organizationId: p.uuid(),
    line: p.integer(),
  },
});
