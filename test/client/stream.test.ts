import { AbortError, type CallOptions, type ClientOptions, createClient, type StreamParams } from '@waybill/client';
import { expect, test, vi } from 'vitest';
import { connectionFails, neverResponds, nextId, useFakeClock } from './fake-clock.ts';
import { problem } from './problem-response.ts';

useFakeClock(1);

type Respond = (signal: AbortSignal) => Response | Promise<Response>;

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

/** Iterates over a stream, for which the service returns these responses, and none to further requests. */
function follow(responses: Respond[], params?: StreamParams, options?: CallOptions, client?: ClientOptions) {
  const start = performance.now();
  const requests: { query: string; lastEventId: string | undefined; at: number }[] = [];
  const fetch = async ({ url, headers, signal }: Request) => {
    const at = Math.round(performance.now() - start);
    requests.push({ query: new URL(url).search, lastEventId: headers.get('Last-Event-ID') ?? undefined, at });
    return (responses[requests.length - 1] ?? neverResponds)(signal);
  };
  const events = createClient({ apiKey: 'wbk_x', fetch, ...client }).streamEvents(params, options);
  const next = () => nextId(events);
  return { next, requests, events };
}

test('streamEvents reconnects after the time of retry, with the last id, when a stream ends', async () => {
  const first = stream(['retry: 1500\n\n', eventText('evt_1'), eventText('evt_2'), ': heartbeat\n\n']);
  const { next, requests } = follow([first, stream([eventText('evt_3')])], { after: 'evt_0' });
  expect([await next(), await next(), await next()]).toEqual(['evt_1', 'evt_2', 'evt_3']);
  expect(requests).toEqual([
    { query: '?after=evt_0', lastEventId: undefined, at: 0 },
    { query: '?after=evt_0', lastEventId: 'evt_2', at: 1500 },
  ]);
});

test('streamEvents continues after a position without an event', async () => {
  const { next, requests } = follow([stream([eventText('evt_1'), 'id: evt_7\n\n']), stream([eventText('evt_8')])], {
    types: ['shipment.created', 'shipment.cancelled'],
  });
  expect([await next(), await next()]).toEqual(['evt_1', 'evt_8']);
  expect(requests[1]).toMatchObject({ query: '?types=shipment.created,shipment.cancelled', lastEventId: 'evt_7' });
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
  const { next } = follow([stream(split(eventText('evt_1') + eventText('evt_é')))]);
  expect([await next(), await next()]).toEqual(['evt_1', 'evt_é']);
});

test('an event whose end has not arrived is not yielded, and read again', async () => {
  const half = eventText('evt_2').slice(0, -1);
  const { next, requests } = follow([stream([eventText('evt_1'), half], 'fails'), stream([eventText('evt_2')])]);
  expect([await next(), await next()]).toEqual(['evt_1', 'evt_2']);
  expect(requests[1]?.lastEventId).toBe('evt_1');
});

test('streamEvents reconnects when nothing has arrived for 45 seconds', async () => {
  const silent = stream([eventText('evt_1')], 'stays open');
  const { next, requests } = follow([silent, stream([eventText('evt_2')])]);
  expect([await next(), await next()]).toEqual(['evt_1', 'evt_2']);
  expect(requests[1]).toMatchObject({ lastEventId: 'evt_1', at: 45_250 });
  expect(silent.cancelled).toHaveBeenCalled();
});

test.for<[name: string, failure: Respond]>([
  ['a failed connection', connectionFails],
  ['429', () => problem(429, 'too_many_streams')],
  ['500', () => problem(500, 'internal_error')],
  ["a proxy's 502", () => new Response('<html></html>', { status: 502 })],
  ['503', () => problem(503, 'unavailable')],
  ['a stream that fails', stream([], 'fails')],
])('streamEvents survives %s, with exponential backoff', async ([, failure]) => {
  const failures = Array<Respond>(7).fill(failure);
  const { next, requests } = follow([stream([eventText('evt_1')]), ...failures, stream([eventText('evt_2')])]);
  expect([await next(), await next()]).toEqual(['evt_1', 'evt_2']);
  const pauses = requests.slice(2).map(({ at }, index) => at - (requests[index + 1]?.at ?? 0));
  expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000]);
  expect(requests.every(({ lastEventId }, index) => (index === 0 ? !lastEventId : lastEventId === 'evt_1'))).toBe(true);
});

test('streamEvents waits for Retry-After', async () => {
  const { next, requests } = follow([
    () => problem(429, 'too_many_streams', { 'Retry-After': '5' }),
    stream([eventText('evt_1')]),
  ]);
  expect(await next()).toBe('evt_1');
  expect(requests[1]?.at).toBe(5250);
});

test('streamEvents sends the request again when no response arrives in the attemptTimeout', async () => {
  const { next, requests } = follow([neverResponds, stream([eventText('evt_1')])], {}, {}, { attemptTimeout: 2000 });
  expect(await next()).toBe('evt_1');
  expect(requests[1]?.at).toBe(2250);
});

test.for([
  [400, 'invalid_request'],
  [401, 'unauthenticated'],
  [403, 'insufficient_scope'],
  [410, 'events_expired'],
] as const)('streamEvents ends with the error %i %s', async ([status, code]) => {
  const { next, requests, events } = follow([stream([eventText('evt_1')]), () => problem(status, code)]);
  expect(await next()).toBe('evt_1');
  expect(await next()).toMatchObject({ name: 'WaybillError', status, code, operation: 'streamEvents' });
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(requests).toHaveLength(2);
});

test('streamEvents rejects a 200 that is no stream', async () => {
  const { next } = follow([() => Response.json({ data: [] })]);
  expect(await next()).toMatchObject({ name: 'UnexpectedResponseError', operation: 'streamEvents' });
});

test.for<[when: string, response: Respond]>([
  ['while it waits for a response', neverResponds],
  ['while it waits for an event', stream([], 'stays open')],
  ['before a retry', connectionFails],
])('streamEvents rejects with an AbortError when the caller aborts %s', async ([, response]) => {
  const controller = new AbortController();
  const reason = new Error('enough');
  setTimeout(() => controller.abort(reason), 100);
  const { next, requests } = follow([response], {}, { signal: controller.signal });
  const error = await next();
  expect(error).toBeInstanceOf(AbortError);
  expect(error).toMatchObject({ cause: reason, operation: 'streamEvents' });
  expect(requests).toHaveLength(1);
});

test('the end of the loop closes the stream', async () => {
  const open = stream([eventText('evt_1')], 'stays open');
  const { events, requests } = follow([open]);
  expect(requests).toHaveLength(0);
  for await (const { id } of events) {
    expect(id).toBe('evt_1');
    break;
  }
  expect(open.cancelled).toHaveBeenCalledOnce();
});

test('streamEvents refuses unknown arguments', async () => {
  // @ts-expect-error it is `types`
  expect(await follow([], { type: 'shipment.created' }).next()).toBeInstanceOf(TypeError);
  // @ts-expect-error a stream has no limit
  expect(await follow([], { limit: 1 }).next()).toBeInstanceOf(TypeError);
});
