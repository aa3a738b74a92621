import type { WorkflowClient } from '@temporalio/client';
import { sql, type RawBuilder } from 'kysely';
import { changedSignalName } from '../../workflows/contract.ts';
import type { Database } from '../database.ts';
import type { Log } from '../log.ts';
import { signalWorkflow, startWorkflow } from '../temporal.ts';
import { claimOverdue } from './claim-overdue.ts';

/** A workflow that carries one row for as long as that lives, and looks at it again when it was changed. */
export interface RowWorkflow {
  type: string;
  workflowIdOf: (id: string) => string;
  /** Its input, under whose name logs tell the row's id too. */
  inputOf: (id: string) => object;
  kind: string;
  /** What logs and the Web UI call the row. */
  rowName: string;
  table: RawBuilder<unknown>;
  /** Which rows may have something to do, as the index on `wake_at` has it. */
  open: RawBuilder<unknown>;
}

/** What the API tells Temporal of a row after it changed it. Neither call fails, nor is it waited for. */
export interface WorkflowCalls {
  /** Of a row with something to do: starts its workflow, or wakes the one that runs. If it cannot, the sweep will. */
  start: (row: { id: string; organizationId: string }) => void;
  /** Of one with less to do: a signal that is lost costs a moment, for the workflow reads the row when it wakes. */
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
            `a ${rowName} was not started; the sweep will start it`,
          ),
      );
    },
    signalChanged: (id) => {
      signalWorkflow(workflowClient, workflowIdOf(id), changedSignalName).then(
        (taken) => {
          if (!taken)
            log.debug(inputOf(id), 'the workflow had ended, or was closing; there is nothing to tell it');
        },
        (error: unknown) => log.warn({ ...inputOf(id), err: error }, 'signal lost'),
      );
    },
  };
}

/** Starts the workflows of rows that are overdue; one that runs is only woken: a part of the sweep. */
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
      log.info(inputOf(row.id), `the sweep saw to an overdue ${rowName}`);
    }),
  );
}

/**
 * Starts the workflow of a row, or has the one that runs look at the row again.
 *
 * @returns whether it will: a workflow that is just closing will not, and the row waits for the sweep
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
