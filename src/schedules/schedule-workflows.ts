import { WorkflowNotFoundError, type WorkflowClient } from '@temporalio/client';
import { changedSignalName, scheduleWorkflowIdOf, scheduleWorkflowType } from '../../workflows/contract.ts';
import type { Log } from '../log.ts';
import { startWorkflow } from '../temporal.ts';

/** What the API tells Temporal of a schedule after it changed the row. Neither call fails, nor is it waited for. */
export interface ScheduleWorkflows {
  /** Of an active schedule: starts its workflow, or wakes the one that runs. If it cannot, the sweep will. */
  start: (schedule: { id: string; organizationId: string }) => void;
  /** Of one that is not active any more: a signal that is lost costs a workflow that wakes to find nothing to do. */
  tellChanged: (scheduleId: string) => void;
}

/** How long a call to Temporal may take. */
const timeoutMs = 5000;

/** RESOURCE_EXHAUSTED of gRPC. */
const resourceExhausted = 8;

export function createScheduleWorkflows(dependencies: {
  workflowClient: WorkflowClient;
  log: Log;
}): ScheduleWorkflows {
  const { workflowClient, log } = dependencies;
  return {
    start: (schedule) => {
      startScheduleWorkflow(workflowClient, schedule).catch((error: unknown) => {
        if (isWorkflowClosing(error)) {
          log.debug({ scheduleId: schedule.id }, 'the workflow was closing; the sweep will start another');
          return;
        }
        log.warn(
          { scheduleId: schedule.id, err: error },
          'a schedule was not started; the sweep will start it',
        );
      });
    },
    tellChanged: (scheduleId) => {
      const handle = workflowClient.getHandle(scheduleWorkflowIdOf(scheduleId));
      workflowClient
        .withDeadline(Date.now() + timeoutMs, () => handle.signal(changedSignalName))
        .catch((error: unknown) => {
          if (error instanceof WorkflowNotFoundError || isWorkflowClosing(error)) {
            log.debug({ scheduleId }, 'the workflow had ended, or was closing; there is nothing to tell it');
            return;
          }
          log.warn({ scheduleId, err: error }, 'signal lost');
        });
    },
  };
}

/**
 * Whether a signal found its workflow about to end: then Temporal takes none, and answers RESOURCE_EXHAUSTED, as it
 * does to who asks too much, with another text (`ErrWorkflowClosing` of its history service).
 */
function isWorkflowClosing(error: unknown): boolean {
  const cause = (error as { cause?: { code?: number; details?: string } } | null)?.cause;
  return cause?.code === resourceExhausted && /workflow is closing/.test(cause.details ?? '');
}

/** Starts the workflow of a schedule, or has the one that runs look at the row again. */
export async function startScheduleWorkflow(
  workflowClient: WorkflowClient,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<void> {
  await startWorkflow(workflowClient, {
    type: scheduleWorkflowType,
    workflowId: scheduleWorkflowIdOf(id),
    input: { scheduleId: id },
    organizationIds: [organizationId],
    kind: 'schedules',
    summary: 'a message schedule',
    signal: changedSignalName,
  });
}
