import type { Sql } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import type { Redrive } from './redrive.entity.ts';

/** What one page did. */
export interface RedrivenPage {
  /** `createdAt` and id of the last row looked at; null when there was none. */
  last: { createdAt: Date; id: string } | null;
  /** Whether no row lies beyond. */
  exhausted: boolean;
  /** What is to be carried anew. */
  redriven: DispatchRow[];
  /** How many that fit were left as they are, by reason. */
  skipped: Redrive['skipped'];
}

/** Does a page: looks at the rows beyond the redrive's cursor, in its transaction, and redrives at most so many. */
export type RedrivePage = (
  db: Sql,
  redrive: Redrive,
  page: { rows: number; maxRedriven: number; at: Date },
) => Promise<RedrivenPage>;
