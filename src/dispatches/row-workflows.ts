import type { WorkflowClient } from '@temporalio/client';
import { sql, type RawBuilder } from 'kysely';
import { changedSignalName } from '../../workflows/contract.ts';
import type { Database } from '../database.ts';
import type { Log } from '../log.ts';
import { signalWorkflow, startWorkflow } from '../temporal.ts';
import { claimOverdue } from './claim-overdue.ts';

/** A workflow that exists for one row during its lifetime, and reads the row again after a change. */
export interface RowWorkflow {
  type: string;
  workflowIdOf: (id: string) => string;
  /** The input of the workflow. Its field names also name the row's id in logs. */
  inputOf: (id: string) => object;
  kind: string;
  /** The name of the row in logs and in the Temporal Web UI. */
  rowName: string;
  table: RawBuilder<unknown>;
  /** The condition for rows that may have work to do. It matches the index on `wake_at`. */
  open: RawBuilder<unknown>;
}

/**
 * The calls to Temporal that the API makes after it changed a row. They never fail, and the caller does not wait for
 * them.
 */
export interface WorkflowCalls {
  /** For a row with work to do: starts its workflow, or wakes the running one. If this fails, the sweep does it. */
  start: (row: { id: string; organizationId: string }) => void;
  /** For a row with less work to do. A lost signal is harmless, because the workflow reads the row when it wakes. */
  signalChanged: (id: string) => void;
}

export function createWorkflowCalls(
  dependencies: { workflowClient: WorkflowClient; log: Log },
  workflow: RowWorkflow,
): WorkflowCalls {
  const { workflowClient, log } = dependencies;
  const { rowName, workflowIdOf, inputOf } = workflow;
  return {
    start: (row) => {
      startRowWorkflow(workflowClient, workflow, row).then(
        (taken) => {
          if (!taken) log.debug(inputOf(row.id), 'the workflow was closing; the sweep will start another');
        },
        (error: unknown) =>
          log.warn(
            { ...inputOf(row.id), err: error },
            `the workflow of a ${rowName} was not started; the sweep will start it`,
          ),
      );
    },
    signalChanged: (id) => {
      signalWorkflow(workflowClient, workflowIdOf(id), changedSignalName).then(
        (taken) => {
          if (!taken) log.debug(inputOf(id), 'the workflow had ended or was closing; no signal is needed');
        },
        (error: unknown) => log.warn({ ...inputOf(id), err: error }, 'the signal to a workflow was lost'),
      );
    },
  };
}

/** Starts the workflows of overdue rows as a part of the sweep. A running workflow is only woken. */
export async function startOverdueRows(
  dependencies: { database: Database; workflowClient: WorkflowClient; log: Log },
  workflow: RowWorkflow,
  now?: Date,
): Promise<void> {
  const { database, workflowClient, log } = dependencies;
  const { table, open, rowName, inputOf } = workflow;
  const rows = await claimOverdue<{ id: string; organizationId: string }>(
    database,
    { table, open, columns: sql`organization_id as "organizationId"` },
    now,
  );
  await Promise.all(
    rows.map(async (row) => {
      await startRowWorkflow(workflowClient, workflow, row);
      log.info(inputOf(row.id), `the sweep started or woke an overdue ${rowName}`);
    }),
  );
}

/**
 * Starts the workflow of a row, or makes the running one read the row again.
 *
 * @returns false if the workflow was just closing: then the row waits for the sweep
 */
export function startRowWorkflow(
  workflowClient: WorkflowClient,
  { type, workflowIdOf, inputOf, kind, rowName }: RowWorkflow,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<boolean> {
  return startWorkflow(workflowClient, {
    type,
    workflowId: workflowIdOf(id),
    input: inputOf(id),
    organizationIds: [organizationId],
    kind,
    summary: `a ${rowName}`,
    signal: changedSignalName,
  });
}
