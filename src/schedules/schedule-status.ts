import type { Schemas } from '../http/contract/contract-types.ts';

export const scheduleStatuses = [
  'active',
  'paused',
  'completed',
  'cancelled',
] as const satisfies Schemas['MessageSchedule']['status'][];

export type ScheduleStatus = (typeof scheduleStatuses)[number];

export const scheduleActions = [
  'pause',
  'resume',
  'cancel',
] as const satisfies Schemas['MessageScheduleAction']['action'][];

export type ScheduleAction = (typeof scheduleActions)[number];

/** The status after each action, by the status before it. Any other action is refused. */
const transitions: Record<ScheduleStatus, Partial<Record<ScheduleAction, ScheduleStatus>>> = {
  active: { pause: 'paused', cancel: 'cancelled' },
  paused: { resume: 'active', cancel: 'cancelled' },
  completed: {},
  cancelled: {},
};

/** Returns the status that an action leads to, or the reason for the caller if the action is not possible. */
export function applyAction(
  status: ScheduleStatus,
  action: ScheduleAction,
): { ok: true; status: ScheduleStatus } | { ok: false; reason: string } {
  const target = transitions[status][action];
  if (target) return { ok: true, status: target };
  const allowed = Object.keys(transitions[status]);
  const advice = allowed.length > 0 ? `${allowed.join(' or ')} it` : 'it can only be deleted';
  return { ok: false, reason: `The schedule is ${status}: ${advice}.` };
}
