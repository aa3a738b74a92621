import * as fc from 'fast-check';
import { SmsApiError, SmsConnectionError } from '../../client/src/errors.ts';
import { jitteredPauseMs, pauseBeforeRepetition } from '../../client/src/retries.ts';

const answer = (status: number, code?: string, retryAfterSeconds: number | null = null): SmsApiError =>
  new SmsApiError(status, code === undefined ? {} : { code }, retryAfterSeconds);
const lost = new SmsConnectionError('', { mayHaveArrived: true });
const refused = new SmsConnectionError('', { mayHaveArrived: false });

// Which errors are worth a repetition: of what may always be repeated, and of what may not have been done.
const rules: [name: string, error: unknown, always: boolean, ifNothingDone: boolean][] = [
  ['a lost connection', lost, true, false],
  ['a refused connection', refused, true, true],
  ['429', answer(429, 'rate_limited'), true, true],
  ['503 of the service', answer(503, 'unavailable'), true, true],
  ['503 of a proxy', answer(503), true, false],
  ['500', answer(500, 'internal_error'), true, false],
  ['502', answer(502), true, false],
  ['409 while the first request with the key runs', answer(409, 'idempotency_in_progress'), true, false],
  ['409 because of the state', answer(409, 'invalid_state'), false, false],
  ['400', answer(400, 'invalid_request'), false, false],
  ['401', answer(401, 'unauthenticated'), false, false],
  ['404', answer(404, 'not_found'), false, false],
  ['422', answer(422, 'invalid_recipient'), false, false],
  ['429 with a long Retry-After', answer(429, 'rate_limited', 61), false, false],
  ['an error of the caller', new TypeError('a bug'), false, false],
];

test.each(rules)(
  '%s is repeated or not, by what may have been done',
  (_name, error, always, ifNothingDone) => {
    expect(pauseBeforeRepetition(error, 'always', 0) !== undefined).toBe(always);
    expect(pauseBeforeRepetition(error, 'if-nothing-done', 0) !== undefined).toBe(ifNothingDone);
  },
);

/** As Math.random: from 0 up to, but not including, 1. */
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const repetition = fc.integer({ min: 0, max: 1000 });

test('the pause is anywhere from 0 to a limit that doubles from 0.5 s up to 8 s', () => {
  fc.assert(
    fc.property(repetition, random, (count, chance) => {
      const limitMs = Math.min(8000, 500 * 2 ** count);
      expect(jitteredPauseMs(count, chance)).toBeCloseTo(chance * limitMs);
      expect(jitteredPauseMs(count, chance)).toBeLessThan(limitMs);
    }),
  );
  expect([0, 1, 2, 3, 4, 5, 100].map((count) => jitteredPauseMs(count, 0.5))).toEqual([
    ...[250, 500, 1000, 2000, 4000, 4000, 4000],
  ]);
});

test('nobody comes back before Retry-After, and not all together after it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 60 }),
      repetition,
      random,
      random,
      (seconds, count, chance, other) => {
        const pauseMs = pauseBeforeRepetition(answer(429, 'rate_limited', seconds), 'always', count, chance)!;
        expect(pauseMs).toBeGreaterThanOrEqual(seconds * 1000);
        fc.pre(Math.abs(chance - other) > 0.01);
        expect(
          pauseBeforeRepetition(answer(429, 'rate_limited', seconds), 'always', count, other),
        ).not.toBeCloseTo(pauseMs);
      },
    ),
  );
});
