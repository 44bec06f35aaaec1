/** Observes a database for metrics, traces and the log. Its functions must not throw. */
export interface DatabaseObserver {
  /** A statement is sent. @returns the function to call when it has ended, with the error if it failed */
  startStatement(text: string): (error?: unknown) => void;
  /** An item starts to wait for a batch. @returns the trace span of its request, which `runBatch` gets */
  callerOf(): unknown;
  /** Runs a batch. @param callers of its items */
  runBatch<Result>(name: string, callers: unknown[], run: () => Promise<Result>): Promise<Result>;
}
