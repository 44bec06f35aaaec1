/** Work of which one run goes on at a time. */
export interface Runs {
  /** Starts a run, unless one goes on. */
  start(): void;
  /** Resolves when no run goes on. */
  ended(): Promise<void>;
}

/** @param run handles its errors */
export function unlessRunning(run: () => Promise<void>): Runs {
  let running: Promise<void> | undefined;
  return {
    start() {
      running ??= run().finally(() => {
        running = undefined;
      });
    },
    ended: async () => running,
  };
}
