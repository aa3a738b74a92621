import { assert, integer, property } from 'fast-check';
import { relativeAccuracy, timeOfBucket } from '../../src/analytics/delivery-time.ts';
import { bucketOf } from '../helpers/counted.ts';

const sixDaysMs = 6 * 86_400_000;

test('the time of a bucket is within 2 % of every time in it, but for the rounding to a millisecond', () => {
  assert(
    property(integer({ min: 1, max: sixDaysMs }), (milliseconds) => {
      const error = Math.abs(timeOfBucket(bucketOf(milliseconds))! - milliseconds);
      expect(error).toBeLessThanOrEqual(milliseconds * relativeAccuracy * (1 + 1e-9) + 0.5);
    }),
    { numRuns: 10_000 },
  );
});

test('longer times are in no earlier bucket, and all fit into a smallint', () => {
  assert(
    property(integer({ min: -5000, max: sixDaysMs }), integer({ min: 0, max: 1e6 }), (time, more) => {
      expect(bucketOf(time + more)).toBeGreaterThanOrEqual(bucketOf(time));
    }),
  );
  expect(bucketOf(100 * 365 * 86_400_000)).toBeLessThan(32_767);
});

test('clocks that differ make no negative times', () => {
  expect([-1000, 0, 1].map(bucketOf)).toEqual([0, 0, 0]);
  expect(timeOfBucket(0)).toBe(1);
  expect(timeOfBucket(null)).toBeNull();
});
