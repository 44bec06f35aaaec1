import { expect, vi } from 'vitest';

/** Requests that keep coming, and how they ended. */
export interface Load extends AsyncDisposable {
  /** The statuses so far; 0 for a request without a response. */
  statuses: number[];
  /** Resolves when every caller has had a response to a request that it sent from now on, and one had this status. */
  sees(status: number): Promise<void>;
}

/** @param send sends one request; it is called again and again by so many callers at once */
export function startLoad(callers: number, send: () => Promise<{ status: number }>): Load {
  const statuses: number[] = [];
  const sent = Array.from({ length: callers }, () => 0);
  let isOver = false;
  const loops = sent.map(async (_, caller) => {
    while (!isOver) {
      statuses.push((await send().catch(() => ({ status: 0 }))).status);
      sent[caller] = (sent[caller] ?? 0) + 1;
    }
  });
  return {
    statuses,
    async sees(status) {
      const before = [...sent];
      const from = statuses.length;
      await vi.waitFor(
        () => {
          // The first response may belong to a request that was sent earlier.
          const waiting = sent.filter((count, caller) => count < (before[caller] ?? 0) + 2);
          expect(waiting, 'callers without a response').toEqual([]);
          expect(statuses.slice(from)).toContain(status);
        },
        { timeout: 60_000, interval: 5 },
      );
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}
