import { ApiError } from '../errors.ts';
import { findTimezone } from '../organizations/timezone.ts';
import type { Recurrence, Timetable } from './recurrence.ts';

/** What of the body of POST /api/v1/messages/schedule says when, already held against openapi.yaml. */
export interface TimetableInput {
  scheduleType: 'once' | 'recurring';
  startsAt: string;
  endsAt?: string;
  timezone?: string;
  recurrence?: { unit: Recurrence['unit']; interval: number | string };
}

/** How long ago `startsAt` may be: what "now" is by the time it arrives, and by clocks that differ. */
const startToleranceMs = 60_000;

/** `timezone` is null where the organization's is meant. */
type WrittenTimetable = Omit<Timetable, 'timezone'> & { timezone: string | null };

/** Holds the fields that say when against each other and the clock. Errors: invalid_request. */
export function readTimetable(input: TimetableInput, now: Date): WrittenTimetable {
  const { scheduleType, recurrence } = input;
  if (scheduleType === 'recurring' && !recurrence)
    throw refuse('recurrence', 'required', 'must be given with `recurring`');
  if (scheduleType === 'once' && recurrence)
    throw refuse('recurrence', 'not_allowed', 'must not be given with `once`');
  const startsAt = new Date(input.startsAt);
  if (startsAt.getTime() < now.getTime() - startToleranceMs) {
    throw refuse('startsAt', 'in_the_past', 'must not be more than a minute ago');
  }
  const endsAt = input.endsAt === undefined ? null : new Date(input.endsAt);
  if (endsAt && endsAt <= startsAt) throw refuse('endsAt', 'before_start', 'must be after startsAt');
  return {
    startsAt,
    endsAt,
    timezone: input.timezone === undefined ? null : readTimezone(input.timezone),
    recurrence: recurrence ? { unit: recurrence.unit, interval: Number(recurrence.interval) } : null,
  };
}

function readTimezone(name: string): string {
  const timezone = findTimezone(name);
  if (timezone === null) {
    throw refuse('timezone', 'unknown_timezone', 'must be an IANA name, as Africa/Addis_Ababa');
  }
  return timezone;
}

function refuse(field: string, code: string, message: string): ApiError {
  return new ApiError('invalid_request', `The schedule cannot be made: \`${field}\` ${message}.`, {
    errors: [{ path: `/body/${field}`, code, message }],
  });
}
