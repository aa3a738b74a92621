import type { WorkflowClient } from '@temporalio/client';
import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { startRowWorkflow } from '../dispatches/row-workflows.ts';
import { bulkBatchWorkflow } from './bulk-batch-workflow.ts';

/** A batch is overdue when its workflow should have acted this long ago. */
const overdueMs = 10_000;
/** How long one that was started is left alone. */
const restartedMs = 60_000;
/** What one round takes at most, so that a long outage is worked off in even steps. */
const batchesPerRound = 100;

/**
 * Starts the workflows of batches that did not act when they should have: their start failed, or Temporal lost
 * them. One that runs is only woken. Any number of workers sweep.
 */
export async function startOverdueBatches(
  dependencies: { database: Database; workflowClient: WorkflowClient; log: Log },
  now: Date = new Date(),
): Promise<void> {
  const { database, workflowClient, log } = dependencies;
  const { rows } = await sql<{ id: string; organizationId: string }>`
    with overdue as (
      select id from bulk_batches where wake_at < ${new Date(now.getTime() - overdueMs)}
      order by wake_at limit ${batchesPerRound} for update skip locked
    )
    update bulk_batches set wake_at = ${new Date(now.getTime() + restartedMs)}
    from overdue where bulk_batches.id = overdue.id
    returning bulk_batches.id, organization_id as "organizationId"
  `.execute(sqlOf(database));
  await Promise.all(
    rows.map(async (batch) => {
      await startRowWorkflow(workflowClient, bulkBatchWorkflow, batch);
      log.info({ batchId: batch.id }, 'the sweep saw to an overdue batch');
    }),
  );
}
