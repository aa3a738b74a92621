import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { containing } from '../http/search-pattern.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toTemplateRecord, type TemplateRecord } from './template-record.ts';
import { Template } from './template.entity.ts';
import { visibleTo } from './visible-templates.ts';

/**
 * Lists the templates that are visible to the caller, newest first.
 *
 * @param search part of the name or of the content, in any case
 */
export async function listTemplates(
  database: Database,
  principal: Principal,
  search: string | undefined,
  page: CursorQuery,
): Promise<CursorPage<TemplateRecord>> {
  const pattern = search === undefined ? null : { $ilike: containing(search) };
  const templates = await asTenant(database, principal, (em) =>
    em.find(
      Template,
      {
        $and: [
          visibleTo(principal),
          pattern ? { $or: [{ name: pattern }, { content: pattern }] } : {},
          page.before ? { id: { $lt: page.before } } : {},
        ],
      },
      { orderBy: { id: 'desc' }, limit: page.limit + 1 },
    ),
  );
  return toCursorPage(templates, page, toTemplateRecord);
}
