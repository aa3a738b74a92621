import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  countOccurrences,
  listOccurrences,
  nextOccurrence,
  recurrenceUnits,
  type Timetable,
} from '../../src/schedules/recurrence.ts';
import { every } from '../helpers/timetable.ts';

// The tables of single cases are in recurrence.test.ts. They take no time, and are what `npm run mutate` runs.

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
