/**
 * Delivery times are counted in buckets that grow by a constant factor, as a DDSketch does (Masson, Rim, Lee:
 * "DDSketch", VLDB 2019): bucket i holds the times above γ^(i-1) ms, up to γ^i ms. Then counts of any slots can be
 * added up, and each quantile of the sum is known within the relative accuracy, whatever the times are.
 */
export const relativeAccuracy = 0.02;

/** γ: how many times as long the times of a bucket may be as those of the one before. */
export const bucketGrowth = (1 + relativeAccuracy) / (1 - relativeAccuracy);

/**
 * The bucket of a delivery time in milliseconds, from a message's creation to its delivery. Clocks of processes
 * differ, so that it may come out as nothing or less: that counts as a millisecond. The triggers compute the same
 * (migrations/).
 */
export function bucketOf(milliseconds: number): number {
  return Math.ceil(Math.log(Math.max(milliseconds, 1)) / Math.log(bucketGrowth));
}

/** The delivery time in milliseconds that is at most 2 % off from all of the bucket; null for no bucket. */
export function timeOfBucket(bucket: number | null): number | null {
  return bucket === null ? null : Math.round((2 * bucketGrowth ** bucket) / (bucketGrowth + 1));
}
