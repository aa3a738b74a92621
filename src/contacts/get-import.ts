import { validate } from 'uuid';
import type { Principal } from '../principal.ts';
import { tablesOf, type Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { rejectsExpireAt } from './rejects-expiry.ts';
import type { ContactImportReject } from './contact-import-reject.entity.ts';
import { ContactImport } from './contact-import.entity.ts';

/** An import as the API returns it. */
export interface ContactImportRecord {
  id: string;
  organizationId: string;
  status: ContactImport['status'];
  imported: number;
  updated: number;
  skipped: number;
  rejected: number;
  errors: { line: number; column: string | null; code: string; message: string }[];
  createdAt: string;
  completedAt: string | null;
  rejectsExpireAt: string | null;
}

/**
 * The maximum number of errors in a response. The file of rejects has the errors of all rejected rows, as long as it
 * is kept.
 */
const shownErrors = 100;

/** Returns the progress of an import. Errors: not_found. */
export async function getImport(
  database: Database,
  principal: Principal,
  importId: string,
): Promise<ContactImportRecord> {
  if (!validate(importId)) throw notFound();
  return asTenant(database, principal, async (em) => {
    const found = await em.findOne(ContactImport, { id: importId });
    if (!found) throw notFound();
    const expireAt = rejectsExpireAt(found);
    const isExpired = expireAt !== null && expireAt <= new Date();
    const errors = await tablesOf<typeof ContactImportReject>(em)
      .selectFrom('ContactImportReject')
      .select(['line', 'column', 'code', 'message'])
      .where('import', '=', importId)
      .orderBy('line')
      .limit(isExpired ? 0 : shownErrors)
      .execute();
    const { id, organization, status, imported, updated, skipped, rejected } = found;
    return {
      ...{ id, organizationId: organization.id, status, imported, updated, skipped, rejected, errors },
      createdAt: found.createdAt.toISOString(),
      completedAt: found.completedAt?.toISOString() ?? null,
      rejectsExpireAt: expireAt?.toISOString() ?? null,
    };
  });
}
