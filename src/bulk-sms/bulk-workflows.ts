import { WorkflowNotFoundError, type WorkflowClient } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import {
  bulkBatchWorkflowIdOf,
  bulkBatchWorkflowType,
  changedSignalName,
  taskQueues,
} from '../../workflows/contract.ts';
import type { Log } from '../log.ts';
import { kindAttribute, organizationIdsAttribute } from '../temporal.ts';

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
  const start = {
    taskQueue: taskQueues.workflows,
    workflowId: bulkBatchWorkflowIdOf(id),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [{ batchId: id }],
    signal: changedSignalName,
    staticSummary: 'a bulk batch',
    typedSearchAttributes: new TypedSearchAttributes([
      { key: organizationIdsAttribute, value: [organizationId] },
      { key: kindAttribute, value: 'bulk-sms' },
    ]),
  } as const;
  await workflowClient.withDeadline(Date.now() + timeoutMs, () =>
    workflowClient.signalWithStart(bulkBatchWorkflowType, start),
  );
}
