import { setImmediate as nextTurn } from 'node:timers/promises';

/** So many bytes are dealt with in well under a millisecond, whatever is done with them. */
const largeBytes = 64 * 1024;

/** Lets other requests have their turn after a step whose cost grows with the bytes of a body, if these are many. */
export async function pauseAfter(bytes: number): Promise<void> {
  if (bytes > largeBytes) await nextTurn();
}
