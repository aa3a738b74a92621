import { WorkflowNotFoundError, type WorkflowClient } from '@temporalio/client';
import { bulkBatchWorkflowIdOf, bulkBatchWorkflowType, changedSignalName } from '../../workflows/contract.ts';
import type { Log } from '../log.ts';
import { startWorkflow } from '../temporal.ts';

/** What the API tells Temporal of a batch after it changed the row. Neither call fails, nor is it waited for. */
export interface BulkWorkflows {
  /** Of a batch with something to do: starts its workflow, or wakes the one that runs. If it cannot, the sweep will. */
  start: (batch: { id: string; organizationId: string }) => void;
  /** Of one that waits or is held to a new rate: a signal that is lost costs a moment, for the row tells as well. */
  tellChanged: (batchId: string) => void;
}

/** How long a call to Temporal may take. */
const timeoutMs = 5000;

export function createBulkWorkflows(dependencies: {
  workflowClient: WorkflowClient;
  log: Log;
}): BulkWorkflows {
  const { workflowClient, log } = dependencies;
  return {
    start: (batch) => {
      startBulkWorkflow(workflowClient, batch).catch((error: unknown) => {
        log.warn({ batchId: batch.id, err: error }, 'a batch was not started; the sweep will start it');
      });
    },
    tellChanged: (batchId) => {
      const handle = workflowClient.getHandle(bulkBatchWorkflowIdOf(batchId));
      workflowClient
        .withDeadline(Date.now() + timeoutMs, () => handle.signal(changedSignalName))
        .catch((error: unknown) => {
          if (!(error instanceof WorkflowNotFoundError)) log.warn({ batchId, err: error }, 'signal lost');
        });
    },
  };
}

/** Starts the workflow of a batch, or has the one that runs look at the row again. */
export async function startBulkWorkflow(
  workflowClient: WorkflowClient,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<void> {
  await startWorkflow(workflowClient, {
    type: bulkBatchWorkflowType,
    workflowId: bulkBatchWorkflowIdOf(id),
    input: { batchId: id },
    organizationIds: [organizationId],
    kind: 'bulk-sms',
    summary: 'a bulk batch',
    signal: changedSignalName,
  });
}
