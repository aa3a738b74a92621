import { SpanKind } from '@opentelemetry/api';
import type { WorkflowClient } from '@temporalio/client';
import { sql } from 'kysely';
import { workflowIdOf, workflowTypes } from '../../workflows/contract.ts';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { createOutageLog } from '../log-outages.ts';
import { metrics } from '../metrics.ts';
import { prepared } from '../prepared-statements.ts';
import { startWorkflow } from '../temporal.ts';
import { inSpan, linksTo } from '../tracing.ts';
import { assignRows } from './assign-rows.ts';
import type { DispatchKind } from './dispatch.entity.ts';
import type { DispatchedRows } from './dispatched-rows.ts';
import { BatchQueueFull, createBatcher, type Gathering } from './natural-batching.ts';

/** A committed row that a workflow must process. */
export interface DispatchRow {
  id: string;
  /** Null while the organization is not known, as for an inbound message that is not routed yet. */
  organizationId: string | null;
  /** The W3C `traceparent` of the request that stored the row, if it is traced and known. */
  traceparent?: string | undefined;
}

/** The maximum number of rows of a dispatch: enough to make the cost of a workflow small, and few enough to inspect. */
export const rowsPerDispatch = 600;

/** Temporal allows 2,048 bytes for a search attribute, which is about fifty UUIDs. */
const organizationsPerDispatch = 40;

/** The maximum number of rows that wait for their start. The sweep finds the rest. */
const maxWaitingRows = 20_000;

/**
 * Creates the function that starts dispatches of committed rows. Rows that arrive while a start is in progress form the
 * next dispatch; under load it waits for more rows, because a workflow costs the same for one row as for hundreds. The
 * function never fails: the sweep starts what it cannot start.
 */
export function createDispatchStarter(
  dependencies: { database: Database; workflowClient: WorkflowClient; log: Log; gathering: Gathering },
  dispatched: DispatchedRows,
): (row: DispatchRow) => void {
  const { database, log, gathering } = dependencies;
  const { kind } = dispatched;
  const add = createBatcher<DispatchRow, void>({
    maxItems: rowsPerDispatch,
    maxWaiting: maxWaitingRows,
    gathering,
    run: async (rows) => {
      for (const group of groupByOrganizations(rows)) {
        const assigned = await assignRows(
          sqlOf(database),
          dispatched,
          group.map(({ id }) => id),
        );
        const traceparents = group.map(({ traceparent }) => traceparent);
        if (assigned) await startDispatch(dependencies, kind, { ...assigned, traceparents });
      }
      return rows.map(() => undefined);
    },
  });
  const outages = createOutageLog(log, 'the start of workflows', { kind });
  return (row) => {
    add(row).then(outages.succeeded, (error: unknown) => {
      if (error instanceof BatchQueueFull) return;
      outages.failed(error);
      log.debug({ kind, rowId: row.id, err: error }, 'a dispatch was not started; the sweep will start it');
    });
  };
}

/**
 * Starts the workflow of a dispatch, and records that it was started. If the workflow already runs, this succeeds too.
 *
 * @param dispatch.delaySeconds how long the workflow waits, from now on, before it first acts
 * @param dispatch.traceparents the requests that stored its rows, as far as they are traced and known
 */
export async function startDispatch(
  dependencies: { database: Database; workflowClient: WorkflowClient },
  kind: DispatchKind,
  dispatch: DispatchStart,
): Promise<void> {
  const { dispatchId, rows, traceparents = [] } = dispatch;
  await inSpan(
    'start dispatch',
    {
      kind: SpanKind.PRODUCER,
      attributes: {
        'sms.dispatch.kind': kind,
        'sms.dispatch.id': dispatchId,
        'sms.dispatch.rows': rows ?? 0,
      },
      links: linksTo(traceparents),
      parent: undefined,
    },
    () => startAndRecord(dependencies, kind, dispatch),
  );
}

interface DispatchStart {
  dispatchId: string;
  organizationIds: string[];
  isBulk?: boolean;
  rows?: number;
  delaySeconds?: number;
  traceparents?: (string | undefined)[];
}

async function startAndRecord(
  { database, workflowClient }: { database: Database; workflowClient: WorkflowClient },
  kind: DispatchKind,
  dispatch: DispatchStart,
): Promise<void> {
  const { dispatchId, organizationIds, isBulk = false, rows, delaySeconds } = dispatch;
  if (rows !== undefined) metrics.dispatchRows.observe({ kind }, rows);
  await startWorkflow(workflowClient, {
    type: workflowTypes[kind],
    workflowId: workflowIdOf(kind, dispatchId),
    input: isBulk ? { dispatchId, isBulk } : { dispatchId },
    organizationIds,
    kind,
    summary: rows === undefined ? `${kind}, restarted` : `${rows} ${kind}`,
    ...(delaySeconds !== undefined && { delaySeconds }),
  });
  await sql`${prepared('record_start')}
    update dispatches set started_at = now() where id = ${dispatchId} and kind = ${kind} and started_at is null
  `.execute(sqlOf(database));
}

/** Splits rows so that no group has more organizations than a search attribute can hold. */
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
