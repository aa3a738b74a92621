import type { WorkflowClient } from '@temporalio/client';
import { sql } from 'kysely';
import { redriveWorkflowIdOf, redriveWorkflowType } from '../../workflows/contract.ts';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { startWorkflow } from '../temporal.ts';
import type { RedriveKind } from './redrive.entity.ts';

/** How long a redrive that was started again is left alone. */
const restartedSeconds = 10;

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
  const { rows } = await sql<StartableRedrive>`
    with overdue as (
      select id from redrives where ended_at is null and wake_at < now() for update skip locked
    )
    update redrives set wake_at = now() + make_interval(secs => ${restartedSeconds})
    from overdue where redrives.id = overdue.id
    returning redrives.id, kind, organization_id as "organizationId"
  `.execute(sqlOf(database));
  for (const redrive of rows) {
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
