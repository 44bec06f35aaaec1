/** Requests that are sent without a retry, as fast as they are responded to, to see when the service responds how. */
export interface Probe extends AsyncDisposable {
  /** Milliseconds from now to the first response with this status; a success counts only if it was sent from now on. */
  next(status: number): Promise<number>;
}

const callers = 4;
/** Between two requests of a caller, in milliseconds. */
const pause = 10;

/** @param send sends a request and returns the status of its response */
export function startProbe(send: () => Promise<number>): Probe {
  const waiting = new Set<(sent: number, status: number) => void>();
  let isOver = false;
  const loops = Array.from({ length: callers }, async () => {
    while (!isOver) {
      const sent = performance.now();
      const status = await send().catch(() => 0);
      for (const note of waiting) note(sent, status);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  });
  return {
    next(status) {
      const start = performance.now();
      return new Promise((resolve) => {
        const note = (sent: number, seen: number): void => {
          if (seen !== status || (status === 200 && sent < start)) return;
          waiting.delete(note);
          resolve(Math.round(performance.now() - start));
        };
        waiting.add(note);
      });
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}
