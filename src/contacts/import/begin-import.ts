import type { FileHandle } from 'node:fs/promises';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { ContactImportInput } from '../../../workflows/contract.ts';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import type { Principal } from '../../principal.ts';
import { tablesOf, type Database } from '../../database.ts';
import { asTenant } from '../../organizations/organization-scope.ts';
import type { ContactImportChunk } from './contact-import-chunk.entity.ts';
import type { ContactImport } from './contact-import.entity.ts';
import { chunkBytes, importPage } from './import-page.ts';
import { headerBytes, readHeader } from './read-header.ts';

/** A CSV file: either open on disk, from a multipart body, and closed here; or its text. */
export type CsvFile = { handle: FileHandle; sizeBytes: number } | { text: string };

/** A file up to this size is imported before the response is sent. */
const atOnceBytes = 256 * 1024;

/** When the sweep checks an import whose request died: later than any small import takes, and soon for the others. */
const wakeAfterSeconds = { atOnce: 30, later: 2 };

/**
 * Creates the function that handles POST /api/v1/contacts/import. It stores the file. A small file is imported at
 * once; a larger one is imported by a workflow. After the commit no import is lost: if an import breaks off here, or
 * cannot be started, the sweep starts it.
 *
 * Errors: invalid_request for a file whose first line is not a header with a column of phone numbers; nothing is
 * stored.
 */
export function createBeginImport(dependencies: {
  database: Database;
  startImport: (row: { id: string; organizationId: string }) => void;
  now: () => Date;
}): (principal: Principal, file: CsvFile) => Promise<{ importId: string; isDone: boolean }> {
  const { database, startImport, now } = dependencies;
  return async (principal, file) => {
    const { organizationId } = principal;
    const started: ContactImportInput = { organizationId, importId: uuidv7() };
    const sizeBytes = 'text' in file ? Buffer.byteLength(file.text) : file.sizeBytes;
    const isSmall = sizeBytes <= atOnceBytes;
    const source = openFile(file);
    try {
      const start = await source.read(0, headerBytes);
      const header = readHeader(start, start.length >= sizeBytes);
      await asTenant(database, principal, async (em) => {
        const tables = tablesOf<typeof ContactImport | typeof ContactImportChunk>(em);
        const wakeAfter = isSmall ? wakeAfterSeconds.atOnce : wakeAfterSeconds.later;
        recordAuditEvent(em, principal, {
          action: 'contacts.imported',
          subjectId: started.importId,
          details: { sizeBytes },
        });
        await tables
          .insertInto('ContactImport')
          .values({
            id: started.importId,
            organization: organizationId,
            status: 'processing',
            sizeBytes,
            delimiter: header.delimiter,
            columns: header.headers,
            nextByte: header.nextByte,
            nextLine: header.nextLine,
            wakeAt: sql<Date>`now() + make_interval(secs => ${wakeAfter})`,
            createdAt: now(),
          })
          .execute();
        for (let position = 0; position * chunkBytes < sizeBytes; position += 1) {
          const bytes = await source.read(position * chunkBytes, chunkBytes);
          await tables
            .insertInto('ContactImportChunk')
            .values({ import: started.importId, position, organizationId, bytes })
            .execute();
        }
      });
    } finally {
      await source.close();
    }
    if (!isSmall) {
      startImport({ id: started.importId, organizationId });
      return { importId: started.importId, isDone: false };
    }
    while (!(await importPage(database, started, now())).done);
    return { importId: started.importId, isDone: true };
  };
}

interface OpenedFile {
  /** Reads this number of bytes, or fewer at the end of the file. */
  read: (position: number, length: number) => Promise<Buffer>;
  close: () => Promise<void>;
}

function openFile(file: CsvFile): OpenedFile {
  if ('text' in file) {
    const bytes = Buffer.from(file.text);
    return {
      read: (position, length) => Promise.resolve(bytes.subarray(position, position + length)),
      close: () => Promise.resolve(),
    };
  }
  const { handle } = file;
  return {
    read: async (position, length) => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, file.sizeBytes - position)));
      let filled = 0;
      while (filled < buffer.length) {
        const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled);
        if (bytesRead === 0) throw new Error('The uploaded file was truncated while it was read.');
        filled += bytesRead;
      }
      return buffer;
    },
    close: () => handle.close(),
  };
}
