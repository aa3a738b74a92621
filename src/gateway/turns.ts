/** Places that are handed out in turn. */
export interface Turns {
  /**
   * Calls `begin` once: at once if a place is free, otherwise when it is the turn of `key` and of this call among those
   * of the key. `begin` returns whether it uses the place. The caller then frees it with `leave`.
   */
  take: (key: string, begin: () => boolean) => void;
  leave: () => void;
}

/**
 * Creates a number of places for which keys queue. Each free place goes to the next key that waits, and within a key to
 * the call that has waited longest. So a key with one call waits for at most one place of each other key, however many
 * calls those have. This is fair queueing for work of about the same size (J. Nagle, RFC 970).
 */
export function createTurns(places: number): Turns {
  // A Map keeps the order in which its keys were added: the order of the turns.
  const waiting = new Map<string, (() => boolean)[]>();
  let free = places;
  let isHandingOut = false;

  function handOut(): void {
    // What begins may fail at once and free its place. The loop that runs hands it out, without growing the stack.
    if (isHandingOut) return;
    isHandingOut = true;
    while (free > 0 && waiting.size > 0) {
      const [key, calls] = waiting.entries().next().value!;
      const begin = calls.shift()!;
      waiting.delete(key);
      if (calls.length > 0) waiting.set(key, calls);
      free -= 1;
      if (!begin()) free += 1;
    }
    isHandingOut = false;
  }

  return {
    take: (key, begin) => {
      const calls = waiting.get(key);
      if (calls) calls.push(begin);
      else waiting.set(key, [begin]);
      handOut();
    },
    leave: () => {
      free += 1;
      handOut();
    },
  };
}
