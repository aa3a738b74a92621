import { LockMode } from '@mikro-orm/postgresql';
import { validate } from 'uuid';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { withinOrganization } from '../organizations/organization-scope.ts';
import { checkContent, ownerOf, refuseTakenName, type TemplateInput } from './template-input.ts';
import { toTemplateRecord, type TemplateRecord } from './template-record.ts';
import { Template } from './template.entity.ts';
import { visibleTo } from './visible-templates.ts';

/** Changes a template that the caller sees. Errors: not_found, invalid_request, already_exists. */
export async function updateTemplate(
  database: Database,
  principal: Principal,
  id: string,
  input: TemplateInput,
): Promise<TemplateRecord> {
  if (!validate(id)) throw notFound();
  const template = await withinOrganization(database, principal, async (em) => {
    const found = await em.findOne(
      Template,
      { $and: [{ id }, visibleTo(principal)] },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!found) throw notFound();
    const { name, content, category = found.category, scope = found.scope } = input;
    checkContent(content, category);
    const owner = ownerOf(principal, scope);
    return em.assign(found, { owner, name, content, category, scope, updatedAt: new Date() });
  }).catch(refuseTakenName);
  return toTemplateRecord(template);
}
