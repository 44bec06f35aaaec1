/** Sends requests without retries, to measure when the service returns which status. */
export interface Probe extends AsyncDisposable {
  /** Milliseconds from now to the first response with this status. A 200 counts only if its request was sent after now. */
  next(status: number): Promise<number>;
}

const callers = 4;
/** Between two requests of a caller, in milliseconds. */
const pause = 10;

/** @param send sends a request and returns the status of its response */
export function startProbe(send: () => Promise<number>): Probe {
  const listeners = new Set<(sent: number, status: number) => void>();
  let isStopped = false;
  const loops = Array.from({ length: callers }, async () => {
    while (!isStopped) {
      const sent = performance.now();
      const status = await send().catch(() => 0);
      for (const listener of listeners) listener(sent, status);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  });
  return {
    next(status) {
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
      isStopped = true;
      await Promise.all(loops);
    },
  };
}
