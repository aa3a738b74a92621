import { sql, type RawBuilder } from 'kysely';
import { MAX, NIL } from 'uuid';
import { ApiError } from '../errors.ts';
import type { Inputs } from '../http/contract/contract-types.ts';
import { lowestTimeOrderedId } from '../time-ordered-id.ts';
import { searchNeedles } from './contact-search.ts';

/**
 * Which contacts a list or an export shows; a filter that is left out excludes nothing. `from` and `to` are days in
 * UTC, both included, between which the contact was created: `2026-11-21`.
 */
export type ContactFilters = Pick<Inputs['listContacts']['query'], 'search' | 'tag' | 'from' | 'to'>;

/** Reads the filters from a query that is already validated against openapi.yaml. Errors: invalid_request. */
export function readContactFilters({ search, tag, from, to }: ContactFilters): ContactFilters {
  if (from !== undefined && to !== undefined && from > to) {
    throw new ApiError('invalid_request', 'from must not be later than to.', {
      errors: [{ path: '/query/to', code: 'out_of_order', message: 'must not be before from' }],
    });
  }
  return { search, tag, from, to };
}

/** A range of ids: the first is included, the second is not. */
export type IdRange = readonly [first: string, end: string];

const dayMs = 86_400_000;

/** Ids are UUIDv7 with the time of creation, so a range of days is a range of ids. */
export function idRangeOf({ from, to }: ContactFilters): IdRange {
  const first = from === undefined ? NIL : lowestTimeOrderedId(new Date(from));
  const end = to === undefined ? MAX : lowestTimeOrderedId(new Date(Date.parse(to) + dayMs));
  return [first, end];
}

/**
 * The condition for a table `contacts`, to be ordered by organization_id and id.
 *
 * It is a comparison of rows, which only the index on both columns can serve. From `organization_id = … order by id`
 * the planner would conclude that the primary key is enough, and scan the contacts of all organizations. The search
 * text is checked row by row within that range, because behind row-level security no index on texts can be used. The
 * search conditions are written in forms that the planner cannot estimate: from `like` and `= any` it would expect
 * few rows, and then read and sort all of them instead of stopping after the page. docs/decisions/contacts.md.
 */
export function matchContacts(
  organizationId: string,
  filters: ContactFilters,
  [first, end]: IdRange,
): RawBuilder<boolean> {
  const conditions = [
    sql`(contacts.organization_id, contacts.id) >= (${organizationId}::uuid, ${first}::uuid)`,
    sql`(contacts.organization_id, contacts.id) < (${organizationId}::uuid, ${end}::uuid)`,
  ];
  if (filters.tag !== undefined)
    conditions.push(sql`array_position(contacts.tags, ${filters.tag}) is not null`);
  const needles = searchNeedles(filters.search ?? '');
  if (needles.length > 0) {
    const matches = needles.map((needle) => sql`strpos(contacts.search_text, ${needle}) > 0`);
    conditions.push(sql`(${sql.join(matches, sql` or `)})`);
  }
  return sql`${sql.join(conditions, sql` and `)}`;
}
