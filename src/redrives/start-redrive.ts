import type { WorkflowClient } from '@temporalio/client';
import { sql } from 'kysely';
import { redriveWorkflowIdOf, redriveWorkflowType } from '../../workflows/contract.ts';
import type { Database } from '../database.ts';
import { claimOverdue, type WakingRows } from '../dispatches/claim-overdue.ts';
import type { Log } from '../log.ts';
import { startWorkflow } from '../temporal.ts';
import type { RedriveKind } from './redrive.entity.ts';

/** Each page sets the time of the next one, so a redrive that is past this time has lost its workflow. */
const openRedrives: WakingRows = {
  table: sql`redrives`,
  open: sql`ended_at is null`,
  columns: sql`kind, organization_id as "organizationId"`,
  overdueSeconds: 0,
  restartedSeconds: sql`10`,
};

interface StartableRedrive {
  id: string;
  kind: RedriveKind;
  organizationId: string | null;
}

/** Creates the function that starts a committed redrive. It never fails: the sweep starts what it cannot start. */
export function createRedriveStarter(dependencies: {
  workflowClient: WorkflowClient;
  log: Log;
}): (redrive: StartableRedrive) => void {
  const { workflowClient, log } = dependencies;
  return (redrive) => {
    startRedrive(workflowClient, redrive).catch((error: unknown) => {
      log.warn({ redriveId: redrive.id, err: error }, 'a redrive was not started; the sweep will start it');
    });
  };
}

/** Starts redrives that were never started, or were lost with Temporal's database. Part of the sweep. */
export async function startOverdueRedrives(dependencies: {
  database: Database;
  workflowClient: WorkflowClient;
  log: Log;
}): Promise<void> {
  const { database, workflowClient, log } = dependencies;
  for (const redrive of await claimOverdue<StartableRedrive>(database, openRedrives)) {
    await startRedrive(workflowClient, redrive);
    log.info({ redriveId: redrive.id }, 'the sweep started a redrive');
  }
}

/** Starts the workflow of a redrive. A workflow that is already running counts as success. */
async function startRedrive(workflowClient: WorkflowClient, redrive: StartableRedrive): Promise<void> {
  const { id, kind, organizationId } = redrive;
  await startWorkflow(workflowClient, {
    type: redriveWorkflowType,
    workflowId: redriveWorkflowIdOf(id),
    input: { redriveId: id },
    organizationIds: organizationId === null ? [] : [organizationId],
    kind: 'redrives',
    summary: `redrive of ${kind.replace('_', ' ')}`,
  });
}
