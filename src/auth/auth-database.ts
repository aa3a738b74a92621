import type { Kysely, KyselyPlugin, UnknownRow } from 'kysely';
import { sqlOf, type Database } from '../database.ts';

/** How a column that holds a moment is named in better-auth's tables, joined ones included. */
const momentColumn = /(?:_at|_expires)$/;

/** MikroORM's driver leaves a timestamptz as PostgreSQL writes it; better-auth compares Dates and answers them. */
const momentsAsDates: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  // oxlint-disable-next-line typescript/require-await -- the interface asks for a promise
  transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(withDates) }),
};

function withDates(row: UnknownRow): UnknownRow {
  const dated: UnknownRow = {};
  for (const [column, value] of Object.entries(row)) {
    dated[column] = typeof value === 'string' && momentColumn.test(column) ? new Date(value) : value;
  }
  return dated;
}

/**
 * What better-auth works on: MikroORM's own pool, so that a process has one. Its transactions are used
 * (`transaction`), for a user without the account he signs in with could never sign in, nor up again.
 */
export function createAuthDatabase(database: Database): {
  db: Kysely<Record<string, Record<string, unknown>>>;
  type: 'postgres';
  transaction: true;
} {
  const db = sqlOf(database).withPlugin(momentsAsDates);
  return { db: db as Kysely<Record<string, Record<string, unknown>>>, type: 'postgres', transaction: true };
}
