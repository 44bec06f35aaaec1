import { setTimeout } from 'node:timers/promises';

export type Probe = ReturnType<typeof startProbe>;

const callers = 4;
/** Between two requests of a caller, in milliseconds. */
const pause = 10;

/** Sends requests without retries until disposal, to measure when the service returns which status. */
export function startProbe(url: string, apiKey: string) {
  const listeners = new Set<(sent: number, status: number) => void>();
  const stop = new AbortController();
  const init = { headers: { authorization: `Bearer ${apiKey}` }, signal: stop.signal };
  const send = async (): Promise<number> => {
    const response = await fetch(url, init);
    await response.arrayBuffer();
    return response.status;
  };
  const loops = Array.from({ length: callers }, async () => {
    while (!stop.signal.aborted) {
      const sent = performance.now();
      const status = await send().catch(() => 0);
      for (const listener of listeners) listener(sent, status);
      await setTimeout(pause);
    }
  });
  const counts = { sent: 0, failed: 0 };
  listeners.add((_, status) => {
    counts.sent++;
    if (status !== 200) counts.failed++;
  });
  return {
    /** The number of requests so far, and of those that had another status than 200, or no response. */
    counts: () => ({ ...counts }),
    /** Milliseconds from now to the first response with this status. A 200 counts only if its request was sent after now. */
    next(status: number): Promise<number> {
      const start = performance.now();
      return new Promise((resolve) => {
        const listener = (sent: number, seen: number): void => {
          if (seen !== status || (status === 200 && sent < start)) return;
          listeners.delete(listener);
          resolve(Math.round(performance.now() - start));
        };
        listeners.add(listener);
      });
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(loops);
    },
  };
}
