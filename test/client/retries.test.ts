import {
  AbortError,
  type CallOptions,
  type Client,
  type ClientOptions,
  ConnectionError,
  type RetryEvent,
  TimeoutError,
} from '@waybill/client';
import { expect, test, vi } from 'vitest';
import { shipmentRequest } from '../fixtures/shipments.ts';
import * as fake from './fake-clock.ts';
import { connectionFails, later, neverResponds, problem, type Respond } from './fake-clock.ts';

fake.useFakeClock();

type Call = (client: Client) => Promise<unknown>;

const body = shipmentRequest();
const success = () => Response.json({ id: 'ship_1', data: [] });
const unavailable = () => problem(503, 'unavailable');

/** Performs a call whose attempts get these responses, the last one again and again, on the fake clock. */
async function perform(call: Call, responses: Respond[], options: ClientOptions = {}) {
  const { client, requests, times } = fake.scripted(responses, responses.at(-1) ?? success, options);
  const start = performance.now();
  const ended = await fake.settled(call(client));
  const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const keys = requests.map(({ headers }) => headers.get('Idempotency-Key'));
  return { ...ended, requests, keys, waits, took: Math.round(performance.now() - start) };
}

const createWith =
  (options: CallOptions): Call =>
  (client) =>
    client.createShipment(body, options);
const create = createWith({});
const list: Call = (client) => client.listShipments();

/** Whether a call is sent again: what the service or a proxy returned → as a problem, and as a page of HTML. */
test.for<[status: number, code: string, asProblem: boolean, asHtml: boolean]>([
  [400, 'invalid_request', false, false],
  [401, 'unauthenticated', false, false],
  [404, 'not_found', false, false],
  [408, 'request_timeout', true, true],
  [409, 'reference_taken', false, false],
  [409, 'idempotency_in_progress', true, false],
  [422, 'idempotency_key_reused', false, false],
  [429, 'rate_limited', true, true],
  [500, 'internal_error', true, true],
  [504, 'gateway_timeout', true, true],
])('%i %s is retried (as a problem: %s, as HTML: %s)', async ([status, code, asProblem, asHtml]) => {
  for (const call of [create, list]) {
    for (const [response, isRetried] of [
      [() => problem(status, code), asProblem],
      [() => new Response('<html></html>', { status }), asHtml],
    ] as const) {
      const { error, requests } = await perform(call, [response, success]);
      expect([requests.length, error?.status]).toEqual(isRetried ? [2, undefined] : [1, status]);
    }
  }
});

test('a POST is retried with the body of the call, and not without a key', async () => {
  const changing = { ...body };
  const change = () => {
    changing.notes = 'changed after the call';
    return unavailable();
  };
  const { requests } = await perform((client) => client.createShipment(changing), [connectionFails, change, success]);
  for (const request of requests) expect(await request.json()).toEqual(body);
  expect((await perform(list, [connectionFails, success])).keys).toEqual([null, null]);
  const without: Call = (client) => client.createShipment(body, { idempotencyKey: null, maxRetries: 5 });
  const { error, keys } = await perform(without, [connectionFails]);
  expect([error, keys]).toMatchObject([{ idempotencyKey: null, attempts: 1 }, [null]]);
});

test.for<[name: string, attempts: number, client: ClientOptions, call: CallOptions]>([
  // The longest pauses are 0.25, 0.5, 1, 2, 4, 4 … seconds.
  ['no option', 11, {}, {}],
  ['timeout 3,700 for the client', 4, { timeout: 3_700 }, {}],
  ['timeout 3,800 for the call', 5, { timeout: 3_700 }, { timeout: 3_800 }],
  ['maxRetries 0 for the client', 1, { maxRetries: 0 }, {}],
  ['maxRetries 1 for the call', 2, { maxRetries: 4 }, { maxRetries: 1 }],
])('with %s a call makes %i attempts and throws the last error', async ([, attempts, options, call]) => {
  const responses = Array.from({ length: 20 }, (_, n) => () => problem(503, `n${n + 1}`));
  const { error, requests } = await perform(createWith(call), responses, options);
  expect(requests).toHaveLength(attempts);
  expect(error).toMatchObject({ code: `n${attempts}`, attempts });
});

test.for([
  ['least', 0, [0, 0, 0, 0, 0, 0]],
  ['most', 1, [250, 500, 1000, 2000, 4000, 4000]],
] as const)('the delays before retries double up to a maximum: at %s', async ([, random, expected]) => {
  vi.mocked(Math.random).mockReturnValue(random);
  expect((await perform(list, [unavailable], { maxRetries: 6 })).waits).toEqual(expected);
});

test.for<[name: string, responses: Respond[], attempts: number, took: number]>([
  ['fails at once', [connectionFails], 3, 750],
  ['fails after 2 seconds', [later(2_000, connectionFails)], 2, 4_250],
  ['fails after a response', [unavailable, connectionFails], 11, 27_750],
])('a connection that %s is retried', async ([, responses, attempts, took]) => {
  const result = await perform(create, responses);
  expect(result).toMatchObject({ error: { name: 'ConnectionError', attempts }, took });
});

test.for([
  ['0', 250],
  ['2', 2250],
  ['Tue, 03 Mar 2026 00:00:07 GMT', 7250],
  ['Mon, 02 Mar 2026 23:00:00 GMT', 250],
  ['soon', 250],
] as const)('with Retry-After: %s the first retry is sent after at most %i ms', async ([value, wait]) => {
  const limited = () => problem(429, 'x', { 'Retry-After': value });
  expect((await perform(create, [limited, success])).waits).toEqual([wait]);
});

const file: Call = (client) => client.getProofFile({ url: 'http://files/1' });
test.for<[limit: string, call: Call, options: ClientOptions, attempts: number, took: number]>([
  // A third of the time by default; the last attempt has what is left.
  ['timeout of 30000 ms, attempt 3', create, {}, 3, 30_000],
  ['timeout of 900 ms, attempt 3', create, { timeout: 900 }, 3, 900],
  ['timeout of 1000 ms, attempt 4', create, { timeout: 1_000, attemptTimeout: 250 }, 4, 1_000],
  ['attemptTimeout of 1000 ms, attempt 2', create, { timeout: 3_000, maxRetries: 1 }, 2, 2_000],
  ['attemptTimeout of 50 ms', createWith({ attemptTimeout: 50 }), { attemptTimeout: 100, maxRetries: 0 }, 1, 50],
  ['timeout of 30000 ms', file, {}, 1, 30_000],
])('without a response a call ends after its time, which the error names: %s', async ([limit, call, ...given]) => {
  vi.mocked(Math.random).mockReturnValue(0);
  const [options, attempts, took] = given;
  const result = await perform(call, [neverResponds], options);
  expect(result.error).toBeInstanceOf(TimeoutError);
  expect(result.error).toBeInstanceOf(ConnectionError);
  expect(result).toMatchObject({ error: { attempts }, took });
  expect(result.error?.message).toMatch(new RegExp(`: no complete response within the ${limit}$`));
});

test('an abort ends a delay at once and rejects with its reason as the cause', async () => {
  const cause = new Error('enough');
  const abort = new AbortController();
  setTimeout(() => abort.abort(cause), 50);
  const call = createWith({ signal: abort.signal });
  const { error, keys, took } = await perform(call, [() => problem(503, 'x', { 'Retry-After': '20' })]);
  expect(error).toBeInstanceOf(AbortError);
  expect([keys, took]).toEqual([[expect.any(String)], 50]);
  expect(error).toMatchObject({ cause, attempts: 1, idempotencyKey: keys[0] });
});

test('onRetry receives the error and the delay', async () => {
  const onRetry = vi.fn<(event: RetryEvent) => void>();
  const overloaded = () => problem(503, 'unavailable', { 'Retry-After': '1' });
  await perform(create, [connectionFails, overloaded, success], { onRetry });
  expect(onRetry.mock.calls).toMatchObject([
    [{ operation: 'createShipment', attempt: 1, delay: 250, error: { name: 'ConnectionError' } }],
    [{ operation: 'createShipment', attempt: 2, delay: 1500, error: { code: 'unavailable' } }],
  ]);
});
