import { LockMode } from '@mikro-orm/postgresql';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import type { MemberRole } from '../organizations/member.entity.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { ownerOf, refuseTakenName } from './check-template.ts';
import { toTemplateRecord, type TemplateRecord } from './template-record.ts';
import { Template } from './template.entity.ts';
import { visibleTo } from './visible-templates.ts';

/**
 * Changes a template that is visible to the caller. Errors: not_found, invalid_request, already_exists;
 * permission_denied for a member who makes a team's template personal that someone else created.
 *
 * @param role the caller's role in the organization; null for an API key
 */
export async function updateTemplate(
  database: Database,
  principal: Principal,
  role: MemberRole | null,
  id: string,
  input: Schemas['TemplateInput'],
): Promise<TemplateRecord> {
  const template = await asTenant(database, principal, async (em) => {
    const found = await em.findOne(
      Template,
      { $and: [{ id }, visibleTo(principal)] },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!found) throw notFound();
    const { name, content, category = found.category, scope = found.scope } = input;
    const owner = ownerOf(principal, scope);
    if (found.scope === 'team' && scope === 'personal') refusePersonalScope(found, principal, role);
    return em.assign(found, { owner, name, content, category, scope, updatedAt: new Date() });
  }).catch(refuseTakenName);
  return toTemplateRecord(template);
}

/** A template that becomes personal disappears for everyone else, so an ordinary member may not decide this. */
function refusePersonalScope({ maker }: Template, { personId }: Principal, role: MemberRole | null): void {
  if (role === 'owner' || role === 'admin' || (personId !== null && maker?.id === personId)) return;
  throw new ApiError(
    'permission_denied',
    'Only its creator, an owner or an admin may make a team template personal. Create a personal template instead.',
  );
}
