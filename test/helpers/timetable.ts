import type { recurrenceUnits, Timetable } from '../../src/schedules/recurrence.ts';

export type Unit = (typeof recurrenceUnits)[number];

/** A timetable that repeats; `startsAt` and `endsAt` are RFC 3339. */
export function every(
  interval: number,
  unit: Unit,
  startsAt: string,
  timezone: string,
  endsAt?: string,
): Timetable {
  return {
    startsAt: new Date(startsAt),
    endsAt: endsAt === undefined ? null : new Date(endsAt),
    timezone,
    recurrence: { unit, interval },
  };
}
