import { LockMode } from '@mikro-orm/core';
import type { RedriveProgress } from '../../workflows/contract.ts';
import type { Database } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { redriveDeliveriesPage } from './redrive-deliveries-page.ts';
import { redriveMessagesPage } from './redrive-messages-page.ts';
import { Redrive, type RedriveKind } from './redrive.entity.ts';
import type { RedrivePage, RedrivenPage } from './redriven-page.ts';

/** Rows that one page looks at: enough to make a transaction's price small, few enough to be done in no time. */
export const rowsPerPage = 200;

/** When the sweep looks after a redrive whose next page does not come. */
const nextPageMs = 30_000;

const pageOf: Record<RedriveKind, RedrivePage> = {
  messages: redriveMessagesPage,
  webhook_deliveries: redriveDeliveriesPage,
};

/**
 * Makes the activity's work: the next page of a redrive, in one transaction that also moves its cursor and its
 * counts. A death before the commit leaves no trace; after it, the next call goes on beyond the page. The
 * redrive's row is held meanwhile, so of two that work on it at once the second sees what the first did, and a
 * cancellation falls between two pages.
 *
 * @returns how far the redrive is; null if there is no such redrive, as after a restored backup
 */
export function createRedrivePage(dependencies: {
  database: Database;
  startRows: Record<RedriveKind, (row: DispatchRow) => void>;
  now: () => Date;
}): (redriveId: string) => Promise<RedriveProgress | null> {
  const { database, startRows, now } = dependencies;
  return async (redriveId) => {
    const done = await database.em.fork().transactional(async (em) => {
      const redrive = await em.findOne(Redrive, { id: redriveId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!redrive || redrive.endedAt !== null) return { redrive, rows: [] };
      const at = now();
      const page = await pageOf[redrive.kind](em.getKysely<unknown>(), redrive, {
        rows: rowsPerPage,
        maxRedriven: redrive.maxRedriven - redrive.redriven,
        at,
      });
      advance(redrive, page, at);
      return { redrive, rows: page.redriven };
    });
    if (!done.redrive) return null;
    // After the commit: whatever is not started by this, the sweep of dispatches will.
    const { kind, status, matched, redriven, skipped, maxRedriven } = done.redrive;
    for (const row of done.rows) startRows[kind](row);
    return { kind, status, matched, redriven, skipped, limit: maxRedriven };
  };
}

function advance(redrive: Redrive, page: RedrivenPage, at: Date): void {
  const skipped = { ...redrive.skipped };
  for (const [reason, count] of Object.entries(page.skipped) as [keyof typeof skipped, number][]) {
    skipped[reason] = (skipped[reason] ?? 0) + count;
    redrive.matched += count;
  }
  redrive.skipped = skipped;
  redrive.matched += page.redriven.length;
  redrive.redriven += page.redriven.length;
  if (page.last) {
    redrive.cursorAt = page.last.createdAt;
    redrive.cursorId = page.last.id;
  }
  redrive.status = 'running';
  redrive.startedAt ??= at;
  // By the real clock, as the sweep's.
  redrive.wakeAt = new Date(Date.now() + nextPageMs);
  if (!page.exhausted && redrive.redriven < redrive.maxRedriven) return;
  redrive.status = 'completed';
  redrive.endedAt = at;
}
