import { sql } from 'kysely';
import { tablesOf, type Database, type Sql } from '../../database.ts';
import { asTenant, type ScopedEntityManager } from '../../organizations/organization-scope.ts';
import { isPermanentError } from '../../permanent-error.ts';
import { recordset } from '../../recordset.ts';
import type { ContactImportChunk } from './contact-import-chunk.entity.ts';
import type { ContactImportNumber } from './contact-import-number.entity.ts';
import { duplicateRow } from './contact-import-reject.entity.ts';
import type { ContactImport } from './contact-import.entity.ts';
import { restoreCell } from '../../http/csv-formulas.ts';
import { lockName } from '../../lock-name.ts';
import { readColumns } from '../csv-columns.ts';
import type { CsvColumn } from '../read-column.ts';
import { deleteFile, failImportOnPermanentError } from './fail-import-on-permanent-error.ts';
import { readContactRow, type RowProblem } from './read-contact-row.ts';
import { readRows, type CsvRows } from './read-csv.ts';
import { upsertContacts } from './upsert-contacts.ts';

/** Bytes of a file in one row of the database. */
export const chunkBytes = 128 * 1024;

/** The maximum number of rows that one transaction imports. */
const rowsPerPage = 1000;

/** The maximum size of a row of a file, less the offset at which the row begins in its chunk. */
const maxWindowBytes = 8 * chunkBytes;

/** After this many rows without an end, the rest of the file is skipped, because the search for each end takes long. */
const maxBrokenRows = 100;

/** How long the sweep leaves an import alone after its last progress. */
const sweepAfterSeconds = 60;

export interface ImportProgress {
  done: boolean;
  imported: number;
  updated: number;
  skipped: number;
  rejected: number;
}

/** The part of an import that its next page needs. */
const cursorProperties = [
  ...(['status', 'sizeBytes', 'delimiter', 'columns', 'nextByte', 'nextLine', 'brokenRows'] as const),
  ...(['imported', 'updated', 'skipped', 'rejected'] as const),
] as const;

type Cursor = Pick<ContactImport, (typeof cursorProperties)[number]>;

interface Reject extends RowProblem {
  line: number;
  cells: string[];
}

/**
 * Imports the next page of a file. Contacts, rejects, counts and the read position are stored in one transaction, so
 * a process may die at any point. Two processes that work on one import take turns. The imports of an organization
 * take turns too. If the page fails with a permanent error, the import is `failed` by the time this rejects.
 */
export async function importPage(
  database: Database,
  started: { organizationId: string; importId: string },
  now: Date,
): Promise<ImportProgress> {
  const { organizationId, importId } = started;
  const seen: { nextByte?: number } = {};
  try {
    return await asTenant(database, { organizationId, visibleEnvironments: [] }, async (em) => {
      await lockName(em.getKysely(), ['contact-imports', organizationId]);
      const cursor = await lockImport(em, importId);
      if (!cursor) throw new Error('The import does not exist.');
      if (cursor.status !== 'processing') return toProgress(cursor);
      seen.nextByte = cursor.nextByte;
      return importRows(em, started, cursor, now);
    });
  } catch (error) {
    if (seen.nextByte !== undefined && isPermanentError(error)) {
      await failImportOnPermanentError(database, started, seen.nextByte, now);
    }
    throw error;
  }
}

async function importRows(
  em: ScopedEntityManager,
  { organizationId, importId }: { organizationId: string; importId: string },
  cursor: Cursor,
  now: Date,
): Promise<ImportProgress> {
  const read = await readPage(em, importId, cursor);
  const { contacts, rejects } = separateRejects(read, cursor);
  const duplicates = await storeNumbers(em, organizationId, importId, contacts);
  const fresh = contacts.filter(({ line }) => !duplicates.has(line));
  const { inserted, updated, refused } = await upsertContacts(em, organizationId, fresh, now);
  for (const { line, cells, phoneNumber } of contacts) {
    const firstLine = duplicates.get(line);
    if (firstLine !== undefined) rejects.push({ line, cells, ...duplicateOf(firstLine) });
    const problem = refused.get(phoneNumber);
    if (firstLine === undefined && problem) {
      rejects.push({ line, cells, column: null, code: problem.code, message: problem.message });
    }
  }
  await storeRejects(em.getKysely(), organizationId, importId, rejects);
  const brokenRows = cursor.brokenRows + (read.isBroken ? 1 : 0);
  const moved: Cursor = {
    ...cursor,
    nextByte: brokenRows < maxBrokenRows ? cursor.nextByte + read.bytes : cursor.sizeBytes,
    nextLine: cursor.nextLine + read.lines,
    brokenRows,
    imported: cursor.imported + inserted,
    updated: cursor.updated + updated,
    skipped: cursor.skipped + duplicates.size,
    rejected: cursor.rejected + rejects.length - duplicates.size,
  };
  moved.status = moved.nextByte < cursor.sizeBytes ? 'processing' : 'completed';
  await saveCursor(em, importId, moved, now);
  return toProgress(moved);
}

function toProgress({ status, imported, updated, skipped, rejected }: Cursor): ImportProgress {
  return { done: status !== 'processing', imported, updated, skipped, rejected };
}

async function lockImport(em: ScopedEntityManager, importId: string): Promise<Cursor | undefined> {
  return tablesOf<typeof ContactImport>(em)
    .selectFrom('ContactImport')
    .select(cursorProperties)
    .where('id', '=', importId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Reads the next rows from a window of the file; the window grows until it contains a whole row. */
async function readPage(em: ScopedEntityManager, importId: string, cursor: Cursor): Promise<CsvRows> {
  const { sizeBytes, nextByte, delimiter } = cursor;
  for (let windowBytes = 2 * chunkBytes; ; windowBytes *= 2) {
    const first = Math.floor(nextByte / chunkBytes);
    const chunks = await tablesOf<typeof ContactImportChunk>(em)
      .selectFrom('ContactImportChunk')
      .select('bytes')
      .where('import', '=', importId)
      .where('position', '>=', first)
      .where('position', '<', first + windowBytes / chunkBytes)
      .orderBy('position')
      .execute();
    const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes)).subarray(nextByte - first * chunkBytes);
    const isEnd = nextByte + bytes.length >= sizeBytes;
    const mustRead = windowBytes >= maxWindowBytes;
    const read = readRows(bytes, { delimiter, maxRows: rowsPerPage, isEnd, mustRead });
    if (read.rows.length > 0 || bytes.length === 0) return read;
  }
}

type ReadContact = { line: number; cells: string[]; phoneNumber: string; input: ContactInputOfRow };
type ContactInputOfRow = Extract<ReturnType<typeof readContactRow>, { ok: true }>['input'];

/** Separates valid rows from rows that are rejected. Rows without any value are neither. */
function separateRejects(read: CsvRows, cursor: Cursor): { contacts: ReadContact[]; rejects: Reject[] } {
  const columns: CsvColumn[] = readColumns(cursor.columns);
  const [contacts, rejects]: [ReadContact[], Reject[]] = [[], []];
  for (const row of read.rows) {
    const line = cursor.nextLine + row.line;
    const cells = row.cells.map((cell) => restoreCell(cell).replaceAll('\0', '\ufffd'));
    if (read.isBroken) {
      rejects.push({ line, cells, ...brokenRow(cursor) });
      continue;
    }
    if (cells.every((cell) => cell.trim() === '')) continue;
    const result = readContactRow(row, { columns, headers: cursor.columns });
    if (result.ok) contacts.push({ line, cells, phoneNumber: result.phoneNumber, input: result.input });
    else rejects.push({ line, cells, ...result.problem });
  }
  return { contacts, rejects };
}

function brokenRow({ brokenRows }: Cursor): RowProblem {
  if (brokenRows + 1 < maxBrokenRows) {
    return {
      column: null,
      code: 'unclosed_quote',
      message: 'opens a quote that does not end, or is longer than 1 MiB',
    };
  }
  return {
    column: null,
    code: 'unreadable',
    message: 'is beyond the limit of rows with a quote that does not end; the rows after it were not read',
  };
}

function duplicateOf(line: number): RowProblem {
  return {
    column: null,
    code: duplicateRow,
    message: `has the same number as line ${line}, which was imported`,
  };
}

/**
 * Stores the numbers of a page, and returns the lines whose number was read before, each with the first line that has
 * it.
 */
async function storeNumbers(
  em: ScopedEntityManager,
  organizationId: string,
  importId: string,
  contacts: ReadContact[],
): Promise<Map<number, number>> {
  const firstLines = new Map<string, number>();
  for (const { phoneNumber, line } of contacts) {
    if (!firstLines.has(phoneNumber)) firstLines.set(phoneNumber, line);
  }
  if (firstLines.size === 0) return new Map();
  const [numbers, lines] = [[...firstLines.keys()], [...firstLines.values()]];
  const { numAffectedRows: noted } = await sql`
    insert into contact_import_numbers (import_id, phone_number, organization_id, line)
    select ${importId}::uuid, number, ${organizationId}::uuid, line
    from unnest(${numbers}::text[], ${lines}::int[]) as met(number, line)
    on conflict do nothing
  `.execute(em.getKysely());
  if (Number(noted) < numbers.length) {
    const before = await tablesOf<typeof ContactImportNumber>(em)
      .selectFrom('ContactImportNumber')
      .select(['phoneNumber', 'line'])
      .where('importId', '=', importId)
      .where('phoneNumber', '=', sql<string>`any(${numbers}::text[])`)
      .execute();
    for (const { phoneNumber, line } of before) firstLines.set(phoneNumber, line);
  }
  return new Map(
    contacts.flatMap(({ phoneNumber, line }) => {
      const first = firstLines.get(phoneNumber)!;
      return first === line ? [] : [[line, first] as const];
    }),
  );
}

async function storeRejects(
  db: Sql,
  organizationId: string,
  importId: string,
  rejects: Reject[],
): Promise<void> {
  if (rejects.length === 0) return;
  await sql`
    insert into contact_import_rejects (import_id, line, organization_id, "column", code, message, cells)
    select ${importId}::uuid, line, ${organizationId}::uuid, "column", code, message, cells
    from ${recordset(rejects, 'reject', {
      line: 'integer',
      column: 'text',
      code: 'text',
      message: 'text',
      cells: 'text[]',
    })}
  `.execute(db);
}

/** Once the whole file is read, all stored parts of it are deleted. */
async function saveCursor(
  em: ScopedEntityManager,
  importId: string,
  cursor: Cursor,
  now: Date,
): Promise<void> {
  const isDone = cursor.status === 'completed';
  await tablesOf<typeof ContactImport>(em)
    .updateTable('ContactImport')
    .set({
      ...cursor,
      wakeAt: isDone ? null : sql<Date>`now() + make_interval(secs => ${sweepAfterSeconds})`,
      completedAt: isDone ? now : null,
    })
    .where('id', '=', importId)
    .execute();
  if (isDone) await deleteFile(em, importId);
}
