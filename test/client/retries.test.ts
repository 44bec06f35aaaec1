import { type ClientOptions, ConnectionError, createClient } from '@waybill/client';
import { operationTable } from '@waybill/contract/operations';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shipmentRequest } from '../fixtures/shipments.ts';

const body = shipmentRequest();

const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json(
    { type: `/docs/errors/${code}`, title: 'T', status, detail: 'D', instance: '/v1', code, request_id: 'r' },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  );
const success = (): Response => Response.json({ id: 'ship_1', upload_url: 'http://127.0.0.1:1/u', headers: {} });
const connectionFails = (): never => {
  throw new TypeError('fetch failed');
};
const neverResponds = ({ signal }: Request): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** The waits that `Math.random` chooses from are known at both ends: 0 and 1. */
const [shortest, longest] = [0, 1];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: Date.UTC(2026, 2, 3) });
  vi.spyOn(Math, 'random').mockReturnValue(shortest);
  // The platform's own timer does not follow the fake clock.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), milliseconds);
    return controller.signal;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Respond = (request: Request) => Response | Promise<Response>;
type Call = (client: ReturnType<typeof createClient>) => Promise<unknown>;

/** Performs a call whose attempts get these responses, the last one again and again, on the fake clock. */
async function perform(call: Call, responses: Respond[], options: Partial<ClientOptions> = {}) {
  const requests: Request[] = [];
  const times: number[] = [];
  const fetch = async (request: Request) => {
    times.push(performance.now());
    requests.push(request);
    return (responses[requests.length - 1] ?? responses.at(-1) ?? success)(request);
  };
  const start = performance.now();
  let isDone = false;
  const ended = call(createClient({ apiKey: 'wbk_x', fetch, ...options }))
    .then(
      (value) => ({ value, error: undefined }),
      (error) => ({ value: undefined, error }),
    )
    .finally(() => {
      isDone = true;
    });
  while (!isDone) {
    // What needs no timer ends within a few turns of the event loop.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    if (!isDone) await vi.advanceTimersToNextTimerAsync();
  }
  const waits = times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)));
  return { ...(await ended), requests, waits, took: Math.round(performance.now() - start) };
}

const create: Call = (client) => client.createShipment({ body });
const list: Call = (client) => client.listShipments();

/** Whether a call is sent again: what the service or a proxy returned → as a problem, and as a page of HTML. */
const retried: [status: number, code: string, asProblem: boolean, asHtml: boolean][] = [
  [400, 'invalid_request', false, false],
  [401, 'unauthenticated', false, false],
  [403, 'insufficient_scope', false, false],
  [404, 'not_found', false, false],
  [408, 'request_timeout', false, false],
  [409, 'reference_taken', false, false],
  [409, 'idempotency_in_progress', true, false],
  [410, 'link_expired', false, false],
  [413, 'payload_too_large', false, false],
  [415, 'unsupported_media_type', false, false],
  [422, 'idempotency_key_reused', false, false],
  [429, 'rate_limited', true, true],
  [500, 'internal_error', false, false],
  [501, 'not_implemented', false, false],
  [502, 'bad_gateway', true, true],
  [503, 'unavailable', true, true],
  [504, 'gateway_timeout', true, true],
];

test.for(retried)('%i %s is retried (as a problem: %s, as HTML: %s)', async ([status, code, asProblem, asHtml]) => {
  for (const [call, method] of [
    [create, 'POST'],
    [list, 'GET'],
  ] as const) {
    for (const [response, isRetried] of [
      [() => problem(status, code), asProblem],
      [() => new Response('<html></html>', { status }), asHtml],
    ] as const) {
      const { error, requests } = await perform(call, [response, success]);
      expect(requests.map((request) => request.method)).toEqual(isRetried ? [method, method] : [method]);
      if (isRetried) expect(error).toBeUndefined();
      else expect(error).toMatchObject({ status });
    }
  }
});

test('a POST is retried with the same Idempotency-Key and body, a GET without a key', async () => {
  const { requests } = await perform(create, [connectionFails, () => problem(503, 'unavailable'), success]);
  expect(requests).toHaveLength(3);
  const keys = new Set(requests.map(({ headers }) => headers.get('Idempotency-Key')));
  expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  for (const request of requests) expect(await request.json()).toEqual(body);

  const other = await perform(create, [success]);
  expect(keys).not.toContain(other.requests[0]?.headers.get('Idempotency-Key'));
  const read = await perform(list, [connectionFails, success]);
  expect(read.requests.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual([null, null]);
});

test('the PUT of a file is retried with the same URL', async () => {
  const file = new Uint8Array([1]);
  const upload: Call = (client) =>
    client.uploadProofFile({ tracking_number: 'FRT-2026-000001', kind: 'photo', content_type: 'image/png', file });
  const stored = () => new Response(null, { status: 204 });
  const { error, requests } = await perform(upload, [success, connectionFails, stored]);
  expect(error).toBeUndefined();
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'PUT', 'PUT']);
  expect(requests[2]?.url).toBe(requests[1]?.url);
});

test.for(['POST', 'PATCH'])('a %s of an operation without Idempotency-Key is sent once', async (method) => {
  // Every POST of the contract accepts the header, and none is a PATCH: one of them is changed here.
  const operation = operationTable.createShipment as { method: string; headers: readonly string[] };
  const original = { ...operation };
  try {
    Object.assign(operation, { method, headers: [] });
    const { error, requests } = await perform(create, [connectionFails]);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(requests.map((request) => request.method)).toEqual([method]);
    expect(requests[0]?.headers.get('Idempotency-Key')).toBeNull();
  } finally {
    Object.assign(operation, original);
  }
});

test.for<[name: string, attempts: number, client: Partial<ClientOptions>, call: { retries?: number }]>([
  ['no option', 3, {}, {}],
  ['retries 0 for the client', 1, { retries: 0 }, {}],
  ['retries 4 for the client', 5, { retries: 4 }, {}],
  ['retries 1 for the call', 2, { retries: 4 }, { retries: 1 }],
  ['retries 0 for the call', 1, {}, { retries: 0 }],
])('with %s a call makes %i attempts and throws the last error', async ([, attempts, options, call]) => {
  const responses = Array.from({ length: 9 }, (_, n) => () => problem(503, `n${n + 1}`));
  const { error, requests } = await perform((client) => client.createShipment({ body, ...call }), responses, options);
  expect(requests).toHaveLength(attempts);
  expect(error).toMatchObject({ code: `n${attempts}` });
});

test.for([
  ['least', shortest, [125, 250, 500, 1000, 2000, 4000, 4000]],
  ['most', longest, [250, 500, 1000, 2000, 4000, 8000, 8000]],
] as const)('the delays before retries double up to a maximum: at %s', async ([, random, expected]) => {
  vi.mocked(Math.random).mockReturnValue(random);
  expect((await perform(list, [connectionFails], { retries: 7 })).waits).toEqual(expected);
});

test.for([
  ['0', 125],
  ['2', 2125],
  ['Tue, 03 Mar 2026 00:00:07 GMT', 7125],
  ['Mon, 02 Mar 2026 23:00:00 GMT', 125],
  ['soon', 125],
] as const)('with Retry-After: %s the first retry is sent after %i ms', async ([value, wait]) => {
  for (const status of [429, 503]) {
    vi.setSystemTime(Date.UTC(2026, 2, 3));
    const { waits } = await perform(create, [() => problem(status, 'x', { 'Retry-After': value }), success]);
    expect(waits).toEqual([wait]);
  }
});

test('Retry-After sets the delay of one attempt, and later delays keep doubling', async () => {
  const responses = [() => problem(503, 'x', { 'Retry-After': '1' }), connectionFails, success];
  expect((await perform(create, responses)).waits).toEqual([1125, 250]);
});

test.for([
  [125, 1, 0],
  [126, 2, 125],
  [1000, 4, 875],
] as const)('with a timeout of %i ms a call makes %i attempts', async ([timeout, attempts, took]) => {
  const result = await perform(list, [() => problem(503, 'unavailable')], { timeout, retries: 9 });
  expect(result.requests).toHaveLength(attempts);
  // A wait that would outlast the time is not begun: the service's error is thrown at once.
  expect(result).toMatchObject({ error: { code: 'unavailable' }, took });
});

test('a call with a Retry-After beyond the timeout fails at once', async () => {
  const { error, requests, took } = await perform(list, [() => problem(429, 'x', { 'Retry-After': '60' })]);
  expect(error.headers.get('Retry-After')).toBe('60');
  expect([requests.length, took]).toEqual([1, 0]);
});

test('the timeout applies to all attempts together', async () => {
  const { error, requests, took } = await perform(create, [() => problem(503, 'x'), neverResponds], { timeout: 1000 });
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toContain('within 1000 ms');
  expect([requests.length, took]).toEqual([2, 1000]);
});

test('an abort ends a delay at once and rejects with its reason', async () => {
  const reason = new Error('enough');
  const abort = new AbortController();
  setTimeout(() => abort.abort(reason), 50);
  const call: Call = (client) => client.createShipment({ body, signal: abort.signal });
  const { error, requests, took } = await perform(call, [() => problem(503, 'x', { 'Retry-After': '20' })]);
  expect(error).toBe(reason);
  expect([requests.length, took]).toEqual([1, 50]);
});
