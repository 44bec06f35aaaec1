import { type ClientOptions, createClient, type TimeoutError, type WaybillError } from '@waybill/client';
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

type Failure = WaybillError & TimeoutError;

/** The value or the error of a promise. The clock moves to each timer until then. */
export async function settled<Value>(promise: Promise<Value>) {
  let ended: { value?: Value; error?: Failure } | undefined;
  promise.then(
    (value) => (ended = { value }),
    (error: Failure) => (ended = { error }),
  );
  while (!ended) {
    // What needs no timer ends within a few turns of the event loop.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    if (!ended) await vi.advanceTimersToNextTimerAsync();
  }
  return ended;
}

export type Respond = (request: Request) => Response | Promise<Response>;

/** A client that gets these responses, with its requests and their times. */
export function scripted(responses: Respond[], otherwise: Respond, options: ClientOptions) {
  const start = performance.now();
  const requests: Request[] = [];
  const times: number[] = [];
  const fetch = async (request: Request) => {
    times.push(Math.round(performance.now() - start));
    requests.push(request);
    return (responses[requests.length - 1] ?? otherwise)(request);
  };
  return { client: createClient({ apiKey: 'wbk_x', fetch, ...options }), requests, times };
}

export const later = (milliseconds: number, respond: Respond) => async (request: Request) => {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return respond(request);
};

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
