/** The longest delay that timers support. */
const maxDelay = 2 ** 31 - 1;

/** Bounds work by a time limit and the caller's signal. */
export interface Deadline {
  /** Aborts when the time is over or the caller aborts. */
  signal: AbortSignal;
  isOver(): boolean;
  /** Waits for work, which rejects as soon as the signal aborts even if the work ignores it. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Releases the timer. */
  end(): void;
}

export function startDeadline(milliseconds: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(
    () => {
      isOver = true;
      controller.abort(new Error(`${milliseconds} ms are over`));
    },
    Math.min(milliseconds, maxDelay),
  );
  const abort = () => controller.abort(caller?.reason);
  if (caller?.aborted) abort();
  caller?.addEventListener('abort', abort, { once: true });
  const { signal } = controller;
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {}); // without a `race` it would be an unhandled rejection
  return {
    signal,
    isOver: () => isOver,
    race: (work) => Promise.race([work, aborted]),
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
    },
  };
}

/** Waits. @returns whether the time is over; false if the signal aborted before */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isOver: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      resolve(isOver);
    };
    const abort = () => end(false);
    const timer = setTimeout(() => end(true), Math.min(milliseconds, maxDelay));
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort);
  });
}
