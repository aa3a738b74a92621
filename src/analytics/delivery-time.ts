/**
 * Delivery times are counted in buckets that grow by a constant factor, as in a DDSketch (Masson, Rim, Lee:
 * "DDSketch", VLDB 2019): bucket i holds the times above γ^(i-1) ms, up to γ^i ms. Counts of any slots can then be
 * added up, and each quantile of the sum is within the relative accuracy, whatever the times are. The triggers in migrations/
 * choose the bucket of a time. A time of zero or less, from clocks that differ, counts as one millisecond.
 */
export const relativeAccuracy = 0.02;

/** γ: the ratio between the upper bound of a bucket and that of the bucket before. */
export const bucketGrowth = (1 + relativeAccuracy) / (1 - relativeAccuracy);

/** A delivery time in milliseconds that differs by at most 2 % from every time in the bucket; null for no bucket. */
export function timeOfBucket(bucket: number | null): number | null {
  return bucket === null ? null : Math.round((2 * bucketGrowth ** bucket) / (bucketGrowth + 1));
}
