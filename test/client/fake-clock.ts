import { afterEach, beforeEach, vi } from 'vitest';

/** Gives each test of the file a clock that only `settled` moves, and the longest of the random pauses before retries. */
export function useFakeClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: Date.UTC(2026, 2, 3) });
    vi.spyOn(Math, 'random').mockReturnValue(1);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

/** Waits for a promise. The clock moves to each timer until then. */
export async function settled<Value>(promise: Promise<Value>): Promise<Value> {
  let isDone = false;
  const ended = promise.finally(() => {
    isDone = true;
  });
  ended.catch(() => {});
  while (!isDone) {
    // What needs no timer ends within a few turns of the event loop.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    if (!isDone) await vi.advanceTimersToNextTimerAsync();
  }
  return ended;
}

/** What a `fetch` does without a network. */
export const connectionFails = (): never => {
  throw new TypeError('fetch failed');
};
/** What a `fetch` does that also ignores its signal. */
export const neverResponds = (): Promise<never> => new Promise(() => {});

/** A response of the service with a problem. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = { title: 'T', status, detail: 'D', instance: '/v1', code, request_id: 'r' };
  return Response.json(body, { status, headers: { 'Content-Type': 'application/problem+json', ...headers } });
}
