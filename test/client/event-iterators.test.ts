import { AbortError, type CallOptions, type ClientOptions, createClient, type EventsParams } from '@waybill/client';
import { describe, expect, test, vi } from 'vitest';
import { connectionFails, neverResponds, nextId, useFakeClock } from './fake-clock.ts';
import { problem } from './problem-response.ts';

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

const eventText = (id: string): string => `id: ${id}\nevent: e\ndata: ${JSON.stringify({ id })}\n\n`;

/** A stream of these parts. After them it ends, fails, or stays open. */
function stream(parts: (string | Uint8Array)[], end: 'ends' | 'fails' | 'stays open' = 'ends') {
  const cancelled = vi.fn();
  const respond: Respond = () => {
    const queue = [...parts];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = queue.shift();
        if (part !== undefined) controller.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part);
        else if (end === 'ends') controller.close();
        else if (end === 'fails') controller.error(new TypeError('terminated'));
      },
      cancel: cancelled,
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
  };
  return Object.assign(respond, { cancelled });
}

type Method = 'followEvents' | 'streamEvents';

/** Iterates over events, for which the service returns these responses, and none to further requests. */
function follow(
  method: Method,
  responses: Respond[],
  params?: EventsParams,
  options?: CallOptions,
  settings?: ClientOptions,
) {
  const start = performance.now();
  const requests: { query: Record<string, string>; last: string | undefined; at: number }[] = [];
  const fetch = async ({ url, headers }: Request) => {
    const query = Object.fromEntries(new URL(url).searchParams);
    const last = headers.get('Last-Event-ID') ?? undefined;
    requests.push({ query, last, at: Math.round(performance.now() - start) });
    return (responses[requests.length - 1] ?? neverResponds)();
  };
  const client = createClient({ apiKey: 'wbk_x', fetch, ...settings });
  const events = client[method](params as object, options);
  const next = () => nextId(events);
  /** The last event of each request. */
  const afters = () => requests.map(({ query, last }) => last ?? query.after);
  return { next, requests, afters, events };
}

/** Each transport: its method, its operation, a response with events, and one that waits for an event. */
const transports: [method: Method, operation: string, events: (...ids: string[]) => Respond, waiting: Respond][] = [
  ['followEvents', 'listEvents', (...ids) => page(ids), neverResponds],
  ['streamEvents', 'streamEvents', (...ids) => stream(ids.map(eventText)), stream([], 'stays open')],
];

describe.each(transports)('%s', (method, operation, events, waiting) => {
  // retries.test.ts has every response that is retried.
  test.for<[name: string, failure: Respond]>([
    ['a failed connection', connectionFails],
    ['503', () => problem(503, 'unavailable')],
    ['a body that fails', stream([], 'fails')],
  ])(
    'survives %s for an hour, also with a short timeout, with exponential backoff from the last event on',
    async ([, failure]) => {
      const failures = Array<Respond>(3_600_000 / 4_000).fill(failure);
      const settings = { timeout: 1_000, maxRetries: 0 };
      const given = follow(method, [events('evt_1'), ...failures, events('evt_2')], {}, {}, settings);
      expect([await given.next(), await given.next()]).toEqual(['evt_1', 'evt_2']);
      expect(new Set(given.afters().slice(1))).toEqual(new Set(['evt_1']));
      const [, start = 0, ...times] = given.requests.map(({ at }) => at);
      const pauses = times.slice(0, 6).map((at, index) => at - (times[index - 1] ?? start));
      expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 4000]);
    },
  );

  test('waits for a Retry-After that is longer than the timeout of the client', async () => {
    const overloaded = () => problem(503, 'unavailable', { 'Retry-After': '60' });
    const { next, requests } = follow(method, [overloaded, events('evt_1')], {}, {}, { timeout: 1_000 });
    expect(await next()).toBe('evt_1');
    expect(requests[1]?.at).toBe(60_250);
  });

  test.for([
    [400, 'invalid_request'],
    [401, 'unauthenticated'],
    [403, 'insufficient_scope'],
    [410, 'events_expired'],
  ] as const)('ends with the error %i %s', async ([status, code]) => {
    const { next, requests, events: iterator } = follow(method, [events('evt_1'), () => problem(status, code)]);
    expect(await next()).toBe('evt_1');
    expect(await next()).toMatchObject({ name: 'WaybillError', status, code, operation });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(requests).toHaveLength(2);
  });

  test.for<[when: string, response: Respond]>([
    ['while it waits for a response', neverResponds],
    ['while it waits for an event', waiting],
    ['before a retry', connectionFails],
    ['between two requests', method === 'followEvents' ? page([], { next: null }) : stream(['retry: 1500\n\n'])],
  ])('rejects with an AbortError when the caller aborts %s', async ([, response]) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 100);
    const { next, requests } = follow(method, [response], {}, { signal: controller.signal });
    const error = await next();
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ cause: reason, operation });
    expect(requests).toHaveLength(1);
  });

  test('yields no further event after the caller aborts', async () => {
    const controller = new AbortController();
    const { next } = follow(method, [events('evt_1', 'evt_2')], {}, { signal: controller.signal });
    expect(await next()).toBe('evt_1');
    controller.abort();
    expect(await next()).toBeInstanceOf(AbortError);
  });

  test('sends no request before the first event is needed, and none after the loop ends', async () => {
    const { events: iterator, requests } = follow(method, [events('evt_1', 'evt_2')]);
    expect(requests).toHaveLength(0);
    for await (const { id } of iterator) {
      expect(id).toBe('evt_1');
      break;
    }
    expect(requests).toHaveLength(1);
  });

  test('refuses unknown arguments', async () => {
    expect(await follow(method, [], { type: 'shipment.created' } as object).next()).toBeInstanceOf(TypeError);
    const unknown =
      method === 'streamEvents' ? follow(method, [], { limit: 1 }) : follow(method, [], {}, { timeout: 1 });
    expect(await unknown.next()).toBeInstanceOf(TypeError);
  });
});

test('followEvents continues after the last event of a page, and waits only when there are no more events', async () => {
  const { next, requests } = follow('followEvents', [
    page(['evt_1', 'evt_2'], { more: true }),
    page(['evt_3']),
    page(['evt_4']),
  ]);
  expect([await next(), await next(), await next(), await next()]).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
  expect(requests).toMatchObject([
    { query: { wait: '20' }, at: 0 },
    { query: { after: 'evt_2' }, at: 0 },
    { query: { after: 'evt_3', wait: '20' }, at: 0 },
  ]);
  expect(requests[1]?.query).not.toHaveProperty('wait');
});

test('followEvents sends after, types, limit and wait of the caller', async () => {
  const types = ['shipment.created', 'shipment.cancelled'] as const;
  const { next, requests } = follow('followEvents', [page(['evt_2'])], { after: 'evt_1', types, limit: 7, wait: 5 });
  await next();
  const query = { after: 'evt_1', types: 'shipment.created,shipment.cancelled', limit: '7', wait: '5' };
  expect(requests[0]?.query).toEqual(query);
  const stored = follow('followEvents', [page(['evt_1'])], { after: null });
  await stored.next();
  expect(stored.requests[0]?.query).toEqual({ wait: '20' });
});

test('followEvents with types moves past events of other types without a pause', async () => {
  const { next, requests } = follow(
    'followEvents',
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
  const responses = [none, later(300, none), later(20_000, none), page(['evt_2'])];
  const { next, requests } = follow('followEvents', responses, { after: 'evt_1' });
  expect(await next()).toBe('evt_2');
  expect(requests.map(({ at }) => at)).toEqual([0, 1_000, 2_000, 22_000]);
});

test.for<[settings: ClientOptions, method: Method, wait: number | undefined, milliseconds: number]>([
  [{}, 'followEvents', undefined, 30_000],
  [{}, 'followEvents', 30, 40_000],
  [{ timeout: 3_000 }, 'followEvents', 30, 31_000],
  [{ attemptTimeout: 2_000 }, 'followEvents', 0, 2_000],
  [{ attemptTimeout: 2_000 }, 'streamEvents', undefined, 2_000],
])(
  'with the client options %j, %s and wait %s repeat a request after %i ms without a response',
  async ([settings, method, wait, milliseconds]) => {
    const params = wait === undefined ? {} : { wait };
    const response = method === 'followEvents' ? page(['evt_1']) : stream([eventText('evt_1')]);
    const { next, requests } = follow(method, [neverResponds, response], params, {}, settings);
    expect(await next()).toBe('evt_1');
    expect(requests[1]?.at).toBe(milliseconds + 250);
  },
);

test('streamEvents reconnects after the time of retry, with the last id, when a stream ends', async () => {
  const first = stream(['retry: 1500\n\n', eventText('evt_1'), eventText('evt_2'), ': heartbeat\n\n']);
  const { next, requests } = follow('streamEvents', [first, stream([eventText('evt_3')])], { after: 'evt_0' });
  expect([await next(), await next(), await next()]).toEqual(['evt_1', 'evt_2', 'evt_3']);
  expect(requests).toEqual([
    { query: { after: 'evt_0' }, last: undefined, at: 0 },
    { query: { after: 'evt_0' }, last: 'evt_2', at: 1500 },
  ]);
});

test('streamEvents continues after a position without an event', async () => {
  const responses = [stream([eventText('evt_1'), 'id: evt_7\n\n']), stream([eventText('evt_8')])];
  const { next, requests } = follow('streamEvents', responses, { types: ['shipment.created', 'shipment.cancelled'] });
  expect([await next(), await next()]).toEqual(['evt_1', 'evt_8']);
  expect(requests[1]).toMatchObject({ query: { types: 'shipment.created,shipment.cancelled' }, last: 'evt_7' });
});

test.for([
  ['one byte at a time', (text: string) => [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte))],
  ['with CRLF', (text: string) => [text.replaceAll('\n', '\r\n')]],
  ['with CRLF, one byte at a time', (text: string) => [...text.replaceAll('\n', '\r\n')]],
  ['with CR', (text: string) => [text.replaceAll('\n', '\r'), '\r']],
  ['with a byte order mark', (text: string) => [`\uFEFF${text}`]],
  ['without spaces after the colons', (text: string) => [text.replaceAll(': ', ':')]],
  ['with unknown and empty fields', (text: string) => [`: c\nother: 1\nretry: x\nevent\n${text}`]],
] as const)('streamEvents parses events %s', async ([, split]) => {
  const { next } = follow('streamEvents', [stream(split(eventText('evt_1') + eventText('evt_é')))]);
  expect([await next(), await next()]).toEqual(['evt_1', 'evt_é']);
});

test('an event whose end has not arrived is not yielded, and read again', async () => {
  const half = eventText('evt_2').slice(0, -1);
  const responses = [stream([eventText('evt_1'), half], 'fails'), stream([eventText('evt_2')])];
  const { next, afters } = follow('streamEvents', responses);
  expect([await next(), await next()]).toEqual(['evt_1', 'evt_2']);
  expect(afters()[1]).toBe('evt_1');
});

test('streamEvents reconnects when nothing has arrived for 45 seconds', async () => {
  const silent = stream([eventText('evt_1')], 'stays open');
  const { next, requests } = follow('streamEvents', [silent, stream([eventText('evt_2')])]);
  expect([await next(), await next()]).toEqual(['evt_1', 'evt_2']);
  expect(requests[1]).toMatchObject({ last: 'evt_1', at: 45_250 });
  expect(silent.cancelled).toHaveBeenCalled();
});

test('streamEvents rejects a 200 that is no stream', async () => {
  const { next } = follow('streamEvents', [() => Response.json({ data: [] })]);
  expect(await next()).toMatchObject({ name: 'UnexpectedResponseError', operation: 'streamEvents' });
});

test('the end of the loop closes the stream', async () => {
  const open = stream([eventText('evt_1')], 'stays open');
  for await (const _ of follow('streamEvents', [open]).events) break;
  expect(open.cancelled).toHaveBeenCalledOnce();
});
