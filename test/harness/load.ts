import { expect, vi } from 'vitest';
import { patience } from './patience.ts';

/** Requests that keep coming, and how they ended. */
export interface Load extends AsyncDisposable {
  /** The statuses so far. */
  statuses: number[];
  /** Why requests had no response. */
  errors: string[];
  /** Resolves when every caller has had a response to a request that it sent from now on, and one had this status. */
  sees(status: number): Promise<void>;
  /** Resolves when for a while every response has had this status. */
  settles(status: number): Promise<void>;
}

/** @param send sends one request; it is called again and again by so many callers at once */
export function startLoad(callers: number, send: (caller: number) => Promise<{ status: number }>): Load {
  const statuses: number[] = [];
  const errors: string[] = [];
  const sent = Array.from({ length: callers }, () => 0);
  let isOver = false;
  const loops = sent.map(async (_, caller) => {
    while (!isOver) {
      try {
        statuses.push((await send(caller)).status);
      } catch (error) {
        errors.push(String(error instanceof Error ? (error.cause ?? error) : error));
      }
      sent[caller] = (sent[caller] ?? 0) + 1;
    }
  });
  const sees = async (status: number): Promise<void> => {
    const before = [...sent];
    const from = statuses.length;
    await vi.waitFor(() => {
      // The first response may belong to a request that was sent earlier.
      const waiting = sent.filter((count, caller) => count < (before[caller] ?? 0) + 2);
      expect(waiting, 'callers without a response').toEqual([]);
      expect(statuses.slice(from)).toContain(status);
    }, patience);
  };
  return {
    statuses,
    errors,
    sees,
    settles: (status) =>
      vi.waitFor(async () => {
        const from = statuses.length;
        await sees(status);
        expect(new Set(statuses.slice(from))).toEqual(new Set([status]));
      }, patience),
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}
