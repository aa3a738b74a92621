import { setImmediate as nextTurn } from 'node:timers/promises';

/** Whether something that takes its time with each byte of a body takes long; with 64 KiB it is about a millisecond. */
export function isLarge(bytes: number): boolean {
  return bytes > 64 * 1024;
}

/** Lets other requests have their turn after a step whose cost grows with the bytes of a body, if these are many. */
export async function pauseAfter(bytes: number): Promise<void> {
  if (isLarge(bytes)) await nextTurn();
}
