import type { DispatchProgress } from './contract.ts';

/**
 * Returns the details that operators see in the Temporal Web UI: the number of rows in each status, and the next
 * actions.
 *
 * @param whenDue what happens when a row is due, for kinds where it is always the same
 */
export function describeProgress(progress: DispatchProgress, whenDue?: string): string {
  const counts = Object.entries(progress.counts).map(([status, count]) => `| ${status} | ${count} |`);
  const lines = ['| status | rows |', '|---|---|', ...counts, ''];
  if (progress.nextDueAt === null) return [...lines, 'All rows are final.'].join('\n');
  lines.push(
    `Next action at ${progress.nextDueAt}.`,
    '',
    '| id | status | attempts | last outcome | next action |',
    '|---|---|---|---|---|',
  );
  for (const { id, status, attempts, dueAt, lastReason } of progress.open) {
    lines.push(
      `| ${id} | ${status} | ${attempts} | ${lastReason ?? ''} | ${whenDue ?? nextAction(status)} ${dueAt} |`,
    );
  }
  return lines.join('\n');
}

/** The last reasons of messages that wait because an administrator holds or caps them, as people read them. */
const controlReasons: Record<string, string> = {
  sending_held: 'held by an administrator',
  sending_cap_reached: 'a cap on sending is reached',
};

/**
 * Returns why the dispatch waits although it could act: an administrator holds or caps its messages, or a row is retried, with
 * the reason of the row that is retried first; null if neither is the case. Accepted and sent messages wait for
 * reports, which is the normal case.
 */
export function waitingReasonOf({ open }: DispatchProgress): string | null {
  for (const [reason, text] of Object.entries(controlReasons)) {
    if (open.some(({ lastReason }) => lastReason === reason)) return text;
  }
  const retried = open.find(
    ({ status, attempts, lastReason }) =>
      status !== 'accepted' && status !== 'sent' && attempts > 0 && lastReason !== null,
  );
  return retried ? `retry: ${retried.lastReason}` : null;
}

/** Returns what a dispatch without retries waits for, by its row that is due first. */
export function describeWait({ open }: DispatchProgress, whenDue?: string): string {
  const [first] = open;
  return first ? `${whenDue ?? nextAction(first.status)} ${first.dueAt}` : 'no row is open';
}

/** What happens to an open row when it is due. */
function nextAction(status: string): string {
  return status === 'accepted' || status === 'sent' ? 'fails without a report by' : 'attempted at';
}
