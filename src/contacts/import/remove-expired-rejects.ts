import { sql } from 'kysely';
import { sqlOf, type Database } from '../../database.ts';
import { rejectsRetentionDays } from './rejects-expiry.ts';

/** The limits of one statement, so that none holds its locks for long, and the number of statements in one round. */
const [rowsAtOnce, importsAtOnce, statementsPerRound] = [1000, 100, 100];

/**
 * Deletes the rejected and skipped rows of imports whose retention time is over: one round of the cleanup. Any number
 * of workers may run it at the same time; each takes other imports. API responses do not depend on it: its purpose is
 * that the data is deleted.
 */
export async function removeExpiredRejects(
  database: Database,
  options: { rowsAtOnce?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const limit = options.rowsAtOnce ?? rowsAtOnce;
  for (let statement = 0; statement < statementsPerRound && !options.signal?.aborted; statement += 1) {
    // An import is finished when fewer of its rows were found than one statement deletes.
    const { rows } = await sql<{ imports: number }>`
      with expired as (
        select id from contact_imports
        where not rejects_removed and completed_at < now() - make_interval(days => ${rejectsRetentionDays})
        order by completed_at limit ${importsAtOnce} for no key update skip locked
      ), doomed as (
        select import_id, line from contact_import_rejects
        where import_id in (select id from expired) limit ${limit}
      ), removed as (
        delete from contact_import_rejects reject using doomed
        where reject.import_id = doomed.import_id and reject.line = doomed.line
      ), done as (
        update contact_imports set rejects_removed = true
        from expired where contact_imports.id = expired.id and (select count(*) from doomed) < ${limit}
      )
      select count(*)::int as imports from expired
    `.execute(sqlOf(database));
    if (rows[0]!.imports === 0) return;
  }
}
