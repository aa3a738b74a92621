import {
  condition,
  continueAsNew,
  defineSignal,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { completedSignalName, type DispatchInput, type DispatchProgress } from './contract.ts';
import { describeProgress } from './describe-progress.ts';

/**
 * Processes a dispatch until all rows are final: runs the activity, sleeps until a row is due again, and ends when the
 * activity or the signal reports that every row is final.
 *
 * @param actOnDue the activity, which reads from Postgres what is due
 * @param whenDue the text in the details for what happens when a row is due, for kinds where it is always the same
 */
export async function carryDispatch(
  input: DispatchInput,
  actOnDue: (input: DispatchInput) => Promise<DispatchProgress>,
  whenDue?: string,
): Promise<void> {
  let completed = false;
  setHandler(defineSignal(completedSignalName), () => {
    completed = true;
  });

  while (!completed) {
    const progress = await actOnDue(input);
    setCurrentDetails(describeProgress(progress, whenDue));
    if (progress.nextDueAt === null) return;
    await condition(() => completed, Math.max(1, Date.parse(progress.nextDueAt) - Date.now()));
    if (!completed && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<(input: DispatchInput) => Promise<void>>(input);
    }
  }
}
