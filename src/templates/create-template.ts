import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { ownerOf, refuseTakenName } from './check-template.ts';
import { toTemplateRecord, type TemplateRecord } from './template-record.ts';
import { Template } from './template.entity.ts';

/** Creates a template of the caller's organization, or of the caller. Errors: invalid_request, already_exists. */
export async function createTemplate(
  database: Database,
  principal: Principal,
  { name, content, category = 'general', scope = 'team' }: Schemas['TemplateInput'],
): Promise<TemplateRecord> {
  const owner = ownerOf(principal, scope);
  const now = new Date();
  const template = await asTenant(database, principal, (em) =>
    Promise.resolve(
      em.create(Template, {
        id: uuidv7(),
        organization: principal.organizationId,
        maker: principal.personId,
        owner,
        name,
        content,
        category,
        scope,
        createdAt: now,
        updatedAt: now,
      }),
    ),
  ).catch(refuseTakenName);
  return toTemplateRecord(template);
}
