import { LockMode } from '@mikro-orm/core';
import type { RedriveProgress } from '../../workflows/contract.ts';
import type { Database } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { isPermanentError } from '../permanent-error.ts';
import { failRedriveOnPermanentError } from './fail-redrive-on-permanent-error.ts';
import { redriveDeliveriesPage } from './redrive-deliveries-page.ts';
import { redriveMessagesPage } from './redrive-messages-page.ts';
import { Redrive, type RedriveKind } from './redrive.entity.ts';
import type { RedrivePage, RedrivenPage } from './redriven-page.ts';

/** The number of rows that one page examines: enough to make a transaction worthwhile, few enough to finish quickly. */
export const rowsPerPage = 200;

/** How long after a page the sweep restarts a redrive whose next page does not follow. */
const nextPageMs = 30_000;

const pageOf: Record<RedriveKind, RedrivePage> = {
  messages: redriveMessagesPage,
  webhook_deliveries: redriveDeliveriesPage,
};

/**
 * Creates the function that the activity runs: it processes the next page of a redrive, in one transaction that also
 * updates the cursor and the counts. A crash before the commit leaves no trace; after the commit, the next call
 * continues after the page. The row of the redrive is locked, so concurrent calls run one after the other, and a
 * cancellation takes effect between two pages. If a page fails with a permanent error, the redrive is `failed` by then,
 * and the next attempt reads this status.
 *
 * @returns the progress of the redrive; null if it does not exist, for example after a backup was restored
 */
export function createRedrivePage(dependencies: {
  database: Database;
  startMessages: (row: DispatchRow) => void;
  startWebhooks: (row: DispatchRow) => void;
  now: () => Date;
}): (redriveId: string) => Promise<RedriveProgress | null> {
  const { database, startMessages, startWebhooks, now } = dependencies;
  const startRows = { messages: startMessages, webhook_deliveries: startWebhooks };
  return async (redriveId) => {
    const seen: { redrive?: Pick<Redrive, 'id' | 'cursorAt' | 'cursorId'> } = {};
    const taken = database.em.fork().transactional(async (em) => {
      const redrive = await em.findOne(Redrive, { id: redriveId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!redrive || redrive.endedAt !== null) return { redrive, rows: [] };
      const { id, cursorAt, cursorId } = redrive;
      seen.redrive = { id, cursorAt, cursorId };
      const at = now();
      const page = await pageOf[redrive.kind](em.getKysely<unknown>(), redrive, {
        rows: rowsPerPage,
        maxRedriven: redrive.maxRedriven - redrive.redriven,
        at,
      });
      advance(redrive, page, at);
      return { redrive, rows: page.redriven };
    });
    const done = await taken.catch(async (error: unknown) => {
      if (seen.redrive && isPermanentError(error))
        await failRedriveOnPermanentError(database, seen.redrive, now());
      throw error;
    });
    if (!done.redrive) return null;
    // After the commit: the sweep starts every dispatch that is not started here.
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
  // By the real clock, like the sweep.
  redrive.wakeAt = new Date(Date.now() + nextPageMs);
  if (!page.exhausted && redrive.redriven < redrive.maxRedriven) return;
  redrive.status = 'completed';
  redrive.endedAt = at;
}
