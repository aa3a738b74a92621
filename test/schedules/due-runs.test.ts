import { sortDueRuns } from '../../src/schedules/due-runs.ts';
import type { Timetable } from '../../src/schedules/recurrence.ts';

const startsAt = new Date('2027-01-01T00:00:00Z');
const at = (text: string): Date => new Date(`2027-01-${text}Z`);

function every(interval: number, unit: 'minute' | 'hour' | 'day', endsAt: Date | null = null): Timetable {
  return { startsAt, endsAt, timezone: 'UTC', recurrence: { unit, interval } };
}

test('an occurrence exactly one hour late is sent, a millisecond more and it is missed', () => {
  const daily = every(1, 'day');
  const next = at('02T00:00:00');
  expect(sortDueRuns(daily, startsAt, at('01T01:00:00'))).toEqual({ missed: null, due: [startsAt], next });
  expect(sortDueRuns(daily, startsAt, at('01T01:00:00.001'))).toEqual({
    missed: { first: startsAt, last: startsAt, count: 1 },
    due: [],
    next,
  });
});

test('nothing is due before its time', () => {
  expect(sortDueRuns(every(1, 'day'), at('02T00:00:00'), at('01T23:59:59.999'))).toEqual({
    missed: null,
    due: [],
    next: at('02T00:00:00'),
  });
});

test('a month of missed minutes is one line, and the last hour is sent', () => {
  const now = at('31T00:00:30');
  const { missed, due, next } = sortDueRuns(every(1, 'minute'), startsAt, now);
  expect(missed).toEqual({ first: startsAt, last: at('30T23:00:00'), count: 29 * 1440 + 23 * 60 + 1 });
  expect(due).toHaveLength(60);
  expect([due[0], due.at(-1), next]).toEqual([at('30T23:01:00'), at('31T00:00:00'), at('31T00:01:00')]);
});

test('what was missed past the end is not counted, and nothing comes after it', () => {
  const daily = every(1, 'day', at('03T00:00:00'));
  expect(sortDueRuns(daily, at('02T00:00:00'), at('20T12:00:00'))).toEqual({
    missed: { first: at('02T00:00:00'), last: at('03T00:00:00'), count: 2 },
    due: [],
    next: null,
  });
});

test('an announced occurrence is kept though the time zone has changed its rules since', () => {
  const announced = at('05T00:30:00');
  expect(sortDueRuns(every(1, 'day'), announced, announced)).toEqual({
    missed: null,
    due: [announced],
    next: at('06T00:00:00'),
  });
});

test('once leaves nothing to wait for', () => {
  const once = { ...every(1, 'day'), recurrence: null };
  expect(sortDueRuns(once, startsAt, startsAt)).toEqual({ missed: null, due: [startsAt], next: null });
});
