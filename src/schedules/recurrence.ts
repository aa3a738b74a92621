import { Temporal } from 'temporal-polyfill';
import type { Schemas } from '../http/contract/contract-types.ts';

/** The interval is 1 to 1000. */
export type Recurrence = NonNullable<Schemas['MessageSchedule']['recurrence']>;

export const recurrenceUnits = [
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'year',
] as const satisfies Recurrence['unit'][];

/** When a schedule runs: once at `startsAt`, or repeatedly from `startsAt` to `endsAt` inclusive. */
export interface Timetable {
  startsAt: Date;
  endsAt: Date | null;
  /** An IANA name. */
  timezone: string;
  /** Null for a schedule that runs once. */
  recurrence: Recurrence | null;
}

/** The latest possible occurrence, because RFC 3339 writes years with four digits. */
export const lastMoment = new Date('9999-12-31T23:59:59.999Z');

/** Minutes and hours are elapsed time. Longer units are counted on the calendar of the time zone. */
const elapsedMs: Partial<Record<Recurrence['unit'], number>> = { minute: 60_000, hour: 3_600_000 };

/**
 * Returns the first occurrence after a time, or null if none is left.
 *
 * Each occurrence is computed from the anchor, as `startsAt` plus n intervals, and never from the previous one. So the
 * 31st returns after a month that has no 31st, and February 29 after three years. Days, weeks, months and years keep
 * the local time across clock changes. A local time that does not exist is resolved with the offset before the change,
 * and for a local time that occurs twice the first one is used: Temporal's `compatible`, RFC 5545 section 3.3.5. In a
 * month without the day, the last day is used. Minutes and hours are exact time, which clock changes do not affect.
 *
 * The cost does not depend on the distance between the time and the anchor.
 */
export function nextOccurrence(timetable: Timetable, after: Date): Date | null {
  return occurrenceAt(timetable, firstIndexAfter(timetable, after));
}

/** Returns up to `limit` occurrences after a time. */
export function listOccurrences(timetable: Timetable, after: Date, limit: number): Date[] {
  const occurrences: Date[] = [];
  for (let index = firstIndexAfter(timetable, after); occurrences.length < limit; index += 1) {
    const at = occurrenceAt(timetable, index);
    if (!at) break;
    // Two occurrences coincide if a time zone omits a whole day, as Samoa did.
    if (at.getTime() !== occurrences.at(-1)?.getTime()) occurrences.push(at);
  }
  return occurrences;
}

/** Returns how many occurrences are after `after` and not after `until`, and the last of them. */
export function countOccurrences(
  timetable: Timetable,
  after: Date,
  until: Date,
): { count: number; last: Date | null } {
  const end = timetable.endsAt && timetable.endsAt < until ? timetable.endsAt : until;
  const [from, to] = [firstIndexAfter(timetable, after), firstIndexAfter(timetable, end)];
  return to > from ? { count: to - from, last: occurrenceAt(timetable, to - 1) } : { count: 0, last: null };
}

/** The index, starting at 0, of the first occurrence after a time, as if the timetable had no end. */
function firstIndexAfter(timetable: Timetable, after: Date): number {
  const { startsAt, recurrence } = timetable;
  if (after < startsAt) return 0;
  if (!recurrence) return 1;
  const { unit, interval } = recurrence;
  const stepMs = elapsedMs[unit];
  if (stepMs !== undefined) {
    return Math.floor((after.getTime() - startsAt.getTime()) / (stepMs * interval)) + 1;
  }
  // This calendar distance contains at least floor(units / interval) - 1 whole intervals, so the result is one of the
  // next three indexes.
  const units = unitsBetween(toZoned(startsAt, timetable.timezone), toZoned(after, timetable.timezone), unit);
  let index = Math.max(0, Math.floor(units / interval) - 1);
  while (instantOf(timetable, recurrence, index) <= after.getTime()) index += 1;
  return index;
}

/** Returns the calendar distance between two days in units: January 31 to March 1 is two months. */
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
