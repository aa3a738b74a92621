import type { WorkflowClient } from '@temporalio/client';
import type { Database } from '../../database.ts';
import { startDispatch } from '../../dispatches/start-dispatches.ts';
import type { Log } from '../../log.ts';

/**
 * How long the workflow of a chunk leaves the chunk to the worker that created it. This is much longer than a chunk
 * normally takes; if that worker dies, its messages wait no longer than this.
 */
const startDelaySeconds = 10;

export type StartChunk = (chunk: {
  dispatchId: string;
  organizationId: string;
  rows: number;
}) => Promise<void>;

/**
 * Creates the function that starts the workflow of a chunk's dispatch. It never rejects: if it cannot start a
 * workflow, the sweep starts it.
 */
export function createStartChunk(dependencies: {
  database: Database;
  workflowClient: WorkflowClient;
  log: Log;
}): StartChunk {
  return async ({ dispatchId, organizationId, rows }) => {
    try {
      await startDispatch(dependencies, 'messages', {
        dispatchId,
        organizationIds: [organizationId],
        isBulk: true,
        rows,
        delaySeconds: startDelaySeconds,
      });
    } catch (error) {
      dependencies.log.warn(
        { dispatchId, err: error },
        'the workflow of a chunk was not started; the sweep will start it',
      );
    }
  };
}
