/** A random number generator, mulberry32; the same seed gives the same numbers. */
export class Random {
  #state: number;

  /** @param seed an integer */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    const state = (this.#state + 0x6d2b79f5) >>> 0;
    this.#state = state;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** True with this probability, from 0 to 1. */
  chance = (probability: number): boolean => this.next() < probability;

  /** From `low` to below `high`. */
  between = (low: number, high: number): number => low + this.next() * (high - low);

  pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[Math.floor(this.next() * items.length)] ?? items[0];

  /** A new generator, for code that runs concurrently. */
  fork = (): Random => new Random(Math.floor(this.next() * 2 ** 32));
}
