import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  countOccurrences,
  listOccurrences,
  nextOccurrence,
  recurrenceUnits,
  type Timetable,
} from '../../src/schedules/recurrence.ts';

type Unit = (typeof recurrenceUnits)[number];

function every(interval: number, unit: Unit, startsAt: string, timezone: string, endsAt?: string): Timetable {
  return {
    startsAt: new Date(startsAt),
    endsAt: endsAt === undefined ? null : new Date(endsAt),
    timezone,
    recurrence: { unit, interval },
  };
}

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

const timezones = ['Africa/Addis_Ababa', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'];
const anchors = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2060-01-01T00:00:00Z'),
  noInvalidDate: true,
});

/** The definition, by the library's own words: what `nextOccurrence` finds without counting up to it. */
function nthByDefinition({ startsAt, timezone, recurrence }: Timetable, n: number): Temporal.ZonedDateTime {
  const anchor = Temporal.Instant.fromEpochMilliseconds(startsAt.getTime()).toZonedDateTimeISO(timezone);
  const steps = n * recurrence!.interval;
  if (recurrence!.unit === 'minute') return anchor.add({ seconds: steps * 60 });
  if (recurrence!.unit === 'hour') return anchor.add({ seconds: steps * 3600 });
  return anchor.add({ [`${recurrence!.unit}s`]: steps });
}

test.each(recurrenceUnits)(
  'every interval of 1 to 1000 %ss: the next occurrence is the least one after the moment, and later than it',
  (unit) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        anchors,
        fc.constantFrom(...timezones),
        fc.nat({ max: 90 }),
        fc.integer({ min: -1, max: 1 }),
        (interval, startsAt, timezone, drawn, nearby) => {
          // Dates that ISO 8601 writes with four digits: all that there are here.
          const n = unit === 'year' ? drawn % Math.floor(7000 / interval) : drawn;
          const timetable: Timetable = { startsAt, endsAt: null, timezone, recurrence: { unit, interval } };
          const nth = nthByDefinition(timetable, n);
          const after = new Date(nth.epochMilliseconds + nearby);
          const expected = nearby < 0 ? nth : nthByDefinition(timetable, n + 1);
          const next = nextOccurrence(timetable, after);
          expect(next?.getTime()).toBe(expected.epochMilliseconds);
          expect(next! > after).toBe(true);
          expect(countOccurrences(timetable, new Date(startsAt.getTime() - 1), after).count).toBe(
            nearby < 0 ? n : n + 1,
          );
        },
      ),
      { numRuns: 400 },
    );
  },
);

test.each(['day', 'week', 'month', 'year'] as const)(
  'each interval of %ss keeps the local time, but where the clocks leave it out',
  (unit) => {
    for (let interval = 1; interval <= 1000; interval += 1) {
      const timetable = every(interval, unit, '2027-01-31T02:30:00+01:00', 'Europe/Berlin');
      let previous = timetable.startsAt;
      for (const at of listOccurrences(timetable, previous, 10)) {
        expect(at > previous).toBe(true);
        const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(
          'Europe/Berlin',
        );
        // 23 hours has the one day of the year that has no 02:30.
        expect(local.toPlainTime().toString()).toBe(local.hoursInDay === 23 ? '03:30:00' : '02:30:00');
        if (unit === 'month' || unit === 'year') expect(local.day).toBe(Math.min(31, local.daysInMonth));
        previous = at;
      }
    }
  },
);

test('what a minute of thousands of years costs is what one of the first costs', () => {
  const monthly = every(1, 'month', '2027-01-31T06:00:00Z', 'Europe/Berlin');
  const minutely = every(1, 'minute', '2027-01-31T06:00:00Z', 'Europe/Berlin');
  const began = performance.now();
  for (let round = 0; round < 500; round += 1) {
    nextOccurrence(monthly, new Date('9990-05-05T00:00:00Z'));
    nextOccurrence(minutely, new Date('9990-05-05T00:00:00Z'));
  }
  // Counted up from the anchor, one of the 1,000 would be 95,000 months, or four thousand million minutes.
  expect(performance.now() - began).toBeLessThan(20_000);
});
