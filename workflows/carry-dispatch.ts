import {
  condition,
  continueAsNew,
  defineSignal,
  patched,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  completedSignalName,
  waitingForAttributeName,
  type DispatchInput,
  type DispatchProgress,
} from './contract.ts';
import { describeProgress, describeWait, waitingReasonOf } from './describe-progress.ts';

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
    const reason = waitingReasonOf(progress);
    showWaitingReason(reason);
    const waitMs = Math.max(1, Date.parse(progress.nextDueAt) - Date.now());
    await condition(() => completed, waitMs, { summary: reason ?? describeWait(progress, whenDue) });
    if (!completed && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<(input: DispatchInput) => Promise<void>>(input);
    }
  }
}

const waitingForAttribute = { name: waitingForAttributeName, type: 'KEYWORD' } as const;

/**
 * Shows in the list of the Temporal Web UI that the dispatch waits for a retry, and why. A dispatch in which everything
 * goes well never has the attribute, so it costs nothing.
 */
function showWaitingReason(reason: string | null): void {
  const shown = workflowInfo().typedSearchAttributes.get(waitingForAttribute) ?? null;
  // Histories from before the attribute existed have no command for it.
  if (shown === reason || !patched('waiting-for')) return;
  upsertSearchAttributes([{ key: waitingForAttribute, value: reason }]);
}
