import { randomInt } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/** Begins anywhere, so that processes which make ids in the same millisecond hardly ever share a number. */
let sequence = randomInt(2 ** 31);

/**
 * Makes the id of a row: a UUIDv7 (RFC 9562, 5.7) of the very millisecond in which it was created, and
 * within one process in the order of making.
 *
 * The library's own clock would run a millisecond apart from `createdAt`, or further once the system's clock is
 * set back. This way a range of times is a range of ids, and no index on `created_at` is needed.
 */
export function makeTimeOrderedId(createdAt: Date): string {
  sequence = (sequence + 1) >>> 0;
  return uuidv7({ msecs: createdAt.getTime(), seq: sequence });
}

/** The least id that a row created at this moment or later can have. */
export function lowestTimeOrderedId(createdAt: Date): string {
  return uuidv7({ msecs: Math.max(0, createdAt.getTime()), seq: 0, random: new Uint8Array(16) });
}
