import {
  condition,
  continueAsNew,
  defineSignal,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { settledSignalName, type DispatchInput, type DispatchProgress } from './contract.ts';
import { describeProgress } from './describe-progress.ts';

/**
 * Carries a dispatch to its end: has done what is due, sleeps until something is due again, and is done when every
 * row is final, be it told by the activity or by the signal.
 *
 * @param actOnDue the activity, which finds out in Postgres what is due
 * @param whenDue what the details say happens to a row that comes due, for kinds of which it is always the same
 */
export async function carryDispatch(
  input: DispatchInput,
  actOnDue: (input: DispatchInput) => Promise<DispatchProgress>,
  whenDue?: string,
): Promise<void> {
  let settled = false;
  setHandler(defineSignal(settledSignalName), () => {
    settled = true;
  });

  while (!settled) {
    const progress = await actOnDue(input);
    setCurrentDetails(describeProgress(progress, whenDue));
    if (progress.nextDueAt === null) return;
    await condition(() => settled, Math.max(1, Date.parse(progress.nextDueAt) - Date.now()));
    if (!settled && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<(input: DispatchInput) => Promise<void>>(input);
    }
  }
}
