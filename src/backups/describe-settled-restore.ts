import type { SettledRestore } from './settle-after-restore.ts';

/**
 * Returns what the operator must know after a restore: what is lost, what was changed, and what they should check.
 *
 * @param asOf the moment that the database shows
 */
export function describeSettledRestore(settled: SettledRestore, asOf: Date): string {
  const lines = [
    `The database shows ${asOf.toISOString()}. What was accepted later is not in it: messages, reports, sign-ups, changes.`,
    'Callers that got a response later than that must send again what they need.',
    '',
    `${settled.doubtfulMessages} queued messages may have been submitted. They are submitted again unless a report arrives; their timelines say restored_from_backup.`,
    `${settled.pausedBatches} bulk batches are paused. Compare them with the log of the gateway, then resume or cancel them.`,
    `${settled.schedulesWithMissedRuns} schedules have occurrences that may have been sent. They are recorded as missed.`,
    `${settled.cancelledRedrives} redrives are cancelled. Request them again.`,
    `${settled.expiredCodes} security codes have expired, because they may have been used.`,
    `${settled.endedSessions} sessions have ended. People sign in again.`,
    `${settled.validKeys} API keys are valid, also those that were revoked later. Revoke them again.`,
    `${settled.openInboundMessages} messages from phones are processed again. A keyword reply may be sent twice.`,
    `${settled.startedAgain} workflows start anew, about 100 a second. Clear the database of Temporal, or terminate its workflows, before you start the workers.`,
  ];
  return `${lines.join('\n')}\n`;
}
