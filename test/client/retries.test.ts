import {
  AbortError,
  type CallOptions,
  type ClientOptions,
  ConnectionError,
  createClient,
  type RetryEvent,
  TimeoutError,
} from '@waybill/client';
import { expect, test, vi } from 'vitest';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { connectionFails, neverResponds, settled, useFakeClock } from './fake-clock.ts';
import { problem } from './problem-response.ts';

const body = shipmentRequest();

const success = (): Response => Response.json({ id: 'ship_1', upload_url: 'http://127.0.0.1:1/u', headers: {} });

/** The waits that `Math.random` chooses from are known at both ends: 0 and 1. */
const [shortest, longest] = [0, 1] as const;

useFakeClock(shortest);

const later = async (milliseconds: number): Promise<never> => {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return connectionFails();
};

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
  const ended = await settled(
    call(createClient({ apiKey: 'wbk_x', fetch, ...options })).then(
      (value) => ({ value, error: undefined }),
      (error) => ({ value: undefined, error }),
    ),
  );
  const waits = times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)));
  return { ...ended, requests, waits, took: Math.round(performance.now() - start) };
}

const create: Call = (client) => client.createShipment(body);
const list: Call = (client) => client.listShipments();

/** Whether a call is sent again: what the service or a proxy returned → as a problem, and as a page of HTML. */
const retried: [status: number, code: string, asProblem: boolean, asHtml: boolean][] = [
  [400, 'invalid_request', false, false],
  [401, 'unauthenticated', false, false],
  [403, 'insufficient_scope', false, false],
  [404, 'not_found', false, false],
  [408, 'request_timeout', true, true],
  [409, 'reference_taken', false, false],
  [409, 'idempotency_in_progress', true, false],
  [410, 'link_expired', false, false],
  [413, 'payload_too_large', false, false],
  [415, 'unsupported_media_type', false, false],
  [422, 'idempotency_key_reused', false, false],
  [429, 'rate_limited', true, true],
  [500, 'internal_error', true, true],
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
  const changing = { ...body, notes: body.notes };
  const unavailable = () => {
    changing.notes = 'changed after the call';
    return problem(503, 'unavailable');
  };
  const { requests } = await perform(
    (client) => client.createShipment(changing),
    [connectionFails, unavailable, success],
  );
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

test('with idempotencyKey null a POST has no key and is sent once', async () => {
  const call: Call = (client) => client.createShipment(body, { idempotencyKey: null, maxRetries: 5 });
  const { error, requests } = await perform(call, [connectionFails]);
  expect(error).toMatchObject({ idempotencyKey: null, attempts: 1 });
  expect(requests.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual([null]);
});

test.for<[name: string, attempts: number, client: Partial<ClientOptions>, call: CallOptions]>([
  // The longest pauses are 0.25, 0.5, 1, 2, 4, 4 … seconds.
  ['no option', 11, {}, {}],
  ['timeout 3,700 for the client', 4, { timeout: 3_700 }, {}],
  ['timeout 3,800 for the call', 5, { timeout: 3_700 }, { timeout: 3_800 }],
  ['maxRetries 0 for the client', 1, { maxRetries: 0 }, {}],
  ['maxRetries 4 for the client', 5, { maxRetries: 4 }, {}],
  ['maxRetries 1 for the call', 2, { maxRetries: 4 }, { maxRetries: 1 }],
])('with %s a call makes %i attempts and throws the last error', async ([, attempts, options, call]) => {
  vi.mocked(Math.random).mockReturnValue(longest);
  const responses = Array.from({ length: 20 }, (_, n) => () => problem(503, `n${n + 1}`));
  const { error, requests } = await perform((client) => client.createShipment(body, call), responses, options);
  expect(requests).toHaveLength(attempts);
  expect(error).toMatchObject({ code: `n${attempts}`, attempts });
});

test.for([
  ['least', shortest, [0, 0, 0, 0, 0, 0]],
  ['most', longest, [250, 500, 1000, 2000, 4000, 4000]],
] as const)('the delays before retries double up to a maximum: at %s', async ([, random, expected]) => {
  vi.mocked(Math.random).mockReturnValue(random);
  const { waits } = await perform(list, [() => problem(503, 'unavailable')], { maxRetries: 6 });
  expect(waits).toEqual(expected);
});

test.for<[name: string, responses: Respond[], attempts: number, took: number]>([
  ['fails at once', [connectionFails], 3, 750],
  ['fails after 2 seconds', [() => later(2_000)], 2, 4_250],
  ['fails after a response', [() => problem(503, 'unavailable'), connectionFails], 11, 27_750],
])('a connection that %s is retried', async ([, responses, attempts, took]) => {
  vi.mocked(Math.random).mockReturnValue(longest);
  const result = await perform(create, responses);
  expect(result).toMatchObject({ error: { name: 'ConnectionError', attempts }, took });
});

test('a service that has responded once is looked for until the timeout', async () => {
  vi.mocked(Math.random).mockReturnValue(longest);
  const twice: Call = async (client) => {
    await client.listShipments();
    return client.listShipments();
  };
  const { error } = await perform(twice, [success, connectionFails]);
  expect(error).toMatchObject({ message: 'listShipments: the connection failed (fetch failed), attempt 11' });
});

test.for([
  ['0', 250],
  ['2', 2250],
  ['Tue, 03 Mar 2026 00:00:07 GMT', 7250],
  ['Mon, 02 Mar 2026 23:00:00 GMT', 250],
  ['soon', 250],
] as const)('with Retry-After: %s the first retry is sent after at most %i ms', async ([value, wait]) => {
  vi.mocked(Math.random).mockReturnValue(longest);
  for (const status of [429, 503]) {
    vi.setSystemTime(Date.UTC(2026, 2, 3));
    const { waits } = await perform(create, [() => problem(status, 'x', { 'Retry-After': value }), success]);
    expect(waits).toEqual([wait]);
  }
});

test('a call with a Retry-After beyond the timeout fails at once', async () => {
  const { error, requests, took } = await perform(list, [() => problem(429, 'x', { 'Retry-After': '60' })]);
  expect(error.retryAfter).toBe(60_000);
  expect([requests.length, took]).toEqual([1, 0]);
});

test.for<[name: string, call: Call, options: Partial<ClientOptions>, attempts: number, took: number]>([
  ['by default a third of the time', create, {}, 3, 30_000],
  ['a third of a shorter time', create, { timeout: 900 }, 3, 900],
  ['attemptTimeout', create, { timeout: 1_000, attemptTimeout: 250 }, 4, 1_000],
  ['at most the time left', create, { timeout: 1_000, attemptTimeout: 600 }, 2, 1_000],
  ['for a file all the time', (client) => client.getProofFile({ url: 'http://files/1' }), {}, 1, 30_000],
])('an attempt without a response ends after its part of the time: %s', async ([, call, options, attempts, took]) => {
  const result = await perform(call, [neverResponds], options);
  expect(result.error).toBeInstanceOf(TimeoutError);
  expect(result.error).toBeInstanceOf(ConnectionError);
  expect(result).toMatchObject({ error: { attempts }, took });
});

test.for<[message: string, client: Partial<ClientOptions>, call: CallOptions]>([
  ['the timeout of 3000 ms, attempt 4', { timeout: 3_000, attemptTimeout: 800 }, {}],
  ['the attemptTimeout of 667 ms, attempt 2', { timeout: 2_000, maxRetries: 1 }, {}],
  ['the attemptTimeout of 50 ms', { attemptTimeout: 100, maxRetries: 0 }, { attemptTimeout: 50 }],
])('a TimeoutError names the time that was over: %s', async ([message, options, call]) => {
  const { error } = await perform((client) => client.createShipment(body, call), [neverResponds], options);
  expect(error.message).toBe(`createShipment: no complete response within ${message}`);
});

test('after an attempt without a response the next one succeeds', async () => {
  const call: Call = (client) => client.createShipment(body).withResponse();
  const { error, value, took } = await perform(call, [neverResponds, success]);
  expect(error).toBeUndefined();
  expect(value).toMatchObject({ attempts: 2 });
  expect(took).toBe(10_000);
});

test('an abort ends a delay at once and rejects with its reason as the cause', async () => {
  const reason = new Error('enough');
  const abort = new AbortController();
  setTimeout(() => abort.abort(reason), 50);
  const call: Call = (client) => client.createShipment(body, { signal: abort.signal });
  const { error, requests, took } = await perform(call, [() => problem(503, 'x', { 'Retry-After': '20' })]);
  expect(error).toBeInstanceOf(AbortError);
  expect(error).toMatchObject({ cause: reason, attempts: 1, idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect([requests.length, took]).toEqual([1, 50]);
});

test('onRetry receives the error and the delay', async () => {
  vi.mocked(Math.random).mockReturnValue(longest);
  const events: RetryEvent[] = [];
  await perform(create, [connectionFails, () => problem(503, 'unavailable', { 'Retry-After': '1' }), success], {
    onRetry: (event) => events.push(event),
  });
  expect(events).toMatchObject([
    { operation: 'createShipment', attempt: 1, delay: 250, error: { name: 'ConnectionError' } },
    { operation: 'createShipment', attempt: 2, delay: 1500, error: { code: 'unavailable' } },
  ]);
});
