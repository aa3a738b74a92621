import type { WorkflowClient } from '@temporalio/client';
import { sql } from 'kysely';
import { workflowIdOf, workflowTypes } from '../../workflows/contract.ts';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { startWorkflow } from '../temporal.ts';
import { claimRows } from './claim-rows.ts';
import type { DispatchKind } from './dispatch.entity.ts';
import { BatchQueueFull, createBatcher } from './natural-batching.ts';

/** A committed row that wants to be carried. */
export interface DispatchRow {
  id: string;
  /** Null while it is not known, as of a message from a phone that was not routed yet. */
  organizationId: string | null;
}

/** Rows of a dispatch at most: enough to make a workflow's price small, few enough to be looked at. */
export const rowsPerDispatch = 200;

/** Temporal takes 2,048 bytes a search attribute, which is some fifty UUIDs. */
const organizationsPerDispatch = 40;

/** Rows that wait for their start at most; the sweep finds those beyond. */
const maxWaitingRows = 20_000;

/**
 * Makes the function that sets the carrying of committed rows off: rows that come while a start is in flight
 * go together into the next dispatch. It never fails: whatever it cannot start, the sweep will.
 */
export function createDispatchStarter(dependencies: {
  database: Database;
  workflowClient: WorkflowClient;
  kind: DispatchKind;
  log: Log;
}): (row: DispatchRow) => void {
  const { database, kind, log } = dependencies;
  const add = createBatcher<DispatchRow, void>({
    maxItems: rowsPerDispatch,
    maxWaiting: maxWaitingRows,
    run: async (rows) => {
      for (const group of groupByOrganizations(rows)) {
        const claimed = await claimRows(
          sqlOf(database),
          kind,
          group.map(({ id }) => id),
        );
        if (claimed) await startDispatch(dependencies, kind, claimed);
      }
      return rows.map(() => undefined);
    },
  });
  return (row) => {
    add(row).catch((error: unknown) => {
      if (error instanceof BatchQueueFull) return;
      log.warn({ kind, rowId: row.id, err: error }, 'a dispatch was not started; the sweep will start it');
    });
  };
}

/**
 * Starts the workflow of a dispatch, and writes down that it has one; one that runs already is success.
 *
 * @param dispatch.delaySeconds how long the workflow, which runs from now on, waits before it first acts
 */
export async function startDispatch(
  { database, workflowClient }: { database: Database; workflowClient: WorkflowClient },
  kind: DispatchKind,
  dispatch: {
    dispatchId: string;
    organizationIds: string[];
    isBulk?: boolean;
    rows?: number;
    delaySeconds?: number;
  },
): Promise<void> {
  const { dispatchId, organizationIds, isBulk = false, rows, delaySeconds } = dispatch;
  await startWorkflow(workflowClient, {
    type: workflowTypes[kind],
    workflowId: workflowIdOf(kind, dispatchId),
    input: isBulk ? { dispatchId, isBulk } : { dispatchId },
    organizationIds,
    kind,
    summary: rows === undefined ? `${kind}, started again` : `${rows} ${kind}`,
    ...(delaySeconds !== undefined && { delaySeconds }),
  });
  await sql`
    update dispatches set started_at = now() where id = ${dispatchId} and kind = ${kind} and started_at is null
  `.execute(sqlOf(database));
}

/** Splits rows so that no group is of more organizations than a search attribute can name. */
export function groupByOrganizations(rows: DispatchRow[]): DispatchRow[][] {
  const groups: { rows: DispatchRow[]; organizations: Set<string> }[] = [];
  for (const row of rows) {
    let group = groups.at(-1);
    const isNew = row.organizationId !== null && !group?.organizations.has(row.organizationId);
    if (!group || (isNew && group.organizations.size >= organizationsPerDispatch)) {
      group = { rows: [], organizations: new Set() };
      groups.push(group);
    }
    group.rows.push(row);
    if (row.organizationId !== null) group.organizations.add(row.organizationId);
  }
  return groups.map((group) => group.rows);
}
