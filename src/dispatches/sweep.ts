import type { WorkflowClient } from '@temporalio/client';
import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { metrics } from '../metrics.ts';
import { repeatUntilStopped } from '../repeat-until-stopped.ts';
import { assignRows } from './assign-rows.ts';
import { unseenSeconds } from './dispatch-progress.ts';
import type { DispatchedRows } from './dispatched-rows.ts';
import {
  groupByOrganizations,
  rowsPerDispatch,
  startDispatch,
  type DispatchRow,
} from './start-dispatches.ts';
import { claimOverdue } from './claim-overdue.ts';
import { completeDispatches } from './complete-dispatches.ts';

/** The pause between two rounds of the sweep. */
const pauseMs = 1000;
/** A younger row is still being started by the process that stored it. */
const unassignedAgeSeconds = 2;

/** The maximum number of rows of one round, so that the backlog of a long outage is processed in even steps. */
const rowsPerRound = 10 * rowsPerDispatch;

/** A part of each round of the sweep. */
export interface SweepStep {
  /** The name in logs. */
  name: string;
  run: () => Promise<void>;
}

/**
 * Starts rows that were committed and never started, and workflows that Temporal lost. Because of the sweep, no row is
 * lost if a process crashes between commit and start, or if Temporal's database is lost. Any number of workers may
 * sweep.
 *
 * A step that fails does not keep the later steps from running. Its failure is logged once, and again only after the
 * step has succeeded. When the sweep is stopped, no further step begins.
 *
 * @param steps what one round does, in this order: `sweepSteps` and `startOverdueRows` for the rows of each feature
 */
export function startSweep(log: Log, steps: readonly SweepStep[]): { stop: () => Promise<void> } {
  const failing = new Set<SweepStep>();
  const warn = (error: unknown, step?: string) =>
    log.warn({ step, err: error }, 'a step of the sweep failed; it is repeated in each round');
  return repeatUntilStopped({
    pauseMs,
    round: async (stopping) => {
      for (const step of steps) {
        if (stopping.aborted) return;
        try {
          await step.run();
          failing.delete(step);
        } catch (error) {
          if (!failing.has(step)) warn(error, step.name);
          failing.add(step);
        }
      }
    },
    onFailure: warn,
  });
}

type Dependencies = { database: Database; workflowClient: WorkflowClient; log: Log };

/** The steps for the rows of a feature: one starts the rows without a dispatch, one restarts overdue dispatches. */
export function sweepSteps(dependencies: Dependencies, dispatched: DispatchedRows): SweepStep[] {
  const { kind } = dispatched;
  return [
    { name: `start ${kind}`, run: () => startUnassignedRows(dependencies, dispatched) },
    { name: `restart ${kind}`, run: () => restartOverdueDispatches(dependencies, dispatched) },
  ];
}

export async function startUnassignedRows(
  dependencies: Dependencies,
  dispatched: DispatchedRows,
): Promise<void> {
  const { database, log } = dependencies;
  const db = sqlOf(database);
  const { kind, table, assignable } = dispatched;
  const { rows } = await sql<DispatchRow>`
    select id, organization_id as "organizationId" from ${table} candidate
    where dispatch_id is null and ${assignable}
      and created_at < now() - make_interval(secs => ${unassignedAgeSeconds})
    order by id limit ${rowsPerRound}
  `.execute(db);
  for (let from = 0; from < rows.length; from += rowsPerDispatch) {
    for (const group of groupByOrganizations(rows.slice(from, from + rowsPerDispatch))) {
      const assigned = await assignRows(
        db,
        dispatched,
        group.map(({ id }) => id),
      );
      if (!assigned) continue;
      await startDispatch(dependencies, kind, assigned);
      metrics.sweepStarts.inc({ kind });
      log.info(
        { kind, dispatchId: assigned.dispatchId, rows: assigned.rows },
        'the sweep started a dispatch',
      );
    }
  }
}

interface OverdueDispatch {
  id: string;
  organizationIds: string[];
  isBulk: boolean;
  hasOpenRows: boolean;
}

export async function restartOverdueDispatches(
  dependencies: Dependencies,
  dispatched: DispatchedRows,
): Promise<void> {
  const { database, log } = dependencies;
  const { kind, table, open, endByOthers } = dispatched;
  // The row that is due next decides when the sweep looks again, in case this start is lost too. If no row is due, the
  // start only ensures that the workflow still runs.
  const nextDueSeconds = sql`(
    select extract(epoch from min(due_at) - now())::float8 from ${table} where dispatch_id = taken.id and ${open}
  )`;
  const rows = await claimOverdue<OverdueDispatch>(database, {
    table: sql`dispatches`,
    open: sql`kind = ${kind} and settled_at is null`,
    restartedSeconds: sql`least(greatest(coalesce(${nextDueSeconds}, 0), 60), ${unseenSeconds}::int)`,
    columns: sql`organization_ids as "organizationIds", is_bulk as "isBulk",
      exists (select from ${table} where dispatch_id = taken.id and ${open}) as "hasOpenRows"`,
  });
  // The signal that ends their workflows was lost. Starting them again would not wake those that sleep.
  const complete = rows.flatMap(({ id, hasOpenRows }) => (endByOthers && !hasOpenRows ? [id] : []));
  await completeDispatches(dependencies, dispatched, complete);
  for (const { id, organizationIds, isBulk } of rows) {
    if (complete.includes(id)) continue;
    await startDispatch(dependencies, kind, { dispatchId: id, organizationIds, isBulk });
    metrics.sweepStarts.inc({ kind });
    log.debug({ kind, dispatchId: id }, 'the sweep restarted an overdue dispatch');
  }
}
