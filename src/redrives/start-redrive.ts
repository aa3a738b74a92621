import type { WorkflowClient } from '@temporalio/client';
import { sql } from 'kysely';
import { redriveWorkflowIdOf, redriveWorkflowType } from '../../workflows/contract.ts';
import type { Database } from '../database.ts';
import { claimOverdue, type WakingRows } from '../dispatches/claim-overdue.ts';
import type { Log } from '../log.ts';
import { startWorkflow } from '../temporal.ts';
import type { RedriveKind } from './redrive.entity.ts';

/** Each page puts off when the next one is expected, so a redrive that is past it has lost its workflow. */
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

/** Makes the function that sets a committed redrive off. It never fails: what it cannot start, the sweep will. */
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

/** Starts again what was never started, or was lost with Temporal's database: a part of the sweep. */
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

/** Starts the workflow of a redrive; one that runs already is success. */
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
