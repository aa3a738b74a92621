import { sql } from 'kysely';
import type { Sql } from '../../database.ts';
import { prepared } from '../../prepared-statements.ts';
import { isTracing } from '../../tracing.ts';

/**
 * Returns the W3C `traceparent` of the requests that stored these messages, by message id. Messages whose request was
 * not traced are left out. While tracing is off, nothing is read.
 *
 * It never rejects: the caller has claimed rows, and a trace is not a reason to leave them.
 */
export async function readTraceparents(db: Sql, messageIds: string[]): Promise<Map<string, string>> {
  if (!isTracing() || messageIds.length === 0) return new Map();
  try {
    const { rows } = await sql<{ messageId: string; traceparent: string }>`${prepared('read_traceparents')}
      select message_id as "messageId", details->>'traceparent' as traceparent from message_events
      where message_id = any(${messageIds}::uuid[]) and kind = 'queued' and details->>'traceparent' is not null
    `.execute(db);
    return new Map(rows.map(({ messageId, traceparent }) => [messageId, traceparent]));
  } catch {
    return new Map();
  }
}

/** Returns the rows with the `traceparent` of their messages; the same rows while tracing is off. */
export async function withTraceparents<Row extends object>(
  db: Sql,
  rows: Row[],
  messageIdOf: (row: Row) => string,
): Promise<(Row & { traceparent?: string | undefined })[]> {
  if (!isTracing()) return rows;
  const traceparents = await readTraceparents(db, rows.map(messageIdOf));
  return rows.map((row) => ({ ...row, traceparent: traceparents.get(messageIdOf(row)) }));
}
