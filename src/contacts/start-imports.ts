import type { WorkflowClient } from '@temporalio/client';
import { sql } from 'kysely';
import { importContactsType, importWorkflowIdOf, type ContactImportInput } from '../../workflows/contract.ts';
import type { Database } from '../database.ts';
import { claimOverdue, type WakingRows } from '../dispatches/claim-overdue.ts';
import type { Log } from '../log.ts';
import { startWorkflow } from '../temporal.ts';

export type ImportToStart = ContactImportInput;

/** Each page sets the time by which the next one is expected, so an import past that time has lost its workflow. */
const openImports: WakingRows = {
  table: sql`contact_imports`,
  open: sql`status = 'processing'`,
  columns: sql`organization_id as "organizationId"`,
  overdueSeconds: 0,
  rowsPerRound: 20,
};

/** Creates the function that starts an import. It never fails: if it cannot start an import, the sweep starts it. */
export function createImportStarter(dependencies: {
  workflowClient: WorkflowClient;
  log: Log;
}): (started: ImportToStart) => void {
  const { workflowClient, log } = dependencies;
  return (started) => {
    startImport(workflowClient, started).catch((error: unknown) => {
      log.warn(
        { importId: started.importId, err: error },
        'an import was not started; the sweep will start it',
      );
    });
  };
}

/** Starts the workflow of an import; a workflow that already runs counts as success. */
async function startImport(workflowClient: WorkflowClient, started: ImportToStart): Promise<void> {
  await startWorkflow(workflowClient, {
    type: importContactsType,
    workflowId: importWorkflowIdOf(started.importId),
    input: started,
    organizationIds: [started.organizationId],
    kind: 'contact-imports',
  });
}

/** Starts imports that are committed and that no workflow processes: a part of the sweep. */
export async function startWaitingImports(dependencies: {
  database: Database;
  workflowClient: WorkflowClient;
}): Promise<void> {
  const { database, workflowClient } = dependencies;
  const rows = await claimOverdue<{ id: string; organizationId: string }>(database, openImports);
  for (const { id, organizationId } of rows)
    await startImport(workflowClient, { importId: id, organizationId });
}
