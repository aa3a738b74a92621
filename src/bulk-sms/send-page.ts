import { sql } from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';
import { createBatcher } from '../dispatches/natural-batching.ts';
import type { WorkContext } from '../dispatches/process-concurrently.ts';
import type { Environment } from '../principal.ts';
import { makeChunk, type Chunk } from './make-chunk.ts';
import { chunkSize, reserveSending, type HeldToRate } from './reserve-sending.ts';
import type { StartChunk } from './start-chunk.ts';

/** A page ends after so many recipients or so long, whichever comes first, for its workflow to look around. */
const [recipientsPerPage, pageMs] = [500, 10_000];

/** How often one who waits for his turn looks whether the worker is to stop. */
const lookMs = 200;

/** How long a batch waits once the gateway took nothing of a chunk: those that it made are tried again meanwhile. */
const gatewayDownRetryMs = 5000;

export interface SendPageDependencies {
  database: Database;
  /** Submits the messages of a dispatch: the same as for single messages, on the connections of the bulk lane. */
  submitDueMessages: (dispatchId: string, context: WorkContext) => Promise<void>;
  /** Starts the workflow that carries a chunk's messages until each is final, whatever becomes of this worker. */
  startChunk: StartChunk;
  /** Messages a second, of the platform and of each sender. */
  rates: { platform: number; sender: number };
  /** Chunks that a worker makes and submits at a time, whatever the number of batches: its share of the database. */
  chunksAtOnce: number;
  now: () => Date;
}

export interface PagedBatch {
  id: string;
  environment: Environment;
  sender: string;
  ratePerSecond: number | null;
}

export type Page = { outcome: 'all_made' } | { outcome: 'to_go_on'; nextAt: Date | null };

/**
 * Makes the function that sends a page of a batch, chunk by chunk: waits until all rates allow a chunk, makes it,
 * has its workflow started, submits it. Before each chunk the batch's row is looked at, so a pause or a new rate is
 * felt within one.
 */
export function createSendPage(
  dependencies: SendPageDependencies,
): (batch: PagedBatch, context: WorkContext) => Promise<Page> {
  const { database, startChunk, submitDueMessages, chunksAtOnce, now } = dependencies;
  const db = sqlOf(database);
  type Turn = { batchId: string; limit: number; context: WorkContext };
  type Sent = { chunk: Chunk; isGatewayDown: boolean };
  const send = createBatcher<Turn, Sent>({
    maxItems: 1,
    parallelRuns: chunksAtOnce,
    run: async (turns) => {
      const { batchId, limit, context } = turns[0]!;
      const chunk = await makeChunk(db, batchId, limit, now());
      const dispatch = chunk.outcome === 'made' ? chunk.dispatch : null;
      if (dispatch === null) return [{ chunk, isGatewayDown: false }];
      await startChunk(dispatch);
      await submitDueMessages(dispatch.dispatchId, context);
      return [{ chunk, isGatewayDown: await areAllQueued(db, dispatch.dispatchId) }];
    },
  });

  return async (batch, context) => {
    const endsAt = performance.now() + pageMs;
    let { ratePerSecond } = batch;
    for (let made = 0; made < recipientsPerPage && performance.now() < endsAt;) {
      const held = heldToRates({ ...batch, ratePerSecond }, dependencies.rates);
      const limit = chunkSize(held);
      await wait(await reserveSending(db, held, limit), context);
      if (context.stopping()) break;
      const { chunk, isGatewayDown } = await send({ batchId: batch.id, limit, context });
      if (chunk.outcome === 'all_made') return chunk;
      if (chunk.outcome === 'stopped') return { outcome: 'to_go_on', nextAt: now() };
      if (chunk.isLast) return { outcome: 'all_made' };
      if (isGatewayDown) {
        return { outcome: 'to_go_on', nextAt: new Date(now().getTime() + gatewayDownRetryMs) };
      }
      made += chunk.made;
      ratePerSecond = chunk.ratePerSecond;
    }
    return { outcome: 'to_go_on', nextAt: now() };
  };
}

function heldToRates(batch: PagedBatch, rates: SendPageDependencies['rates']): HeldToRate[] {
  const { id, environment, sender, ratePerSecond } = batch;
  return [
    { subject: `platform:${environment}`, perSecond: rates.platform },
    { subject: `sender:${environment}:${sender}`, perSecond: rates.sender },
    ...(ratePerSecond === null ? [] : [{ subject: `batch:${id}`, perSecond: ratePerSecond }]),
  ];
}

/** Whether the gateway has taken, or refused, nothing of what was to be submitted. */
async function areAllQueued(db: Sql, dispatchId: string): Promise<boolean> {
  const { rows } = await sql`
    select from messages where dispatch_id = ${dispatchId} and status <> 'queued' limit 1
  `.execute(db);
  return rows.length === 0;
}

async function wait(timeMs: number, context: WorkContext): Promise<void> {
  const endsAt = performance.now() + timeMs;
  for (let leftMs = timeMs; leftMs > 0 && !context.stopping(); leftMs = endsAt - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, lookMs)));
  }
}
