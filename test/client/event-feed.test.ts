import { AbortError, type CallOptions, type ClientOptions, createClient, type EventsParams } from '@waybill/client';
import { expect, test } from 'vitest';
import { connectionFails, neverResponds, nextId, useFakeClock } from './fake-clock.ts';
import { problem } from './problem-response.ts';

const longestPause = 4_000;

useFakeClock(1);

type Respond = () => Response | Promise<Response>;

const page =
  (ids: string[], { next = ids.at(-1) ?? null, more = false }: { next?: string | null; more?: boolean } = {}) =>
  (): Response =>
    Response.json({ data: ids.map((id) => ({ id })), has_more: more, next_after: next });
const later =
  (milliseconds: number, respond: Respond): Respond =>
  async () => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return respond();
  };

/** Iterates over events, for which the service returns these responses, and none to further requests. */
function follow(responses: Respond[], params?: EventsParams, options?: CallOptions, client?: ClientOptions) {
  const start = performance.now();
  const requests: { query: Record<string, string>; at: number }[] = [];
  const fetch = async ({ url }: Request) => {
    requests.push({
      query: Object.fromEntries(new URL(url).searchParams),
      at: Math.round(performance.now() - start),
    });
    return (responses[requests.length - 1] ?? neverResponds)();
  };
  const events = createClient({ apiKey: 'wbk_x', fetch, ...client }).followEvents(params, options);
  const next = () => nextId(events);
  return { next, requests, events };
}

test('followEvents continues after the last event of a page, and waits only when there are no more events', async () => {
  const { next, requests } = follow([page(['evt_1', 'evt_2'], { more: true }), page(['evt_3']), page(['evt_4'])]);
  expect([await next(), await next(), await next(), await next()]).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
  expect(requests).toEqual([
    { query: { wait: '20' }, at: 0 },
    { query: { after: 'evt_2' }, at: 0 },
    { query: { after: 'evt_3', wait: '20' }, at: 0 },
  ]);
});

test('followEvents sends after, types, limit and wait of the caller', async () => {
  const types = ['shipment.created', 'shipment.cancelled'] as const;
  const { next, requests } = follow([page(['evt_2'])], { after: 'evt_1', types, limit: 7, wait: 5 });
  await next();
  expect(requests[0]?.query).toEqual({
    after: 'evt_1',
    types: 'shipment.created,shipment.cancelled',
    limit: '7',
    wait: '5',
  });
  const stored = follow([page(['evt_1'])], { after: null });
  await stored.next();
  expect(stored.requests[0]?.query).toEqual({ wait: '20' });
});

test('followEvents with types moves past events of other types without a pause', async () => {
  const { next, requests } = follow(
    [page([], { next: 'evt_5', more: true }), page([], { next: 'evt_8' }), page(['evt_9'])],
    { after: 'evt_1', types: ['shipment.created'] },
  );
  expect(await next()).toBe('evt_9');
  expect(requests.map(({ query, at }) => [query.after, at])).toEqual([
    ['evt_1', 0],
    ['evt_5', 0],
    ['evt_8', 0],
  ]);
});

test('followEvents sends at most one request per second while the service returns no event', async () => {
  const none = page([], { next: 'evt_1' });
  const { next, requests } = follow([none, later(300, none), later(20_000, none), page(['evt_2'])], { after: 'evt_1' });
  expect(await next()).toBe('evt_2');
  expect(requests.map(({ at }) => at)).toEqual([0, 1_000, 2_000, 22_000]);
});

test.for<[name: string, failure: Respond]>([
  ['a failed connection', connectionFails],
  ['408', () => problem(408, 'request_timeout')],
  ['429', () => problem(429, 'rate_limited')],
  ['500', () => problem(500, 'internal_error')],
  ["a proxy's 502", () => new Response('<html></html>', { status: 502 })],
  ['503', () => problem(503, 'unavailable')],
])('followEvents survives %s for an hour, also with a short timeout of the client', async ([, failure]) => {
  const failures = Array<Respond>(3_600_000 / longestPause).fill(failure);
  const settings = { timeout: 1_000, maxRetries: 0 };
  const { next, requests } = follow([page(['evt_1']), ...failures, page(['evt_2'])], {}, {}, settings);
  expect([await next(), await next()]).toEqual(['evt_1', 'evt_2']);
  expect(requests.slice(1).every(({ query }) => query.after === 'evt_1')).toBe(true);
});

test('followEvents waits for a Retry-After that is longer than the timeout of the client', async () => {
  const overloaded = () => problem(503, 'unavailable', { 'Retry-After': '60' });
  const { next, requests } = follow([overloaded, page(['evt_1'])], {}, {}, { timeout: 1_000 });
  expect(await next()).toBe('evt_1');
  expect(requests[1]?.at).toBe(60_250);
});

test.for<[client: ClientOptions, wait: number | undefined, milliseconds: number]>([
  [{}, undefined, 30_000],
  [{}, 30, 40_000],
  [{ timeout: 3_000 }, 30, 31_000],
  [{ attemptTimeout: 2_000 }, 0, 2_000],
])(
  'with the client options %j and wait %s, followEvents repeats a request after %i ms without a response',
  async ([client, wait, milliseconds]) => {
    const { next, requests } = follow([neverResponds, page(['evt_1'])], { wait }, {}, client);
    expect(await next()).toBe('evt_1');
    expect(requests[1]?.at).toBe(milliseconds + 250);
  },
);

test.for([
  [400, 'invalid_request'],
  [401, 'unauthenticated'],
  [403, 'insufficient_scope'],
  [410, 'events_expired'],
] as const)('followEvents ends with the error %i %s', async ([status, code]) => {
  const { next, requests, events } = follow([page(['evt_1']), () => problem(status, code)]);
  expect(await next()).toBe('evt_1');
  expect(await next()).toMatchObject({ name: 'WaybillError', status, code, operation: 'listEvents' });
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(requests).toHaveLength(2);
});

test.for<[when: string, responses: Respond[]]>([
  ['while it waits for an event', [neverResponds]],
  ['before a retry', [connectionFails]],
  ['between two requests', [page([], { next: null })]],
])('followEvents rejects with an AbortError when the caller aborts %s', async ([, responses]) => {
  const controller = new AbortController();
  const reason = new Error('enough');
  setTimeout(() => controller.abort(reason), 100);
  const { next, requests } = follow(responses, {}, { signal: controller.signal });
  const error = await next();
  expect(error).toBeInstanceOf(AbortError);
  expect(error).toMatchObject({ cause: reason, operation: 'listEvents' });
  expect(requests).toHaveLength(1);
});

test('followEvents yields no further event of a page after the caller aborts', async () => {
  const controller = new AbortController();
  const { next } = follow([page(['evt_1', 'evt_2'])], {}, { signal: controller.signal });
  expect(await next()).toBe('evt_1');
  controller.abort();
  expect(await next()).toBeInstanceOf(AbortError);
});

test('followEvents sends no request before the first event is needed, and none after the loop ends', async () => {
  const { events, requests } = follow([page(['evt_1', 'evt_2'])]);
  expect(requests).toHaveLength(0);
  for await (const { id } of events) {
    expect(id).toBe('evt_1');
    break;
  }
  expect(requests).toHaveLength(1);
});

test('followEvents refuses unknown arguments', async () => {
  // @ts-expect-error it is `types`
  expect(await follow([], { type: 'shipment.created' }).next()).toBeInstanceOf(TypeError);
  expect(await follow([], {}, { timeout: 1_000 }).next()).toBeInstanceOf(TypeError);
});
