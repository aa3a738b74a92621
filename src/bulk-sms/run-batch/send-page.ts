import { metrics } from '../../metrics.ts';
import { sqlOf, type Database } from '../../database.ts';
import { createBatcher } from '../../dispatches/natural-batching.ts';
import type { WorkContext } from '../../dispatches/process-concurrently.ts';
import { areAllQueued } from '../../messages/are-all-queued.ts';
import type { Environment } from '../../principal.ts';
import type { HashNumber } from '../../privacy/number-hash.ts';
import { makeChunk, type Chunk } from './make-chunk.ts';
import { chunkSize, reserveSending, type RateLimitedSubject } from './reserve-sending.ts';
import type { StartChunk } from './start-chunk.ts';

/**
 * A page ends after this many recipients or this time, whichever comes first, so that its workflow can check for
 * changes.
 */
const [recipientsPerPage, pageMs] = [500, 10_000];

/** How often a batch that waits for its turn checks whether the worker is stopping. */
const stopCheckMs = 200;

/**
 * How long a batch waits after the gateway accepted nothing of a chunk. Meanwhile the messages of that chunk are
 * retried.
 */
const gatewayDownRetryMs = 5000;

export interface SendPageDependencies {
  database: Database;
  /** Submits the messages of a dispatch: the same as for single messages, on the connections of the bulk lane. */
  submitDueMessages: (dispatchId: string, context: WorkContext) => Promise<void>;
  /** Starts the workflow that processes a chunk's messages until each is final, even if this worker dies. */
  startChunk: StartChunk;
  /** Messages per second, of the platform and of each sender. */
  rates: { platform: number; sender: number };
  /**
   * The number of chunks that a worker creates and submits at a time, for all batches together: its share of the
   * database.
   */
  chunksAtOnce: number;
  hashNumber: HashNumber;
  now: () => Date;
}

export interface PagedBatch {
  id: string;
  environment: Environment;
  sender: string;
  ratePerSecond: number | null;
}

export type Page = { outcome: 'all_created' } | { outcome: 'continue'; nextAt: Date | null };

/**
 * Creates the function that sends a page of a batch, chunk by chunk: it waits until all rates allow a chunk, creates
 * the chunk, starts the chunk's workflow, and submits it. It reads the batch's row before each chunk, so a pause or a
 * new rate takes effect within one chunk.
 */
export function createSendPage(
  dependencies: SendPageDependencies,
): (batch: PagedBatch, context: WorkContext) => Promise<Page> {
  const { database, startChunk, submitDueMessages, chunksAtOnce, hashNumber, now } = dependencies;
  const db = sqlOf(database);
  type Turn = { batchId: string; limit: number; ratePerSecond: number | null; context: WorkContext };
  type Sent = { chunk: Chunk; isGatewayDown: boolean };
  const send = createBatcher<Turn, Sent>({
    maxItems: 1,
    parallelRuns: chunksAtOnce,
    run: async (turns) => {
      const { batchId, context, ...turn } = turns[0]!;
      const chunk = await makeChunk(db, batchId, turn, now(), hashNumber);
      if (chunk.outcome === 'made') metrics.messagesCreated.inc({ source: 'bulk' }, chunk.made);
      const dispatch = chunk.outcome === 'made' ? chunk.dispatch : null;
      if (dispatch === null) return [{ chunk, isGatewayDown: false }];
      await startChunk(dispatch);
      await submitDueMessages(dispatch.dispatchId, context);
      return [{ chunk, isGatewayDown: await areAllQueued(database, dispatch.dispatchId) }];
    },
  });

  return async (batch, context) => {
    const endsAt = performance.now() + pageMs;
    let { ratePerSecond } = batch;
    for (let made = 0; made < recipientsPerPage && performance.now() < endsAt;) {
      const subjects = rateLimitedSubjects({ ...batch, ratePerSecond }, dependencies.rates);
      const limit = chunkSize(subjects);
      await wait(await reserveSending(db, subjects, limit), context);
      if (context.stopping()) break;
      const { chunk, isGatewayDown } = await send({ batchId: batch.id, limit, ratePerSecond, context });
      if (chunk.outcome === 'all_created') return chunk;
      if (chunk.outcome === 'stopped') return { outcome: 'continue', nextAt: now() };
      if (chunk.outcome === 'rate_changed') {
        ratePerSecond = chunk.ratePerSecond;
        continue;
      }
      if (chunk.isLast) return { outcome: 'all_created' };
      if (isGatewayDown) {
        return { outcome: 'continue', nextAt: new Date(now().getTime() + gatewayDownRetryMs) };
      }
      made += chunk.made;
    }
    return { outcome: 'continue', nextAt: now() };
  };
}

function rateLimitedSubjects(batch: PagedBatch, rates: SendPageDependencies['rates']): RateLimitedSubject[] {
  const { id, environment, sender, ratePerSecond } = batch;
  return [
    { subject: `platform:${environment}`, perSecond: rates.platform },
    { subject: `sender:${environment}:${sender}`, perSecond: rates.sender },
    ...(ratePerSecond === null ? [] : [{ subject: `batch:${id}`, perSecond: ratePerSecond }]),
  ];
}

async function wait(timeMs: number, context: WorkContext): Promise<void> {
  const endsAt = performance.now() + timeMs;
  for (let leftMs = timeMs; leftMs > 0 && !context.stopping(); leftMs = endsAt - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, stopCheckMs)));
  }
}
