import { sql } from 'kysely';
import type { DispatchProgress } from '../../workflows/contract.ts';
import type { Sql } from '../database.ts';
import type { WorkContext } from '../dispatches/work-window.ts';

/**
 * How long a chunk's dispatch is nobody else's without a sign of life, and how often whoever submits it gives one.
 * The sweep adds its own patience, ten seconds.
 */
export const aliveSeconds = 3;
const beatMs = 1000;

/**
 * Submits a chunk. As long as that takes its dispatch is kept from the sweep, which would have a workflow of the lane
 * of single messages carry it; if the worker dies, the sweep comes soon. Should both submit, as after a worker that only
 * stood still, each message is claimed by one of them: docs/decisions/0002.
 */
export async function submitChunk(
  dependencies: {
    db: Sql;
    submitDueMessages: (dispatchId: string, context: WorkContext) => Promise<DispatchProgress>;
    now: () => Date;
  },
  dispatchId: string,
  context: WorkContext,
): Promise<DispatchProgress> {
  const { db, submitDueMessages, now } = dependencies;
  const beat = setInterval(() => {
    // One that is lost is made up for by the next.
    keepFromSweep(db, dispatchId, now()).catch(() => undefined);
  }, beatMs);
  try {
    return await submitDueMessages(dispatchId, context);
  } finally {
    clearInterval(beat);
  }
}

/** A beat may come after the end, when the dispatch waits for what is due later: it never takes anything back. */
async function keepFromSweep(db: Sql, dispatchId: string, now: Date): Promise<void> {
  await sql`
    update dispatches
    set wake_at = greatest(wake_at, ${now}::timestamptz + make_interval(secs => ${aliveSeconds}))
    where id = ${dispatchId} and kind = 'messages' and settled_at is null
  `.execute(db);
}
