import type { WorkflowClient } from '@temporalio/client';
import { sql, type RawBuilder } from 'kysely';
import { changedSignalName } from '../../workflows/contract.ts';
import type { Database } from '../database.ts';
import type { Log } from '../log.ts';
import { metrics } from '../metrics.ts';
import { signalWorkflow, startWorkflow } from '../temporal.ts';
import { claimOverdue, type WakingRows } from './claim-overdue.ts';

/** A row with a workflow of its own. */
export interface WorkflowRow {
  id: string;
  /** Null for the rows of operators, which may concern all organizations. */
  organizationId: string | null;
}

/**
 * A workflow that exists for one row while the row has work to do: `open` is the condition for such rows, and matches
 * the index on `wake_at`.
 */
export interface RowWorkflow<Row extends WorkflowRow = WorkflowRow> extends Omit<WakingRows, 'columns'> {
  type: string;
  workflowIdOf: (id: string) => string;
  inputOf: (row: Row) => object;
  kind: string;
  /** The name of the row in logs and in the Temporal Web UI, and the name of its id in logs. */
  rowName: string;
  idName: string;
  /** The summary in the Temporal Web UI; the row's name by default. */
  summaryOf?: (row: Row) => string;
  /** The columns that these functions read in addition to id and organization. */
  columns?: RawBuilder<unknown>;
  /** Whether the workflow sleeps until it is signalled that its row was changed. Others are never signalled. */
  awaitsChanges: boolean;
}

/**
 * The calls to Temporal that the API makes after it changed a row. They never fail, and the caller does not wait for
 * them.
 */
export interface WorkflowCalls<Row extends WorkflowRow = WorkflowRow> {
  /** For a row with work to do: starts its workflow, or wakes the running one. If this fails, the sweep does it. */
  start: (row: Row) => void;
  /** For a row with less work to do. A lost signal is harmless, because the workflow reads the row when it wakes. */
  signalChanged: (id: string) => void;
}

export function createWorkflowCalls<Row extends WorkflowRow>(
  dependencies: { workflowClient: WorkflowClient; log: Log },
  workflow: RowWorkflow<Row>,
): WorkflowCalls<Row> {
  const { workflowClient, log } = dependencies;
  const { rowName, idName, workflowIdOf } = workflow;
  return {
    start: (row) => {
      startRowWorkflow(workflowClient, workflow, row).then(
        (taken) => {
          if (!taken)
            log.debug({ [idName]: row.id }, 'the workflow was closing; the sweep will start another');
        },
        (error: unknown) =>
          log.warn(
            { [idName]: row.id, err: error },
            `the workflow of a ${rowName} was not started; the sweep will start it`,
          ),
      );
    },
    signalChanged: (id) => {
      signalWorkflow(workflowClient, workflowIdOf(id), changedSignalName).then(
        (taken) => {
          if (!taken)
            log.debug({ [idName]: id }, 'the workflow had ended or was closing; no signal is needed');
        },
        (error: unknown) => log.warn({ [idName]: id, err: error }, 'the signal to a workflow was lost'),
      );
    },
  };
}

/** Starts the workflows of overdue rows: a step of the sweep. A running workflow is at most woken. */
export async function startOverdueRows<Row extends WorkflowRow>(
  dependencies: { database: Database; workflowClient: WorkflowClient; log: Log },
  workflow: RowWorkflow<Row>,
  now?: Date,
): Promise<void> {
  const { database, workflowClient, log } = dependencies;
  const { rowName, idName, columns: others } = workflow;
  const columns = sql`organization_id as "organizationId"${others ? sql`, ${others}` : sql``}`;
  const rows = await claimOverdue<Row>(database, { ...workflow, columns }, now);
  await Promise.all(
    rows.map(async (row) => {
      await startRowWorkflow(workflowClient, workflow, row);
      metrics.sweepStarts.inc({ kind: workflow.kind });
      log.info({ [idName]: row.id }, `the sweep started or woke an overdue ${rowName}`);
    }),
  );
}

/**
 * Starts the workflow of a row, or makes the running one read the row again.
 *
 * @returns false if the workflow was just closing: then the row waits for the sweep
 */
export function startRowWorkflow<Row extends WorkflowRow>(
  workflowClient: WorkflowClient,
  workflow: RowWorkflow<Row>,
  row: Row,
): Promise<boolean> {
  const { type, workflowIdOf, inputOf, kind, rowName, summaryOf, awaitsChanges } = workflow;
  return startWorkflow(workflowClient, {
    type,
    workflowId: workflowIdOf(row.id),
    input: inputOf(row),
    organizationIds: row.organizationId === null ? [] : [row.organizationId],
    kind,
    summary: summaryOf?.(row) ?? `a ${rowName}`,
    ...(awaitsChanges && { signal: changedSignalName }),
  });
}
