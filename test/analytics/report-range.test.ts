import { readReportRange } from '../../src/analytics/report-range.ts';

const now = new Date('2026-11-21T21:30:00Z');

test('without dates a report has the last thirty days, today included, in the time zone', () => {
  const utc = readReportRange({}, 'UTC', now);
  expect([utc.dates[0], utc.dates.at(-1), utc.dates.length]).toEqual(['2026-10-23', '2026-11-21', 30]);
  // There it is after midnight already.
  const there = readReportRange({}, 'Africa/Addis_Ababa', now);
  expect([there.dates[0], there.dates.at(-1), there.dates.length]).toEqual(['2026-10-24', '2026-11-22', 30]);
});

test.each([
  [{ from: '2026-11-01' }, '2026-11-01', '2026-11-21', 21],
  [{ to: '2000-01-05' }, '2000-01-01', '2000-01-05', 5],
  [{ to: '2026-03-01' }, '2026-01-31', '2026-03-01', 30],
  [{ from: '2026-11-21', to: '2026-11-21' }, '2026-11-21', '2026-11-21', 1],
  [{ from: '2024-02-28', to: '2024-03-01' }, '2024-02-28', '2024-03-01', 3],
  [{ from: '2025-01-01', to: '2026-02-04' }, '2025-01-01', '2026-02-04', 400],
  [{ from: '2027-01-01', to: '2027-01-02' }, '2027-01-01', '2027-01-02', 2],
])('%j is from %s to %s, %i days', (query, from, to, days) => {
  const { dates, bounds } = readReportRange(query, 'UTC', now);
  expect([dates[0], dates.at(-1), dates.length]).toEqual([from, to, days]);
  expect(bounds).toHaveLength(days + 1);
});

test.each([
  [{ from: '2026-11-21', to: '2026-11-20' }, '/query/to', 'out_of_order'],
  [{ from: '2026-11-22' }, '/query/from', 'out_of_order'],
  [{ from: '2025-01-01', to: '2026-02-05' }, '/query/from', 'range_too_long'],
  [{ from: '2025-01-01' }, '/query/from', 'range_too_long'],
])('%j is refused at %s with %s', (query, path, code) => {
  expect(() => readReportRange(query, 'UTC', now)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      errors: [{ path, code, message: expect.any(String) }],
    }),
  );
});

const hours = 3_600_000;
test.each([
  ['Africa/Addis_Ababa', '2026-03-29', '2026-03-28T21:00:00.000Z', 24],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
  ['Asia/Kathmandu', '2026-03-29', '2026-03-28T18:15:00.000Z', 24],
  // Its clocks change by half an hour.
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', 24.5],
  // Midnight was left out.
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
  // So was the whole day.
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 0],
])('in %s, %s begins at %s and lasts %d hours', (timezone, date, begin, length) => {
  const { bounds } = readReportRange({ from: date, to: date }, timezone, now);
  expect(bounds[0]!.toISOString()).toBe(begin);
  expect((bounds[1]!.getTime() - bounds[0]!.getTime()) / hours).toBe(length);
});

test('in every time zone, days of this century begin with a quarter of an hour', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  expect(zones.length).toBeGreaterThan(400);
  const odd = zones.filter((timezone) =>
    [2000, 2005, 2010, 2015, 2020, 2026, 2039].some((year) =>
      ['01-15', '07-15'].some((day) => {
        const { bounds } = readReportRange({ from: `${year}-${day}`, to: `${year}-${day}` }, timezone, now);
        return bounds.some((bound) => bound.getTime() % 900_000 !== 0);
      }),
    ),
  );
  expect(odd).toEqual([]);
});
