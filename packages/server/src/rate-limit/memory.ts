import { LRUCache } from 'lru-cache';
import { type Count, window } from './count.ts';

/** Names that are counted at a time. Beyond them the one that was unused the longest starts anew. */
const maxNames = 100_000;

/** Adds points to a name and returns its count. */
export type Add = (name: string, points: number) => Count;

/** Counts in the memory of this process. It is bounded, because a caller may have any number of IPv6 networks. */
export function memoryCounter(): Add {
  const counts = new LRUCache<string, { used: number; ends: number }>({ max: maxNames });
  return (name, points) => {
    const now = Math.floor(performance.now()); // sums of fractions would be off by a trace, and 60 s become 61
    let count = counts.get(name);
    if (!count || count.ends <= now) {
      count = { used: 0, ends: now + window * 1000 };
      counts.set(name, count);
    }
    count.used = Math.max(0, count.used + points); // what is given back may belong to a window that has ended
    return { used: count.used, milliseconds: count.ends - now };
  };
}
