import { setImmediate as nextTurn } from 'node:timers/promises';

/** Whether a step that processes each byte of a body takes long. With 64 KiB it takes about a millisecond. */
export function isLarge(bytes: number): boolean {
  return bytes > 64 * 1024;
}

/** Gives other requests a turn after a step whose cost grows with the size of a body, if the body is large. */
export async function pauseAfter(bytes: number): Promise<void> {
  if (isLarge(bytes)) await nextTurn();
}
