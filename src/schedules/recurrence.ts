import { Temporal } from 'temporal-polyfill';

export const recurrenceUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;

export interface Recurrence {
  unit: (typeof recurrenceUnits)[number];
  /** 1 to 1000. */
  interval: number;
}

/** When a schedule runs: once at `startsAt`, or from then on until `endsAt`, which is included. */
export interface Timetable {
  startsAt: Date;
  endsAt: Date | null;
  /** An IANA name. */
  timezone: string;
  /** null: once. */
  recurrence: Recurrence | null;
}

/** Nothing runs later, for RFC 3339 writes years in four digits. */
export const lastMoment = new Date('9999-12-31T23:59:59.999Z');

/** Minutes and hours are elapsed time; what is longer is counted on the calendar of the time zone. */
const elapsedMs: Partial<Record<Recurrence['unit'], number>> = { minute: 60_000, hour: 3_600_000 };

/**
 * The first occurrence after a moment (contract section 4), or null when none is left.
 *
 * Each is computed from the anchor, `startsAt` plus n intervals, never from the one before: so the 31st comes
 * back after a month that has none, and February 29 after three years. Day, week, month and year keep the
 * local time over clock changes. A local time that does not exist is taken by the offset before the change,
 * one that comes twice is taken the first time: Temporal's `compatible`, RFC 5545 section 3.3.5. A month
 * without the day uses its last one. Minutes and hours are exact time that no clock change moves.
 *
 * Its cost does not depend on how far the moment is from the anchor.
 */
export function nextOccurrence(timetable: Timetable, after: Date): Date | null {
  return occurrenceAt(timetable, firstIndexAfter(timetable, after));
}

/** The occurrences after a moment, at most so many. */
export function listOccurrences(timetable: Timetable, after: Date, limit: number): Date[] {
  const occurrences: Date[] = [];
  for (let index = firstIndexAfter(timetable, after); occurrences.length < limit; index += 1) {
    const at = occurrenceAt(timetable, index);
    if (!at) break;
    // Two are one where a time zone leaves out a whole day, as Samoa did.
    if (at.getTime() !== occurrences.at(-1)?.getTime()) occurrences.push(at);
  }
  return occurrences;
}

/** How many occurrences are after one moment and not after another, and which is the last of them. */
export function countOccurrences(
  timetable: Timetable,
  after: Date,
  until: Date,
): { count: number; last: Date | null } {
  const end = timetable.endsAt && timetable.endsAt < until ? timetable.endsAt : until;
  const [from, to] = [firstIndexAfter(timetable, after), firstIndexAfter(timetable, end)];
  return to > from ? { count: to - from, last: occurrenceAt(timetable, to - 1) } : { count: 0, last: null };
}

/** The number, from 0, of the first occurrence after a moment, as if the timetable had no end. */
function firstIndexAfter(timetable: Timetable, after: Date): number {
  const { startsAt, recurrence } = timetable;
  if (after < startsAt) return 0;
  if (!recurrence) return 1;
  const { unit, interval } = recurrence;
  const stepMs = elapsedMs[unit];
  if (stepMs !== undefined) {
    return Math.floor((after.getTime() - startsAt.getTime()) / (stepMs * interval)) + 1;
  }
  // Two dates that many units apart have at least one interval less between them, so it is one of the next three.
  const units = unitsBetween(toZoned(startsAt, timetable.timezone), toZoned(after, timetable.timezone), unit);
  let index = Math.max(0, Math.floor(units / interval) - 1);
  while (instantOf(timetable, recurrence, index) <= after.getTime()) index += 1;
  return index;
}

/** How many units the calendar is on from one day to the other: months from January 31 to March 1 are two. */
function unitsBetween(
  from: Temporal.ZonedDateTime,
  to: Temporal.ZonedDateTime,
  unit: Recurrence['unit'],
): number {
  if (unit === 'year') return to.year - from.year;
  if (unit === 'month') return (to.year - from.year) * 12 + to.month - from.month;
  const { days } = from.toPlainDate().until(to.toPlainDate(), { largestUnit: 'day' });
  return unit === 'week' ? Math.floor(days / 7) : days;
}

function occurrenceAt(timetable: Timetable, index: number): Date | null {
  const { startsAt, endsAt, recurrence } = timetable;
  if (!recurrence && index > 0) return null;
  const at = recurrence ? new Date(instantOf(timetable, recurrence, index)) : startsAt;
  return at > (endsAt ?? lastMoment) || at > lastMoment ? null : at;
}

function instantOf({ startsAt, timezone }: Timetable, { unit, interval }: Recurrence, index: number): number {
  const stepMs = elapsedMs[unit];
  if (stepMs !== undefined) return startsAt.getTime() + index * interval * stepMs;
  return toZoned(startsAt, timezone).add({ [`${unit}s`]: index * interval }).epochMilliseconds;
}

function toZoned(at: Date, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);
}
