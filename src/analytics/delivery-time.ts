/**
 * Delivery times are counted in buckets that grow by a constant factor, as in a DDSketch (Masson, Rim, Lee:
 * "DDSketch", VLDB 2019): bucket i holds the times above γ^(i-1) ms, up to γ^i ms. Counts of any slots can then be
 * added up, and each quantile of the sum is within the relative accuracy, whatever the times are.
 */
export const relativeAccuracy = 0.02;

/** γ: the ratio between the upper bound of a bucket and that of the bucket before. */
export const bucketGrowth = (1 + relativeAccuracy) / (1 - relativeAccuracy);

/**
 * The bucket of a delivery time in milliseconds, from a message's creation to its delivery. The clocks of processes
 * differ, so the time may be zero or negative: it then counts as one millisecond. The triggers use the same formula
 * (migrations/).
 */
export function bucketOf(milliseconds: number): number {
  return Math.ceil(Math.log(Math.max(milliseconds, 1)) / Math.log(bucketGrowth));
}

/** A delivery time in milliseconds that differs by at most 2 % from every time in the bucket; null for no bucket. */
export function timeOfBucket(bucket: number | null): number | null {
  return bucket === null ? null : Math.round((2 * bucketGrowth ** bucket) / (bucketGrowth + 1));
}
