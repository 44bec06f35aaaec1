import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

/** Numbers of a block. Those that are not used when the process ends are lost. */
const blockSize = 256;

/** Takes numbers from the sequence of tracking numbers. No other call returns them. */
export async function takeSequenceNumbers(db: Kysely<Tables>, count: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select nextval('tracking_sequence') as number from generate_series(1, ${count}::integer)`.execute(db);
  return rows.map(({ number }) => number);
}

/**
 * Makes the function that returns the next number of a block, and fetches the next block before this one is used up. It returns
 * a promise only when the next block has not arrived.
 */
export function sequenceNumbers(database: Database): () => number | Promise<number> {
  const numbers: number[] = [];
  let fetching: Promise<void> | undefined;
  const fetchBlock = async (): Promise<void> => {
    try {
      numbers.push(...(await takeSequenceNumbers(database, blockSize)));
    } finally {
      fetching = undefined;
    }
  };
  return function nextNumber(): number | Promise<number> {
    const number = numbers.shift();
    if (numbers.length < blockSize / 2 && !fetching) {
      fetching = fetchBlock();
      fetching.catch(() => {}); // only a caller that waits for the block gets the error
    }
    return number ?? Promise.resolve(fetching).then(nextNumber);
  };
}
