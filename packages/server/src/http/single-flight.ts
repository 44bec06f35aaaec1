/**
 * Makes all callers share one run of a function: those that come while it runs, and those that come within `time`
 * milliseconds after it, also when it failed.
 */
export function singleFlight<Result>(run: () => Promise<Result>, time: number): () => Promise<Result> {
  let latest: Promise<Result> | undefined;
  let until = 0;
  return () => {
    if (latest && performance.now() < until) return latest;
    const result = run();
    const note = (): void => {
      until = performance.now() + time;
    };
    latest = result;
    until = Number.POSITIVE_INFINITY;
    result.then(note, note);
    return result;
  };
}
