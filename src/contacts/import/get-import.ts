import type { Principal } from '../../principal.ts';
import { tablesOf, type Database } from '../../database.ts';
import { notFound } from '../../errors.ts';
import type { Schemas } from '../../http/contract/contract-types.ts';
import { asTenant } from '../../organizations/organization-scope.ts';
import { rejectsExpireAt } from './rejects-expiry.ts';
import type { ContactImportReject } from './contact-import-reject.entity.ts';
import { ContactImport } from './contact-import.entity.ts';

type ContactImportRecord = Schemas['ContactImport'];

/**
 * The maximum number of errors in a response. The file of rejects has the errors of all rejected rows, as long as it
 * is kept.
 */
const shownErrors = 100;

const failure = {
  code: 'processing_failed',
  message:
    'The service cannot process this file because of a permanent error; its log has the cause. Contacts imported earlier stay.',
} as const;

/** Returns the progress of an import. Errors: not_found. */
export async function getImport(
  database: Database,
  principal: Principal,
  importId: string,
): Promise<ContactImportRecord> {
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
      id,
      organizationId: organization.id,
      status,
      failure: status === 'failed' ? failure : null,
      imported,
      updated,
      skipped,
      rejected,
      errors,
      createdAt: found.createdAt.toISOString(),
      completedAt: found.completedAt?.toISOString() ?? null,
      rejectsExpireAt: expireAt?.toISOString() ?? null,
    };
  });
}
