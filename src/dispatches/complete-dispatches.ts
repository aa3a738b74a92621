import type { WorkflowClient } from '@temporalio/client';
import { sql } from 'kysely';
import { completedSignalName, workflowIdOf } from '../../workflows/contract.ts';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { prepared } from '../prepared-statements.ts';
import { signalWorkflow } from '../temporal.ts';
import type { DispatchedRows } from './dispatched-rows.ts';

/**
 * Notifies the workflows of those dispatches whose last row has just become final.
 *
 * Call it after the commit that made the row final: two reports that end a dispatch at the same time each see the
 * other's row as open until both have committed. If both then see the end, the guarded update lets only one send the
 * signal. A lost signal has no effect except that the workflow sleeps until its deadline.
 */
export async function completeDispatches(
  dependencies: { database: Database; workflowClient: WorkflowClient; log: Log },
  { kind, table, open }: DispatchedRows,
  dispatchIds: string[],
): Promise<void> {
  const { database, workflowClient, log } = dependencies;
  if (dispatchIds.length === 0) return;
  const { rows } = await sql<{ id: string }>`${prepared('complete_dispatches')}
    update dispatches set settled_at = now()
    where id = any(${dispatchIds}::uuid[]) and kind = ${kind} and settled_at is null
      and not exists (select from ${table} where dispatch_id = dispatches.id and ${open})
    returning id
  `.execute(sqlOf(database));
  await Promise.all(
    rows.map(async ({ id }) => {
      try {
        await signalWorkflow(workflowClient, workflowIdOf(kind, id), completedSignalName);
      } catch (error) {
        log.warn({ kind, dispatchId: id, err: error }, 'the signal to a workflow was lost');
      }
    }),
  );
}
