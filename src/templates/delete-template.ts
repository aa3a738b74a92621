import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { Template } from './template.entity.ts';
import { visibleTo } from './visible-templates.ts';

/** Deletes a template that is visible to the caller. Errors: not_found. */
export async function deleteTemplate(database: Database, principal: Principal, id: string): Promise<void> {
  const count = await asTenant(database, principal, (em) =>
    em.nativeDelete(Template, { $and: [{ id }, visibleTo(principal)] }),
  );
  if (count === 0) throw notFound();
}
