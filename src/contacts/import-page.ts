import { sql } from 'kysely';
import type { Database, Sql } from '../database.ts';
import { isLastingFailure } from '../lasting-failure.ts';
import { asTenants } from '../organizations/organization-scope.ts';
import { duplicateRow } from './contact-import-reject.entity.ts';
import { restoreCell } from '../http/csv-formulas.ts';
import { readColumns, type CsvColumn } from './csv-columns.ts';
import { deleteFile, failStuckImport } from './fail-stuck-import.ts';
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
const patienceSeconds = 60;

export interface ImportProgress {
  done: boolean;
  imported: number;
  updated: number;
  skipped: number;
  rejected: number;
}

/** The part of an import that its next page needs. */
type Cursor = {
  status: 'processing' | 'completed' | 'failed';
  sizeBytes: number;
  delimiter: string;
  columns: string[];
  nextByte: number;
  nextLine: number;
  brokenRows: number;
} & Omit<ImportProgress, 'done'>;

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
    return await asTenants(database, [organizationId], async (db) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`contact-imports/${organizationId}`}, 0))`.execute(
        db,
      );
      const cursor = await lockImport(db, importId);
      if (!cursor) throw new Error('The import does not exist.');
      if (cursor.status !== 'processing') return toProgress(cursor);
      seen.nextByte = cursor.nextByte;
      return importRows(db, started, cursor, now);
    });
  } catch (error) {
    if (seen.nextByte !== undefined && isLastingFailure(error)) {
      await failStuckImport(database, started, seen.nextByte, now);
    }
    throw error;
  }
}

async function importRows(
  db: Sql,
  { organizationId, importId }: { organizationId: string; importId: string },
  cursor: Cursor,
  now: Date,
): Promise<ImportProgress> {
  const read = await readPage(db, importId, cursor);
  const { contacts, rejects } = separateRejects(read, cursor);
  const duplicates = await storeNumbers(db, organizationId, importId, contacts);
  const fresh = contacts.filter(({ line }) => !duplicates.has(line));
  const { inserted, updated, refused } = await upsertContacts(db, organizationId, fresh, now);
  for (const { line, cells, phoneNumber } of contacts) {
    const firstLine = duplicates.get(line);
    if (firstLine !== undefined) rejects.push({ line, cells, ...duplicateOf(firstLine) });
    const problem = refused.get(phoneNumber);
    if (firstLine === undefined && problem) {
      rejects.push({ line, cells, column: null, code: problem.code, message: problem.message });
    }
  }
  await storeRejects(db, organizationId, importId, rejects);
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
  await saveCursor(db, importId, moved, now);
  return toProgress(moved);
}

function toProgress({ status, imported, updated, skipped, rejected }: Cursor): ImportProgress {
  return { done: status !== 'processing', imported, updated, skipped, rejected };
}

async function lockImport(db: Sql, importId: string): Promise<Cursor | undefined> {
  const { rows } = await sql<Cursor>`
    select status, size_bytes as "sizeBytes", delimiter, to_json(columns) as columns, next_byte as "nextByte",
      next_line as "nextLine", broken_rows as "brokenRows", imported, updated, skipped, rejected
    from contact_imports where id = ${importId} for no key update
  `.execute(db);
  return rows[0];
}

/** Reads the next rows from a window of the file; the window grows until it contains a whole row. */
async function readPage(db: Sql, importId: string, cursor: Cursor): Promise<CsvRows> {
  const { sizeBytes, nextByte, delimiter } = cursor;
  for (let windowBytes = 2 * chunkBytes; ; windowBytes *= 2) {
    const first = Math.floor(nextByte / chunkBytes);
    const { rows } = await sql<{ bytes: Buffer }>`
      select bytes from contact_import_chunks
      where import_id = ${importId} and position >= ${first} and position < ${first + windowBytes / chunkBytes}
      order by position
    `.execute(db);
    const bytes = Buffer.concat(rows.map((row) => row.bytes)).subarray(nextByte - first * chunkBytes);
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
  db: Sql,
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
  const { rows: noted } = await sql<{ phoneNumber: string }>`
    insert into contact_import_numbers (import_id, phone_number, organization_id, line)
    select ${importId}::uuid, number, ${organizationId}::uuid, line
    from unnest(${numbers}::text[], ${lines}::int[]) as met(number, line)
    on conflict do nothing returning phone_number as "phoneNumber"
  `.execute(db);
  if (noted.length < numbers.length) {
    const { rows: before } = await sql<{ phoneNumber: string; line: number }>`
      select phone_number as "phoneNumber", line from contact_import_numbers
      where import_id = ${importId} and phone_number = any(${numbers}::text[])
    `.execute(db);
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
    select ${importId}::uuid, line, ${organizationId}::uuid, "column", code, message,
      array(select jsonb_array_elements_text(cells))
    from jsonb_to_recordset(${JSON.stringify(rejects)}::jsonb) as reject(
      "line" int, "column" text, "code" text, "message" text, "cells" jsonb
    )
  `.execute(db);
}

/** Once the whole file is read, all stored parts of it are deleted. */
async function saveCursor(db: Sql, importId: string, cursor: Cursor, now: Date): Promise<void> {
  const isDone = cursor.status === 'completed';
  await sql`
    update contact_imports set
      status = ${cursor.status}, next_byte = ${cursor.nextByte}, next_line = ${cursor.nextLine},
      broken_rows = ${cursor.brokenRows}, imported = ${cursor.imported}, updated = ${cursor.updated},
      skipped = ${cursor.skipped}, rejected = ${cursor.rejected},
      wake_at = case when ${isDone}::boolean then null else now() + make_interval(secs => ${patienceSeconds}) end,
      completed_at = case when ${isDone}::boolean then ${now}::timestamptz end
    where id = ${importId}
  `.execute(db);
  if (isDone) await deleteFile(db, importId);
}
