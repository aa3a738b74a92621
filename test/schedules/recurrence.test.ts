import { Temporal } from 'temporal-polyfill';
import {
  countOccurrences,
  listOccurrences,
  nextOccurrence,
  type Timetable,
} from '../../src/schedules/recurrence.ts';
import { every, type Unit } from '../helpers/timetable.ts';

/** The first occurrences, written as short as they can be: `2027-01-31T06:00Z`. */
function first(timetable: Timetable, limit: number): string[] {
  const beforeAll = new Date(timetable.startsAt.getTime() - 1);
  return listOccurrences(timetable, beforeAll, limit).map(short);
}

const short = (at: Date): string => at.toISOString().replace(':00.000Z', 'Z');

test('the 31st of each month in Addis Ababa: short months use their last day, and the 31st returns', () => {
  // 09:00 at UTC+3 all year round; 2028 is a leap year.
  const monthly = every(1, 'month', '2027-01-31T09:00:00+03:00', 'Africa/Addis_Ababa');
  expect(first(monthly, 24)).toEqual([
    '2027-01-31T06:00Z',
    '2027-02-28T06:00Z',
    '2027-03-31T06:00Z',
    '2027-04-30T06:00Z',
    '2027-05-31T06:00Z',
    '2027-06-30T06:00Z',
    '2027-07-31T06:00Z',
    '2027-08-31T06:00Z',
    '2027-09-30T06:00Z',
    '2027-10-31T06:00Z',
    '2027-11-30T06:00Z',
    '2027-12-31T06:00Z',
    '2028-01-31T06:00Z',
    '2028-02-29T06:00Z',
    '2028-03-31T06:00Z',
    '2028-04-30T06:00Z',
    '2028-05-31T06:00Z',
    '2028-06-30T06:00Z',
    '2028-07-31T06:00Z',
    '2028-08-31T06:00Z',
    '2028-09-30T06:00Z',
    '2028-10-31T06:00Z',
    '2028-11-30T06:00Z',
    '2028-12-31T06:00Z',
  ]);
});

test('02:30 daily in Berlin: the night without 02:30 uses 03:30, which is the same distance from midnight', () => {
  // Until March 28, 2027 at 02:00 it is UTC+1 there, then UTC+2.
  const daily = every(1, 'day', '2027-03-16T02:30:00+01:00', 'Europe/Berlin');
  expect(first(daily, 24)).toEqual([
    '2027-03-16T01:30Z',
    '2027-03-17T01:30Z',
    '2027-03-18T01:30Z',
    '2027-03-19T01:30Z',
    '2027-03-20T01:30Z',
    '2027-03-21T01:30Z',
    '2027-03-22T01:30Z',
    '2027-03-23T01:30Z',
    '2027-03-24T01:30Z',
    '2027-03-25T01:30Z',
    '2027-03-26T01:30Z',
    '2027-03-27T01:30Z',
    '2027-03-28T01:30Z', // 03:30 by the clock
    '2027-03-29T00:30Z',
    '2027-03-30T00:30Z',
    '2027-03-31T00:30Z',
    '2027-04-01T00:30Z',
    '2027-04-02T00:30Z',
    '2027-04-03T00:30Z',
    '2027-04-04T00:30Z',
    '2027-04-05T00:30Z',
    '2027-04-06T00:30Z',
    '2027-04-07T00:30Z',
    '2027-04-08T00:30Z',
  ]);
});

test('02:30 daily in Berlin: the night with two 02:30 uses the first, and that once', () => {
  // Until October 31, 2027 at 03:00 it is UTC+2 there, then UTC+1.
  const daily = every(1, 'day', '2027-10-19T02:30:00+02:00', 'Europe/Berlin');
  expect(first(daily, 24)).toEqual([
    '2027-10-19T00:30Z',
    '2027-10-20T00:30Z',
    '2027-10-21T00:30Z',
    '2027-10-22T00:30Z',
    '2027-10-23T00:30Z',
    '2027-10-24T00:30Z',
    '2027-10-25T00:30Z',
    '2027-10-26T00:30Z',
    '2027-10-27T00:30Z',
    '2027-10-28T00:30Z',
    '2027-10-29T00:30Z',
    '2027-10-30T00:30Z',
    '2027-10-31T00:30Z', // and not at 01:30Z, when it is 02:30 again
    '2027-11-01T01:30Z',
    '2027-11-02T01:30Z',
    '2027-11-03T01:30Z',
    '2027-11-04T01:30Z',
    '2027-11-05T01:30Z',
    '2027-11-06T01:30Z',
    '2027-11-07T01:30Z',
    '2027-11-08T01:30Z',
    '2027-11-09T01:30Z',
    '2027-11-10T01:30Z',
    '2027-11-11T01:30Z',
  ]);
});

test.each<[name: string, timetable: Timetable, expected: string[]]>([
  [
    'February 29 comes back in leap years, and is the 28th in the others',
    every(1, 'year', '2028-02-29T06:00:00Z', 'Africa/Addis_Ababa'),
    ['2028-02-29T06:00Z', '2029-02-28T06:00Z', '2030-02-28T06:00Z', '2031-02-28T06:00Z', '2032-02-29T06:00Z'],
  ],
  [
    '2100 is no leap year',
    every(4, 'year', '2096-02-29T06:00:00Z', 'Africa/Addis_Ababa'),
    ['2096-02-29T06:00Z', '2100-02-28T06:00Z', '2104-02-29T06:00Z'],
  ],
  [
    'a quarter from November 30 ends in February, and is the 30th again in May',
    every(3, 'month', '2026-11-30T06:00:00Z', 'Africa/Addis_Ababa'),
    ['2026-11-30T06:00Z', '2027-02-28T06:00Z', '2027-05-30T06:00Z', '2027-08-30T06:00Z'],
  ],
  [
    'a week keeps the local time when clocks go forward',
    every(1, 'week', '2027-03-22T08:00:00+01:00', 'Europe/Berlin'),
    ['2027-03-22T07:00Z', '2027-03-29T06:00Z', '2027-04-05T06:00Z'],
  ],
  [
    'a month keeps the local time when clocks go back',
    every(1, 'month', '2027-10-15T08:00:00+02:00', 'Europe/Berlin'),
    ['2027-10-15T06:00Z', '2027-11-15T07:00Z'],
  ],
  [
    'hours are elapsed time when clocks go forward: 01:00, 03:00, 04:00',
    every(1, 'hour', '2027-03-28T01:00:00+01:00', 'Europe/Berlin'),
    ['2027-03-28T00:00Z', '2027-03-28T01:00Z', '2027-03-28T02:00Z'],
  ],
  [
    'hours are elapsed time when clocks go back: 02:00, 02:00, 03:00',
    every(1, 'hour', '2027-10-31T02:00:00+02:00', 'Europe/Berlin'),
    ['2027-10-31T00:00Z', '2027-10-31T01:00Z', '2027-10-31T02:00Z'],
  ],
  [
    '24 hours are no day',
    every(24, 'hour', '2027-03-27T08:00:00+01:00', 'Europe/Berlin'),
    ['2027-03-27T07:00Z', '2027-03-28T07:00Z', '2027-03-29T07:00Z'],
  ],
  [
    'an anchor in the second 02:30 is kept, whatever the others use',
    every(1, 'day', '2027-10-31T02:30:00+01:00', 'Europe/Berlin'),
    ['2027-10-31T01:30Z', '2027-11-01T01:30Z'],
  ],
  [
    'a day that a time zone left out is not made up for twice',
    every(1, 'day', '2011-12-28T10:00:00-10:00', 'Pacific/Apia'),
    ['2011-12-28T20:00Z', '2011-12-29T20:00Z', '2011-12-30T20:00Z', '2011-12-31T20:00Z'],
  ],
  [
    'half an hour of summer time is half an hour',
    every(1, 'day', '2027-10-02T08:00:00+10:30', 'Australia/Lord_Howe'),
    ['2027-10-01T21:30Z', '2027-10-02T21:00Z'],
  ],
  [
    'the end is included',
    every(1, 'day', '2027-01-01T06:00:00Z', 'UTC', '2027-01-03T06:00:00Z'),
    ['2027-01-01T06:00Z', '2027-01-02T06:00Z', '2027-01-03T06:00Z'],
  ],
  [
    'a millisecond before it is not',
    every(1, 'day', '2027-01-01T06:00:00Z', 'UTC', '2027-01-03T05:59:59.999Z'),
    ['2027-01-01T06:00Z', '2027-01-02T06:00Z'],
  ],
  [
    'nothing is after the year 9999',
    every(1000, 'year', '9000-06-01T06:00:00Z', 'UTC'),
    ['9000-06-01T06:00Z'],
  ],
  [
    'once is once',
    { ...every(1, 'day', '2027-01-01T06:00:00Z', 'UTC'), recurrence: null },
    ['2027-01-01T06:00Z'],
  ],
])('%s', (...[, timetable, expected]) => {
  const limit = Math.max(expected.length, timetable.endsAt || expected.length === 1 ? 50 : 0);
  expect(first(timetable, limit)).toEqual(expected);
});

const everyDay = every(1, 'day', '2027-01-01T06:00:00Z', 'UTC');
const everyTwoDays = every(2, 'day', '2027-01-01T06:00:00Z', 'UTC');
const everyMinutes = every(7, 'minute', '2027-01-01T06:00:00Z', 'UTC');
const everyHours = every(5, 'hour', '2027-01-01T06:00:00Z', 'UTC');
const everyWeeks = every(3, 'week', '2027-01-01T06:00:00Z', 'UTC');
const everyMonths = every(2, 'month', '2027-05-01T06:00:00Z', 'UTC');
const everyYears = every(3, 'year', '2027-05-01T06:00:00Z', 'UTC');
const once: Timetable = { ...everyDay, recurrence: null };
const threeDays = every(1, 'day', '2027-01-01T06:00:00Z', 'UTC', '2027-01-03T06:00:00Z');

test.each<[name: string, timetable: Timetable, after: string, expected: string | null]>([
  ['long before the start: the start', everyDay, '2020-01-01T00:00:00Z', '2027-01-01T06:00Z'],
  ['a millisecond before the start: the start', everyDay, '2027-01-01T05:59:59.999Z', '2027-01-01T06:00Z'],
  ['at the start: the second', everyDay, '2027-01-01T06:00:00Z', '2027-01-02T06:00Z'],
  ['the start of what runs once', once, '2027-01-01T05:59:59.999Z', '2027-01-01T06:00Z'],
  ['at the start of what runs once: nothing', once, '2027-01-01T06:00:00Z', null],
  ['7 minutes, at the first', everyMinutes, '2027-01-01T06:00:00Z', '2027-01-01T06:07Z'],
  ['7 minutes, before the fifth', everyMinutes, '2027-01-01T06:27:59.999Z', '2027-01-01T06:28Z'],
  ['7 minutes, at the fifth', everyMinutes, '2027-01-01T06:28:00Z', '2027-01-01T06:35Z'],
  ['5 hours, before the third', everyHours, '2027-01-01T15:59:59.999Z', '2027-01-01T16:00Z'],
  ['5 hours, at the third', everyHours, '2027-01-01T16:00:00Z', '2027-01-01T21:00Z'],
  ['2 days, before the fifth', everyTwoDays, '2027-01-09T05:59:59.999Z', '2027-01-09T06:00Z'],
  ['2 days, at the fifth', everyTwoDays, '2027-01-09T06:00:00Z', '2027-01-11T06:00Z'],
  ['2 days, in the middle', everyTwoDays, '2027-01-10T12:00:00Z', '2027-01-11T06:00Z'],
  ['3 weeks, before the fifth', everyWeeks, '2027-03-26T05:59:59.999Z', '2027-03-26T06:00Z'],
  ['3 weeks, at the fifth', everyWeeks, '2027-03-26T06:00:00Z', '2027-04-16T06:00Z'],
  ['2 months, before the fifth', everyMonths, '2028-01-01T05:59:59.999Z', '2028-01-01T06:00Z'],
  ['2 months, at the fifth', everyMonths, '2028-01-01T06:00:00Z', '2028-03-01T06:00Z'],
  ['2 months, years later', everyMonths, '2033-12-31T23:59:59Z', '2034-01-01T06:00Z'],
  ['3 years, before the fourth', everyYears, '2036-05-01T05:59:59.999Z', '2036-05-01T06:00Z'],
  ['3 years, at the fourth', everyYears, '2036-05-01T06:00:00Z', '2039-05-01T06:00Z'],
  ['a millisecond before the end', threeDays, '2027-01-03T05:59:59.999Z', '2027-01-03T06:00Z'],
  ['at the end: nothing', threeDays, '2027-01-03T06:00:00Z', null],
  ['a day after the end: nothing', threeDays, '2027-01-04T06:00:00Z', null],
])('the next occurrence: %s', (...[, timetable, after, expected]) => {
  const next = nextOccurrence(timetable, new Date(after));
  expect(next && short(next)).toBe(expected);
});

test('the last moment that RFC 3339 can write is an occurrence, and the end cannot be later', () => {
  const last = '9999-12-31T23:59:59.999Z';
  const single = { ...every(1, 'day', last, 'UTC'), recurrence: null };
  expect(nextOccurrence(single, new Date('2027-01-01T00:00:00Z'))?.toISOString()).toBe(last);
  const endless = { ...every(1, 'minute', last, 'UTC'), endsAt: new Date('+010000-06-01T00:00:00Z') };
  expect(first(endless, 5)).toEqual([last]);
});

test.each<[name: string, timetable: Timetable, after: string, until: string, count: number, last?: string]>([
  ['all of three', threeDays, '2026-12-31T00:00:00Z', '2028-01-01T00:00:00Z', 3, '2027-01-03T06:00Z'],
  [
    'not the one at `after`',
    threeDays,
    '2027-01-01T06:00:00Z',
    '2028-01-01T00:00:00Z',
    2,
    '2027-01-03T06:00Z',
  ],
  ['the one at `until`', everyDay, '2027-01-01T06:00:00Z', '2027-01-05T06:00:00Z', 4, '2027-01-05T06:00Z'],
  [
    'not the one after it',
    everyDay,
    '2027-01-01T06:00:00Z',
    '2027-01-05T05:59:59.999Z',
    3,
    '2027-01-04T06:00Z',
  ],
  [
    '`until` before the end',
    threeDays,
    '2026-12-31T00:00:00Z',
    '2027-01-02T06:00:00Z',
    2,
    '2027-01-02T06:00Z',
  ],
  ['none between two', everyDay, '2027-01-01T06:00:00Z', '2027-01-02T05:59:59.999Z', 0],
  ['none before the start', everyDay, '2020-01-01T00:00:00Z', '2027-01-01T05:59:59.999Z', 0],
  ['none after the end', threeDays, '2027-01-04T00:00:00Z', '2028-01-01T00:00:00Z', 0],
  ['none backwards', everyDay, '2027-01-09T00:00:00Z', '2027-01-05T00:00:00Z', 0],
  ['the one of what runs once', once, '2026-12-31T00:00:00Z', '2028-01-01T00:00:00Z', 1, '2027-01-01T06:00Z'],
])('the count: %s', (...[, timetable, after, until, count, last]) => {
  const counted = countOccurrences(timetable, new Date(after), new Date(until));
  expect({ ...counted, last: counted.last && short(counted.last) }).toEqual({ count, last: last ?? null });
});

test.each([
  ...['day', 'week', 'month', 'year'].flatMap((unit) => [1, 2, 7, 1000].map((interval) => [unit, interval])),
] as [Unit, number][])(
  'the next of every %s × %i after thousands of years is found in at most four steps of the calendar',
  (unit, interval) => {
    const timetable = every(interval, unit, '2027-01-31T02:30:00Z', 'Europe/Berlin');
    expect(countSteps(() => nextOccurrence(timetable, new Date('8990-05-05T00:00:00Z')))).toBeLessThan(5);
    expect(countSteps(() => nextOccurrence(timetable, timetable.startsAt))).toBeLessThan(5);
  },
);

test('minutes and hours are counted without the calendar', () => {
  const counted = [everyMinutes, everyHours].map((timetable) =>
    countSteps(() => nextOccurrence(timetable, new Date('8990-05-05T00:00:00Z'))),
  );
  expect(counted).toEqual([0, 0]);
});

/** How often a function adds to a date of a time zone: each takes a search for the clock changes around it. */
function countSteps(run: () => unknown): number {
  const { prototype } = Temporal.ZonedDateTime;
  const original = Object.getOwnPropertyDescriptor(prototype, 'add')!;
  let steps = 0;
  Object.defineProperty(prototype, 'add', {
    ...original,
    value(this: Temporal.ZonedDateTime, ...given: unknown[]): unknown {
      steps += 1;
      return (original.value as (...values: unknown[]) => unknown).apply(this, given);
    },
  });
  try {
    run();
  } finally {
    Object.defineProperty(prototype, 'add', original);
  }
  return steps;
}
