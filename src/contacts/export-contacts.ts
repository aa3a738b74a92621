import { sql } from 'kysely';
import { givenFilterNames } from '../audit/given-filter-names.ts';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Principal } from '../principal.ts';
import { tablesOf, type Database } from '../database.ts';
import { asTenant, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import type { Contact } from './contact.entity.ts';
import { idRangeOf, matchContacts, type ContactFilters } from './contact-filters.ts';
import { customCell, joinTags } from './csv-cells.ts';
import { headerOfCustomField } from './csv-columns.ts';
import { csvContactColumns, customFieldsColumn, type ContactColumn } from './read-column.ts';

const rowsPerPage = 1000;

/** The number of custom fields with their own column; spreadsheets have few more columns than people can use. */
const maxCustomColumns = 500;

/**
 * Returns the lines of the CSV file of contacts, oldest contact first; the header comes first. Contacts are read page
 * by page, by their ids, so memory and locks are limited to one page. A contact that changes during the export
 * appears once, as it is when it is read. The audit log records the export before the first line.
 */
export async function exportContacts(
  database: Database,
  principal: Principal,
  filters: ContactFilters,
): Promise<AsyncIterable<string[]>> {
  const names = await asTenant(database, principal, async (em) => {
    const { organizationId } = principal;
    recordAuditEvent(em, principal, {
      action: 'contacts.exported',
      subjectId: organizationId,
      details: { filters: givenFilterNames(filters) },
    });
    return customFieldNames(em, organizationId, filters);
  });
  const columns = names.slice(0, maxCustomColumns);
  const hasOverflow = names.length > maxCustomColumns;

  return (async function* lines() {
    yield [
      ...csvContactColumns,
      ...columns.map(headerOfCustomField),
      ...(hasOverflow ? [customFieldsColumn] : []),
    ];
    for (let after: string | null = null; ;) {
      const rows: StoredContact[] = await readContacts(database, principal, filters, after);
      for (const row of rows) yield toLine(row, columns, hasOverflow);
      if (rows.length < rowsPerPage) return;
      after = rows.at(-1)!.id;
    }
  })();
}

type StoredContact = Awaited<ReturnType<typeof readContacts>>[number];

function toLine(contact: StoredContact, columns: string[], hasOverflow: boolean): string[] {
  const { customFields } = contact;
  const line = csvContactColumns.map((column) => toCell(contact, column));
  for (const name of columns) {
    line.push(Object.hasOwn(customFields, name) ? customCell(customFields[name]) : '');
  }
  if (!hasOverflow) return line;
  const shown = new Set(columns);
  const rest = Object.entries(customFields).filter(
    ([name, value]) => !shown.has(name) && value !== null && value !== '',
  );
  return [...line, rest.length > 0 ? JSON.stringify(Object.fromEntries(rest)) : ''];
}

function toCell(contact: StoredContact, column: ContactColumn): string {
  return column === 'tags' ? joinTags(contact.tags) : (contact[column] ?? '');
}

/**
 * The names under which at least one contact has a value. The query returns one name more than there are columns, to
 * detect when there are too many.
 */
async function customFieldNames(
  em: ScopedEntityManager,
  organizationId: string,
  filters: ContactFilters,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select field.key as name
    from contacts cross join lateral jsonb_each_text(custom_fields) field
    where ${matchContacts(organizationId, filters, idRangeOf(filters))} and field.value <> ''
    group by field.key order by field.key collate "C" limit ${maxCustomColumns + 1}
  `.execute(em.getKysely());
  return rows.map(({ name }) => name);
}

async function readContacts(
  database: Database,
  principal: Principal,
  filters: ContactFilters,
  after: string | null,
) {
  const [first, end] = idRangeOf(filters);
  const { organizationId } = principal;
  return asTenant(database, principal, async (em) => {
    const contacts = tablesOf<typeof Contact>(em)
      .selectFrom('Contact')
      .select(['id', ...csvContactColumns, 'customFields'])
      .where(matchContacts(organizationId, filters, [after ?? first, end]))
      .orderBy('organization')
      .orderBy('id')
      .limit(rowsPerPage);
    return (after === null ? contacts : contacts.where('id', '<>', after)).execute();
  });
}
