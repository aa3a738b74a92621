import type { Evidence, Finding } from '../evidence.ts';
import { reconcileMessages, reconcileReports, reconcileSubmissions, reconcileTimelines } from './messages.ts';
import {
  reconcileBatches,
  reconcileCodes,
  reconcileCounts,
  reconcileEnd,
  reconcileInbound,
  reconcileLogs,
  reconcileRedrives,
  reconcileSchedules,
} from './others.ts';
import { reconcileOrder, reconcileReceived, reconcileRepetitions, reconcileWebhooks } from './webhooks.ts';

const checks: ((evidence: Evidence) => Finding[])[] = [
  ...[reconcileMessages, reconcileSubmissions, reconcileTimelines, reconcileReports],
  ...[reconcileWebhooks, reconcileReceived, reconcileOrder, reconcileRepetitions, reconcileRedrives],
  ...[reconcileCodes, reconcileSchedules, reconcileBatches, reconcileInbound, reconcileCounts],
  ...[reconcileLogs, reconcileEnd],
];

/** Compares what was promised, what the outside world saw, and what is stored. Returns all that must not be. */
export function reconcile(evidence: Evidence): Finding[] {
  return checks.flatMap((check) => check(evidence));
}
