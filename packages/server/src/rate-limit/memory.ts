import { LRUCache } from 'lru-cache';

/** Seconds of a window, for which the limit applies. */
export const window = 60;

/** Maximum number of counted names. Beyond it, the least recently used one is removed. */
const maxNames = 100_000;

/** The requests counted in a window, and the milliseconds until it ends. */
export interface Count {
  used: number;
  milliseconds: number;
}

/** Adds points to a name and returns its count. */
type AddPoints = (name: string, points: number) => Count;

/** Makes a counter in the memory of this process. Its size is limited, because a client may use many IPv6 networks. */
export function memoryCounter(): AddPoints {
  // `max` would reserve the memory of all names at every start.
  const counts = new LRUCache<string, { used: number; ends: number }>({ maxSize: maxNames, sizeCalculation: () => 1 });
  return (name, points) => {
    const now = Math.floor(performance.now()); // sums of fractions are inexact, and 60 s could become 61
    let count = counts.get(name);
    if (!count || count.ends <= now) {
      count = { used: 0, ends: now + window * 1000 };
      counts.set(name, count);
    }
    count.used = Math.max(0, count.used + points); // a refund may belong to a window that has ended
    return { used: count.used, milliseconds: count.ends - now };
  };
}
