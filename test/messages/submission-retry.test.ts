import * as fc from 'fast-check';
import { nextSubmissionAt } from '../../src/messages/submission/submission-retry.ts';

test.each([
  [1, 1],
  [2, 2],
  [3, 5],
  [4, 10],
  [5, 20],
  [6, 30],
  [7, 60],
  [8, 120],
  [9, 300],
  [10, 300],
  [1000, 300],
])('after attempt %i the gateway is asked again in %i s', (attempts, delaySeconds) => {
  // A multiple of every half delay, so that nothing is rounded.
  const now = new Date(600_000_000);
  expect(nextSubmissionAt(attempts, now).getTime() - now.getTime()).toBe(delaySeconds * 1000);
});

test('the time is rounded up to half the delay, so that messages of one moment become due together', () => {
  expect(nextSubmissionAt(4, new Date(600_000_001)).getTime()).toBe(600_015_000);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(2 ** 40), (attempts, at) => {
      const delayMs = nextSubmissionAt(attempts, new Date(600_000_000)).getTime() - 600_000_000;
      const next = nextSubmissionAt(attempts, new Date(at)).getTime();
      expect(next % (delayMs / 2)).toBe(0);
      expect(next - at).toBeGreaterThanOrEqual(delayMs);
      expect(next - at).toBeLessThan(1.5 * delayMs);
    }),
  );
});
