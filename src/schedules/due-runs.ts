import { countOccurrences, nextOccurrence, type Timetable } from './recurrence.ts';

/** How late an occurrence may still be sent (contract section 4). */
export const latenessAllowedMs = 60 * 60 * 1000;

/** What is to be done about a schedule that is due. */
export interface DueRuns {
  /** Occurrences that are too late to be sent: a stretch of them, however many, is one line. */
  missed: { first: Date; last: Date; count: number } | null;
  /** Those to be sent now, oldest first: at most the 61 of an hour, for nothing recurs faster than a minute. */
  due: Date[];
  /** The one to wait for; null: there is none. */
  next: Date | null;
}

/**
 * Sorts what came due from `nextRunAt` to `now`.
 *
 * `nextRunAt` itself is believed, not computed again: time zones change their rules, and an occurrence that
 * was announced is kept.
 */
export function sortDueRuns(timetable: Timetable, nextRunAt: Date, now: Date): DueRuns {
  const sendableFrom = new Date(now.getTime() - latenessAllowedMs);
  let missed: DueRuns['missed'] = null;
  let at: Date | null = nextRunAt;
  if (nextRunAt < sendableFrom) {
    const lastMissable = new Date(sendableFrom.getTime() - 1);
    const { count, last } = countOccurrences(timetable, nextRunAt, lastMissable);
    missed = { first: nextRunAt, last: last ?? nextRunAt, count: 1 + count };
    at = nextOccurrence(timetable, lastMissable);
  }
  const due: Date[] = [];
  for (; at && at <= now; at = nextOccurrence(timetable, at)) due.push(at);
  return { missed, due, next: at };
}
