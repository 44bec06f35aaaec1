import { onTestFinished, vi } from 'vitest';

/** Stops the clock of this process for one test, so that only the test puts it forward; PostgreSQL has its own. */
export function clock(): { forward(milliseconds: number): void } {
  const now = performance.now();
  let offset = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now + offset);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    spy.mockRestore();
    vi.useRealTimers();
  });
  return {
    forward(milliseconds) {
      offset += milliseconds;
      vi.setSystemTime(Date.now() + milliseconds);
    },
  };
}
