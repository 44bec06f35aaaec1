/** Runs a task. */
export type Run = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Makes a function that runs at most so many tasks at a time, in the order of the calls. */
export function limited(maxRunning: number): Run {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next)
        next(); // it takes over the place
      else running--;
    }
  };
}
