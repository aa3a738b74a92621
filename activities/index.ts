import { Context } from '@temporalio/activity';
import type { WorkContext } from '../src/dispatches/work-window.ts';
import type { DispatchInput, DispatchProgress } from '../workflows/contract.ts';

type Work = (dispatchId: string, context: WorkContext) => Promise<DispatchProgress>;

/** What the workflows call. Thin: the work is in src/, and knows nothing of Temporal. */
export interface Activities {
  submitDue: (input: DispatchInput) => Promise<DispatchProgress>;
  attemptDue: (input: DispatchInput) => Promise<DispatchProgress>;
}

export function createActivities(work: { submitDueMessages: Work; attemptDueDeliveries: Work }): Activities {
  return {
    submitDue: ({ dispatchId }) => work.submitDueMessages(dispatchId, workContext()),
    attemptDue: ({ dispatchId }) => work.attemptDueDeliveries(dispatchId, workContext()),
  };
}

function workContext(): WorkContext {
  const context = Context.current();
  return {
    heartbeat: () => context.heartbeat(),
    stopping: () => context.cancellationSignal.aborted,
  };
}
