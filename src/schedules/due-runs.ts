import { countOccurrences, nextOccurrence, type Timetable } from './recurrence.ts';

/** The maximum delay with which an occurrence is still sent. */
export const latenessAllowedMs = 60 * 60 * 1000;

/** The work for a schedule that is due. */
export interface DueRuns {
  /** The occurrences that are too late to be sent. Consecutive ones, in any number, form one entry. */
  missed: { first: Date; last: Date; count: number } | null;
  /** The occurrences to send now, oldest first: at most 61 in an hour, because the shortest interval is a minute. */
  due: Date[];
  /** The next occurrence; null if there is none. */
  next: Date | null;
}

/**
 * Classifies the occurrences from `nextRunAt` to `now`.
 *
 * `nextRunAt` itself is used as stored, not computed again: time zone rules change, and an announced occurrence is
 * kept.
 *
 * @param allowedMs the maximum delay with which an occurrence is still sent
 */
export function sortDueRuns(
  timetable: Timetable,
  nextRunAt: Date,
  now: Date,
  allowedMs = latenessAllowedMs,
): DueRuns {
  const sendableFrom = new Date(now.getTime() - allowedMs);
  let missed: DueRuns['missed'] = null;
  let at: Date | null = nextRunAt;
  if (nextRunAt < sendableFrom) {
    const latestMissed = new Date(sendableFrom.getTime() - 1);
    const { count, last } = countOccurrences(timetable, nextRunAt, latestMissed);
    missed = { first: nextRunAt, last: last ?? nextRunAt, count: 1 + count };
    at = nextOccurrence(timetable, latestMissed);
  }
  const due: Date[] = [];
  for (; at && at <= now; at = nextOccurrence(timetable, at)) due.push(at);
  return { missed, due, next: at };
}
