import type { WorkflowClient } from '@temporalio/client';
import { sql } from 'kysely';
import { completedSignalName, workflowIdOf } from '../../workflows/contract.ts';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { prepared } from '../prepared-statements.ts';
import { signalWorkflow } from '../temporal.ts';
import type { DispatchedRows } from './dispatched-rows.ts';

/**
 * Notifies the workflows of those dispatches whose last row has just become final, and settles the dispatches.
 *
 * Call it after the commit that made the row final: two reports that end a dispatch at the same time each see the
 * other's row as open until both have committed. If both then see the end, both send the signal, and the second one has
 * no effect.
 *
 * A dispatch is settled only after Temporal has taken its signal. If the signal is lost, or the process dies before, the
 * sweep finds a dispatch that is not settled and has no open row, and calls this function again. Otherwise the workflow
 * would sleep on until the deadline of its last row, up to 72 hours.
 */
export async function completeDispatches(
  dependencies: { database: Database; workflowClient: WorkflowClient; log: Log },
  { kind, table, open }: DispatchedRows,
  dispatchIds: string[],
): Promise<void> {
  const { database, workflowClient, log } = dependencies;
  if (dispatchIds.length === 0) return;
  const db = sqlOf(database);
  const { rows } = await sql<{ id: string }>`${prepared('find_complete_dispatches')}
    select id from dispatches
    where id = any(${dispatchIds}::uuid[]) and kind = ${kind} and settled_at is null
      and not exists (select from ${table} where dispatch_id = dispatches.id and ${open})
  `.execute(db);
  if (rows.length === 0) return;
  const signals = await Promise.all(
    rows.map(async ({ id }) => {
      try {
        await signalWorkflow(workflowClient, workflowIdOf(kind, id), completedSignalName);
        return { id, isTaken: true };
      } catch (error) {
        log.warn(
          { kind, dispatchId: id, err: error },
          'the signal to a workflow was lost; the sweep repeats it',
        );
        return { id, isTaken: false };
      }
    }),
  );
  // A dispatch whose signal was lost is overdue from now on, so that the sweep does not wait for its next deadline.
  const taken = signals.flatMap(({ id, isTaken }) => (isTaken ? [id] : []));
  await sql`${prepared('settle_dispatches')}
    update dispatches set
      settled_at = case when id = any(${taken}::uuid[]) then now() end,
      wake_at = case when id = any(${taken}::uuid[]) then wake_at else now() end
    where id = any(${signals.map(({ id }) => id)}::uuid[]) and kind = ${kind} and settled_at is null
  `.execute(db);
}
