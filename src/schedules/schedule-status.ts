export const scheduleStatuses = ['active', 'paused', 'completed', 'cancelled'] as const;

export type ScheduleStatus = (typeof scheduleStatuses)[number];

export const scheduleActions = ['pause', 'resume', 'cancel'] as const;

export type ScheduleAction = (typeof scheduleActions)[number];

/** Contract section 4; an action that a status does not have is refused. */
const transitions: Record<ScheduleStatus, Partial<Record<ScheduleAction, ScheduleStatus>>> = {
  active: { pause: 'paused', cancel: 'cancelled' },
  paused: { resume: 'active', cancel: 'cancelled' },
  completed: {},
  cancelled: {},
};

/** The status that an action leads to, or what may be told to one who asked for an action that is not possible. */
export function applyAction(
  status: ScheduleStatus,
  action: ScheduleAction,
): { ok: true; status: ScheduleStatus } | { ok: false; reason: string } {
  const target = transitions[status][action];
  if (target) return { ok: true, status: target };
  const allowed = Object.keys(transitions[status]);
  const advice =
    allowed.length > 0 ? `${allowed.join(' or ')} it` : 'nothing can be done with it but to delete it';
  return { ok: false, reason: `The schedule is ${status}: ${advice}.` };
}
