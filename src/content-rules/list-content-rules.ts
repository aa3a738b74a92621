import type { Database } from '../database.ts';
import type { Inputs } from '../http/contract/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { acrossOrganizations } from '../organizations/organization-scope.ts';
import { toContentRuleRecord, type ContentRuleRecord } from './content-rule-record.ts';
import { ContentRule } from './content-rule.entity.ts';

/** Lists the rules of the platform and of all organizations, or of one, newest first. For administrators. */
export async function listContentRules(
  database: Database,
  { organizationId }: Inputs['listContentRules']['query'],
  page: CursorQuery,
): Promise<CursorPage<ContentRuleRecord>> {
  const rules = await database.em.fork().find(
    ContentRule,
    {
      ...(organizationId !== undefined && { organization: organizationId }),
      ...(page.before !== null && { id: { $lt: page.before } }),
    },
    { orderBy: { id: 'desc' }, limit: page.limit + 1, filters: acrossOrganizations },
  );
  return toCursorPage(rules, page, toContentRuleRecord);
}
