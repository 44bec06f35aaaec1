/** A random number generator; the same seed gives the same numbers. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** True with this probability, from 0 to 1. */
  chance(probability: number): boolean;
  /** From `low` to below `high`. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** A new generator, for code that runs concurrently. */
  fork(): Random;
}

/** mulberry32. @param seed an integer */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    between: (low, high) => low + next() * (high - low),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
    fork: () => seeded(Math.floor(next() * 2 ** 32)),
  };
}
