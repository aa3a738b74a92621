import * as fc from 'fast-check';
import {
  attemptDelaysSeconds,
  nextAttempt,
  parseRetryAfter,
} from '../../src/webhooks/attempts/retry-schedule.ts';

const nowMs = Date.UTC(2026, 10, 21, 12, 0, 0);
const none = () => 0;
const full = () => 1 - Number.EPSILON;

const delaySeconds = (
  attemptsMade: number,
  outcome: { status?: number; retryAfterSeconds?: number },
  random = none,
) => {
  const next = nextAttempt({ attemptsMade, outcome, random, nowMs });
  return next.kind === 'retry' ? (next.atMs - nowMs) / 1000 : next;
};

describe('the schedule', () => {
  test('is the contract’s: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h', () => {
    expect(attemptDelaysSeconds).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
  });

  test.each([
    [1, 5],
    [2, 300],
    [3, 1800],
    [4, 7200],
    [5, 18_000],
    [6, 36_000],
    [7, 36_000],
  ])('after attempt %d the next comes in %d s, and at most a tenth later', (attemptsMade, seconds) => {
    expect(delaySeconds(attemptsMade, { status: 500 })).toBe(seconds);
    expect(delaySeconds(attemptsMade, { status: 500 }, full)).toBeCloseTo(seconds * 1.1, 2);
    expect(delaySeconds(attemptsMade, { status: 500 }, () => 0.5)).toBeCloseTo(seconds * 1.05, 2);
  });

  test('ends with the eighth attempt', () => {
    const dead = { kind: 'dead', reason: 'attempts_exhausted' };
    expect(delaySeconds(8, { status: 500 })).toEqual(dead);
    expect(delaySeconds(8, { status: 503, retryAfterSeconds: 1 })).toEqual(dead);
    expect(delaySeconds(9, {})).toEqual(dead);
  });

  test.each([0, -1, 1.5, Number.NaN])('cannot be asked after %p attempts', (attemptsMade) => {
    const message = `attemptsMade counts the attempt just ended, so it cannot be ${attemptsMade}`;
    expect(() => delaySeconds(attemptsMade, {})).toThrow(new RangeError(message));
  });
});

describe('an outcome', () => {
  test.each([200, 201, 202, 204, 299])('%d is delivered, at any attempt', (status) => {
    for (let attemptsMade = 1; attemptsMade <= 8; attemptsMade += 1) {
      expect(delaySeconds(attemptsMade, { status })).toEqual({ kind: 'delivered' });
    }
  });

  test('410 is dead at once, at any attempt', () => {
    for (let attemptsMade = 1; attemptsMade <= 8; attemptsMade += 1) {
      expect(delaySeconds(attemptsMade, { status: 410, retryAfterSeconds: 1 })).toEqual({
        kind: 'dead',
        reason: 'gone',
      });
    }
  });

  test.each([
    100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 408, 409, 411, 429, 500, 502, 503, 504, 599,
  ])('%d is tried again', (status) => expect(delaySeconds(1, { status })).toBe(5));

  test('a response with 200 that breaks off is tried again', () => {
    const outcome = { status: 200, error: 'connection_closed' };
    expect(nextAttempt({ attemptsMade: 1, outcome, random: none, nowMs }).kind).toBe('retry');
  });

  test('no answer is tried again', () => {
    const outcome = { error: 'ECONNREFUSED' };
    expect(nextAttempt({ attemptsMade: 1, outcome, random: none, nowMs })).toEqual({
      kind: 'retry',
      atMs: nowMs + 5000,
    });
  });
});

describe('Retry-After', () => {
  test.each([
    ['shorter than the interval: the interval', 1, 1, 5],
    ['zero', 1, 0, 5],
    ['the interval', 1, 5, 5],
    ['longer: as asked', 1, 60, 60],
    ['longer, up to the next interval', 1, 300, 300],
    ['longer than the next interval: that', 1, 3600, 300],
    ['a later attempt: as asked', 3, 3600, 3600],
    ['a later attempt, too long', 3, 86_400, 7200],
    ['before the last attempt there is no next interval', 7, 86_400, 36_000],
    ['beyond all numbers', 1, Number.MAX_SAFE_INTEGER, 300],
  ])('%s', (_name, attemptsMade, retryAfterSeconds, seconds) => {
    for (const status of [301, 429, 500, 503]) {
      expect(delaySeconds(attemptsMade, { status, retryAfterSeconds })).toBe(seconds);
    }
  });

  test('has its jitter too, so that not all come back at the same moment', () => {
    expect(delaySeconds(1, { status: 429, retryAfterSeconds: 60 }, full)).toBeCloseTo(66, 2);
  });
});

test('an attempt comes neither before its interval nor a tenth after the next one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }),
      fc.option(fc.nat(), { nil: undefined }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attemptsMade, retryAfterSeconds, random) => {
        const next = nextAttempt({
          attemptsMade,
          outcome: { status: 503, retryAfterSeconds },
          random: () => random,
          nowMs,
        });
        if (next.kind !== 'retry') throw new Error('not retried');
        const interval = attemptDelaysSeconds[attemptsMade]!;
        const longest = attemptDelaysSeconds[attemptsMade + 1] ?? interval;
        expect(Number.isInteger(next.atMs)).toBe(true);
        expect(next.atMs - nowMs).toBeGreaterThanOrEqual(
          Math.max(interval, Math.min(retryAfterSeconds ?? 0, longest)) * 1000,
        );
        expect(next.atMs - nowMs).toBeLessThanOrEqual(
          Math.round((retryAfterSeconds === undefined ? interval : longest) * 1100),
        );
      },
    ),
  );
});

describe('parseRetryAfter', () => {
  test.each([
    ['seconds', '120', 120],
    ['zero', '0', 0],
    ['surrounding space', ' 120\t', 120],
    ['leading zeros', '007', 7],
    ['more digits than a number holds', '9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['an IMF-fixdate', 'Sat, 21 Nov 2026 12:02:00 GMT', 120],
    ['an RFC 850 date', 'Saturday, 21-Nov-26 12:02:00 GMT', 120],
    ['an asctime date, which is GMT in any zone', 'Sat Nov 21 12:02:00 2026', 120],
    ['an asctime date with a day of one digit', 'Tue Dec  1 12:00:00 2026', 864_000],
    ['now', 'Sat, 21 Nov 2026 12:00:00 GMT', 0],
    ['a date that has passed', 'Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ])('reads %s', (_name, header, seconds) => {
    expect(parseRetryAfter(header, nowMs)).toBe(seconds);
  });

  test.each([
    ['no header', undefined],
    ['empty', ''],
    ['a fraction', '1.5'],
    ['a negative number', '-5'],
    ['a signed number', '+5'],
    ['an exponent', '1e3'],
    ['hexadecimal', '0x10'],
    ['Arabic-Indic digits', '١٢'],
    ['two values', '5, 10'],
    ['words', 'soon'],
    ['an ISO date', '2026-11-21T12:02:00Z'],
    ['a date of another zone', 'Sat, 21 Nov 2026 12:02:00 +0300'],
    ['words before a date', 'x Sat, 21 Nov 2026 12:02:00 GMT'],
    ['words before an RFC 850 date', 'x Saturday, 21-Nov-26 12:02:00 GMT'],
    ['words before an asctime date', 'x Sat Nov 21 12:02:00 2026'],
    ['a comment after a date', 'Sat, 21 Nov 2026 12:02:00 GMT (UTC)'],
    ['a comment after an RFC 850 date', 'Saturday, 21-Nov-26 12:02:00 GMT (UTC)'],
    ['a comment after an asctime date', 'Sat Nov 21 12:02:00 2026 (UTC)'],
    ['a date that does not exist', 'Sat, 21 Nox 2026 12:02:00 GMT'],
    ['an hour that does not exist', 'Sat, 21 Nov 2026 25:02:00 GMT'],
  ])('takes %s for none', (_name, header) => {
    expect(parseRetryAfter(header, nowMs)).toBeUndefined();
  });

  test('rounds up, so that no attempt comes early', () => {
    expect(parseRetryAfter('Sat, 21 Nov 2026 12:02:00 GMT', nowMs + 1)).toBe(120);
    expect(parseRetryAfter('Sat, 21 Nov 2026 12:02:00 GMT', nowMs + 1001)).toBe(119);
  });

  test('reads back any date that is written as HTTP writes it', () => {
    const date = fc.date({ min: new Date(0), max: new Date(Date.UTC(2100, 0)), noInvalidDate: true });
    fc.assert(
      fc.property(date, (at) => {
        const expected = Math.max(0, Math.floor(at.getTime() / 1000) - nowMs / 1000);
        expect(parseRetryAfter(at.toUTCString(), nowMs)).toBe(expected);
      }),
    );
  });

  test('no string makes it throw', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const seconds = parseRetryAfter(header, nowMs);
        expect(seconds === undefined || (Number.isInteger(seconds) && seconds >= 0)).toBe(true);
      }),
    );
  });
});
