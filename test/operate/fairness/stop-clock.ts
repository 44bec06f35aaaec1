import { onTestFinished, vi } from 'vitest';

/** Stops the clocks of the queues for one test, so that only the test puts them forward. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'hrtime'] });
  onTestFinished(() => void vi.useRealTimers());
}
