import { randomFillSync, randomInt } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/** Starts at a random value, so that processes which create ids in the same millisecond rarely use the same number. */
let sequence = randomInt(2 ** 31);

/** Random bytes for many ids: one call for 16 bytes costs almost as much as one for 4 KiB. */
const randomBytes = new Uint8Array(4096);
const bytesPerId = 16;
let usedBytes = randomBytes.length;

function nextRandomBytes(): Uint8Array {
  if (usedBytes === randomBytes.length) {
    randomFillSync(randomBytes);
    usedBytes = 0;
  }
  usedBytes += bytesPerId;
  return randomBytes.subarray(usedBytes - bytesPerId, usedBytes);
}

/**
 * Creates the id of a row: a UUIDv7 (RFC 9562, 5.7) of the exact millisecond in which the row was created. Within one
 * process, ids are in the order of creation.
 *
 * The library's own clock could differ from `createdAt` by a millisecond, or by more after the system clock is set
 * back. With this function a time range is an id range, so no index on `created_at` is needed.
 */
export function makeTimeOrderedId(createdAt: Date): string {
  sequence = (sequence + 1) >>> 0;
  return uuidv7({ msecs: createdAt.getTime(), seq: sequence, random: nextRandomBytes() });
}

/** Returns the lowest id that a row created at or after this time can have. */
export function lowestTimeOrderedId(createdAt: Date): string {
  return uuidv7({ msecs: Math.max(0, createdAt.getTime()), seq: 0, random: new Uint8Array(16) });
}
