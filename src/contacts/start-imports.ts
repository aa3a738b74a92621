import type { WorkflowClient } from '@temporalio/client';
import { sql } from 'kysely';
import { importContactsType, importWorkflowIdOf, type ContactImportInput } from '../../workflows/contract.ts';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { startWorkflow } from '../temporal.ts';

export type ImportToStart = ContactImportInput;

/** How many imports a round of the sweep starts, and how long it then leaves them alone. */
const [importsPerRound, restartedSeconds] = [20, 60];

/** Makes the function that sets an import off. It never fails: what it cannot start, the sweep will. */
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

/** Starts the workflow of an import; one that runs already is success. */
async function startImport(workflowClient: WorkflowClient, started: ImportToStart): Promise<void> {
  await startWorkflow(workflowClient, {
    type: importContactsType,
    workflowId: importWorkflowIdOf(started.importId),
    input: started,
    organizationIds: [started.organizationId],
    kind: 'contact-imports',
  });
}

/** Starts imports that were committed and that nobody works on: a part of the sweep. */
export async function startWaitingImports(dependencies: {
  database: Database;
  workflowClient: WorkflowClient;
}): Promise<void> {
  const { rows } = await sql<ImportToStart>`
    with waiting as (
      select id from contact_imports where status = 'processing' and wake_at < now()
      order by wake_at limit ${importsPerRound} for no key update skip locked
    )
    update contact_imports set wake_at = now() + make_interval(secs => ${restartedSeconds})
    from waiting where contact_imports.id = waiting.id
    returning contact_imports.id as "importId", organization_id as "organizationId"
  `.execute(sqlOf(dependencies.database));
  for (const started of rows) await startImport(dependencies.workflowClient, started);
}
