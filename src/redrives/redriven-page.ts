import type { Sql } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import type { Redrive } from './redrive.entity.ts';

/** The result of one page. */
export interface RedrivenPage {
  /** `createdAt` and id of the last examined row; null if there was none. */
  last: { createdAt: Date; id: string } | null;
  /** Whether no rows remain after this page. */
  exhausted: boolean;
  /** The rows whose dispatches must be started. */
  redriven: DispatchRow[];
  /** How many matching rows were skipped, by reason. */
  skipped: Redrive['skipped'];
}

/**
 * Processes a page: examines the rows after the redrive's cursor, in its transaction, and redrives at most
 * `maxRedriven`.
 */
export type RedrivePage = (
  db: Sql,
  redrive: Redrive,
  page: { rows: number; maxRedriven: number; at: Date },
) => Promise<RedrivenPage>;
