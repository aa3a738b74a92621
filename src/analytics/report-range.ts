import { Temporal } from 'temporal-polyfill';
import { ApiError, type FieldError } from '../errors.ts';
import type { Inputs } from '../http/contract/contract-types.ts';

/** The longest range of a report, in days: a year with the weeks at both ends, and some more. */
export const maxDays = 400;

/** Before 2000, the days of a time zone may begin at any second. */
const firstYear = 2000;
const firstDay = Temporal.PlainDate.from({ year: firstYear, month: 1, day: 1 });
/** The last year of four digits. */
const lastYear = 9998;

/** The number of days in a report whose range has no start. */
const defaultDays = 30;

/** The first and the last day that a request names. */
export type RequestedDays = Pick<Inputs['getAnalytics']['query'], 'from' | 'to'>;

/** The days of a report, in a time zone. */
export interface ReportRange {
  timezone: string;
  /** Dates, `2026-11-21`, in order, both ends included. */
  dates: string[];
  /** The start of each date, and the end of the last one: one more than there are dates. */
  bounds: Date[];
}

/**
 * Reads `from` and `to`, inclusive dates that are already validated against openapi.yaml. Without `to`, the last day
 * is today; without `from`, the range is the 30 days up to `to`, but none before 2000.
 *
 * A day lasts 23 or 25 hours where the clocks change, and begins later where midnight is skipped. Since 2000, in
 * every zone of the IANA database, days begin at a quarter of an hour in UTC, so a day is a sum of slots.
 *
 * Errors: invalid_request.
 *
 * @param mostDays the longest range
 */
export function readReportRange(
  query: RequestedDays,
  timezone: string,
  now: Date,
  mostDays = maxDays,
): ReportRange {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate();
  const to = query.to === undefined ? today : Temporal.PlainDate.from(query.to);
  const from = query.from === undefined ? defaultStart(to) : Temporal.PlainDate.from(query.from);
  for (const [field, date] of Object.entries({ from, to }) as ['from' | 'to', Temporal.PlainDate][]) {
    if (query[field] !== undefined && (date.year < firstYear || date.year > lastYear))
      throw refuse(field, 'out_of_range', `must be in the years ${firstYear} to ${lastYear}`);
  }
  const days = from.until(to, { largestUnit: 'days' }).days + 1;
  if (days < 1) {
    throw query.to === undefined
      ? refuse('from', 'out_of_order', `must not be after today, which is ${String(today)} in ${timezone}`)
      : refuse('to', 'out_of_order', 'must not be before from');
  }
  if (days > mostDays) {
    throw refuse(
      query.from === undefined ? 'to' : 'from',
      'range_too_long',
      `must give a report of at most ${mostDays} days, not of ${days}: ${String(from)} to ${String(to)}`,
    );
  }
  const dates = Array.from({ length: days }, (_, index) => from.add({ days: index }));
  const bounds = [...dates, to.add({ days: 1 })].map((date) => startOfDate(date, timezone));
  return { timezone, dates: dates.map(String), bounds };
}

/** The moment at which a date begins: midnight, or later where midnight is skipped. */
export function startOfDate(date: Temporal.PlainDate, timezone: string): Date {
  return new Date(date.toZonedDateTime(timezone).epochMilliseconds);
}

function defaultStart(to: Temporal.PlainDate): Temporal.PlainDate {
  const start = to.subtract({ days: defaultDays - 1 });
  return Temporal.PlainDate.compare(start, firstDay) < 0 ? firstDay : start;
}

function refuse(field: 'from' | 'to', code: FieldError['code'], message: string): ApiError {
  return new ApiError('invalid_request', `The range of the report cannot be used: \`${field}\` ${message}.`, {
    errors: [{ path: `/query/${field}`, code, message }],
  });
}
