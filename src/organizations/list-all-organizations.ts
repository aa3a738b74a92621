import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { Inputs, Schemas } from '../http/contract/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { containing } from '../http/search-pattern.ts';
import { toIsoTime } from '../stored-rows.ts';

type AdministeredOrganization = Schemas['AdministeredOrganization'];

/** Lists the organizations, newest first, each with the number of its members. For administrators. */
export async function listAllOrganizations(
  database: Database,
  { search }: Pick<Inputs['listAllOrganizations']['query'], 'search'>,
  page: CursorQuery,
): Promise<CursorPage<AdministeredOrganization>> {
  const pattern = search === undefined ? null : containing(search);
  const { rows } = await sql<AdministeredOrganization>`
    select id, name, slug, created_at as "createdAt",
      (select count(*)::int from members where members.organization_id = organizations.id) as "memberCount"
    from organizations
    where ${pattern === null ? sql`true` : sql`(name ilike ${pattern} or slug ilike ${pattern})`}
      and ${page.before === null ? sql`true` : sql`id < ${page.before}`}
    order by id desc limit ${page.limit + 1}
  `.execute(sqlOf(database));
  return toCursorPage(rows, page, (row) => ({ ...row, createdAt: toIsoTime(row.createdAt) }));
}
