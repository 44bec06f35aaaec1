import fc from 'fast-check';

export type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T;

export function drawing(seed: number): Draw {
  const [generator] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  return (arbitrary) => (generator as NonNullable<typeof generator>)(() => arbitrary);
}

/** What a value depends on besides its schema. */
export interface Given {
  draw: Draw;
  /** Pointer into the value (`/photos`) → how to make that part; undefined leaves an optional field out. */
  values?: Record<string, () => unknown>;
  /**
   * Every value is at a limit of its schema: for even numbers at the lowest, for odd ones at the highest. All optional
   * fields are left out for 0, and present for other numbers. Without it, values are random.
   */
  nth?: number | undefined;
  isComplete?: boolean;
  /** Whether a path or header can carry a text. A value without it is JSON, which has types. */
  carries?: (text: string) => boolean;
}

export function until<T>(make: () => T, isSuitable: (value: T) => boolean): T {
  for (let tries = 0; tries < 10_000; tries++) {
    const value = make();
    if (isSuitable(value)) return value;
  }
  throw new Error('No suitable value was made');
}
