/** A source of pseudo-random numbers. The same seed always gives the same numbers. */
export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next: () => number;
  /** An integer between two bounds, both inclusive. */
  between: (lowest: number, highest: number) => number;
  /** One of the items. */
  pick: <Item>(items: readonly Item[]) => Item;
  /** The items in another order. */
  shuffle: <Item>(items: readonly Item[]) => Item[];
}

/**
 * Creates a source of pseudo-random numbers (mulberry32). Its quality suffices to spread faults, and it has no state but
 * one number, so that a plan is a function of its seed alone.
 *
 * @param seed an integer; its lowest 32 bits count
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (lowest: number, highest: number): number =>
    lowest + Math.floor(next() * (highest - lowest + 1));
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)]!,
    shuffle: (items) => {
      const shuffled = [...items];
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = between(0, last);
        [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
      }
      return shuffled;
    },
  };
}
