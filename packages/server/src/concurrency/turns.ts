import { setImmediate } from 'node:timers/promises';

/**
 * Makes a wait that ends once in each turn of the event loop, in order. Pieces of work that are long together then delay other
 * requests by one of them.
 */
export function separateTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
