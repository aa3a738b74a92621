import { ApiError, type FieldError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { findTimezone } from '../organizations/timezone.ts';
import type { Timetable } from './recurrence.ts';

/** The fields of a schedule that define its times. */
type TimetableInput = Pick<
  Schemas['MessageScheduleInput'],
  'scheduleType' | 'startsAt' | 'endsAt' | 'timezone' | 'recurrence'
>;

/** How far `startsAt` may be in the past. Covers the time that a request with "now" takes, and clock differences. */
const startToleranceMs = 60_000;

/** `timezone` is null if the organization's time zone applies. */
type WrittenTimetable = Omit<Timetable, 'timezone'> & { timezone: string | null };

/** Checks the time fields against each other and against the clock. Errors: invalid_request. */
export function readTimetable(input: TimetableInput, now: Date): WrittenTimetable {
  const { scheduleType, recurrence } = input;
  if (scheduleType === 'recurring' && !recurrence)
    throw refuse('recurrence', 'required', 'is required with `recurring`');
  if (scheduleType === 'once' && recurrence)
    throw refuse('recurrence', 'not_allowed', 'is not allowed with `once`');
  const startsAt = new Date(input.startsAt);
  if (startsAt.getTime() < now.getTime() - startToleranceMs) {
    throw refuse('startsAt', 'in_the_past', 'must not be more than a minute in the past');
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
    throw refuse('timezone', 'unknown_timezone', 'must be an IANA name, for example Africa/Addis_Ababa');
  }
  return timezone;
}

function refuse(field: string, code: FieldError['code'], message: string): ApiError {
  return new ApiError('invalid_request', `The schedule cannot be created: \`${field}\` ${message}.`, {
    errors: [{ path: `/body/${field}`, code, message }],
  });
}
