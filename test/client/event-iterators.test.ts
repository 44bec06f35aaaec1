import { AbortError, type CallOptions, type ClientOptions, type EventsParams } from '@waybill/client';
import { describe, expect, test, vi } from 'vitest';
import * as fake from './fake-clock.ts';
import { connectionFails, later, neverResponds, problem, type Respond } from './fake-clock.ts';

fake.useFakeClock();

const page =
  (ids: string[], { next = ids.at(-1) ?? null, more = false }: { next?: string | null; more?: boolean } = {}) =>
  (): Response =>
    Response.json({ data: ids.map((id) => ({ id })), has_more: more, next_after: next });
const textOf = (...ids: string[]) => ids.map((id) => `id: ${id}\nevent: e\ndata: {"id":"${id}"}\n\n`).join('');

/** A stream of these parts. After them it ends, fails, or stays open. */
function stream(parts: (string | Uint8Array)[], end: 'ends' | 'fails' | 'stays open' = 'ends') {
  const cancel = vi.fn();
  const respond: Respond = () => {
    const queue = [...parts];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = queue.shift();
        if (part !== undefined) controller.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part);
        else if (end === 'ends') controller.close();
        else if (end === 'fails') controller.error(new TypeError('terminated'));
      },
      cancel,
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
  };
  return Object.assign(respond, { cancel });
}

type Method = 'followEvents' | 'streamEvents';

/** Iterates over events, for which the service returns these responses, and none to further requests. */
function follow(
  method: Method,
  responses: Respond[],
  params: EventsParams = {},
  { settings = {}, ...options }: CallOptions & { settings?: ClientOptions } = {},
) {
  const { client, requests: sent, times } = fake.scripted(responses, neverResponds, settings);
  const events = client[method](params as object, options);
  /** The id of the next event, or the error. */
  const next = async (): Promise<unknown> => {
    const { value, error } = await fake.settled(events.next());
    return error ?? value?.value?.id;
  };
  /** Query and `Last-Event-ID` of each request, with its time. */
  const requests = () =>
    sent.map(({ url, headers }, index) => {
      const last = headers.get('Last-Event-ID');
      return `${decodeURIComponent(new URL(url).search)}${last ? ` last=${last}` : ''} at ${times[index]}`;
    });
  return { next, requests, times, events };
}

/** Each transport: its method, its operation, a response with events, and one that waits for an event. */
const transports: [method: Method, operation: string, events: (...ids: string[]) => Respond, waiting: Respond][] = [
  ['followEvents', 'listEvents', (...ids) => page(ids), neverResponds],
  ['streamEvents', 'streamEvents', (...ids) => stream([textOf(...ids)]), stream([], 'stays open')],
];

describe.each(transports)('%s', (method, operation, events, waiting) => {
  // retries.test.ts has every response that is retried.
  test.for<[name: string, failure: Respond]>([
    ['a failed connection', connectionFails],
    ['503', () => problem(503, 'unavailable')],
    ['a body that fails', stream([], 'fails')],
  ])('survives %s for an hour, also with a short timeout, with exponential backoff', async ([, failure]) => {
    const failures = Array<Respond>(3_600_000 / 4_000).fill(failure);
    const settings = { timeout: 1_000, maxRetries: 0 };
    const given = follow(method, [events('e1'), ...failures, events('e2')], {}, { settings });
    expect([await given.next(), await given.next()]).toEqual(['e1', 'e2']);
    expect(
      given
        .requests()
        .slice(1)
        .filter((request) => !/(after|last)=e1/.test(request)),
    ).toEqual([]);
    const pauses = given.times.slice(2, 8).map((at, index) => at - (given.times[index + 1] ?? 0));
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 4000]);
  });

  test('waits for a Retry-After that is longer than the timeout of the client', async () => {
    const overloaded = () => problem(503, 'unavailable', { 'Retry-After': '60' });
    const { next, times } = follow(method, [overloaded, events('e1')], {}, { settings: { timeout: 1_000 } });
    expect([await next(), times[1]]).toEqual(['e1', 60_250]);
  });

  test('ends with an error that a retry cannot mend', async () => {
    const expired = () => problem(410, 'events_expired');
    const { next, requests, events: iterator } = follow(method, [events('e1'), expired]);
    const error = { name: 'WaybillError', status: 410, code: 'events_expired', operation };
    expect([await next(), await next()]).toMatchObject(['e1', error]);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(requests()).toHaveLength(2);
  });

  test.for<[when: string, response: Respond]>([
    ['while it waits for a response', neverResponds],
    ['while it waits for an event', waiting],
    ['before a retry', connectionFails],
    ['between two requests', method === 'followEvents' ? page([], { next: null }) : stream(['retry: 1500\n\n'])],
  ])('rejects with an AbortError when the caller aborts %s', async ([, response]) => {
    const controller = new AbortController();
    const cause = new Error('enough');
    setTimeout(() => controller.abort(cause), 100);
    const { next, requests } = follow(method, [response], {}, { signal: controller.signal });
    const error = await next();
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ cause, operation });
    expect(requests()).toHaveLength(1);
  });

  test('sends no request before it starts, yields none after an abort, and sends none after it ends', async () => {
    const controller = new AbortController();
    const aborted = follow(method, [events('e1', 'e2')], {}, { signal: controller.signal });
    expect(aborted.times).toEqual([]);
    expect(await aborted.next()).toBe('e1');
    controller.abort();
    expect(await aborted.next()).toBeInstanceOf(AbortError);
    const ended = follow(method, [events('e1', 'e2')]);
    for await (const _ of ended.events) break;
    expect(ended.times).toHaveLength(1);
  });
});

const types = ['shipment.created', 'shipment.cancelled'] as const;
const sent = '&types=shipment.created,shipment.cancelled';

test('followEvents waits only when there are no more events, and requests at most once per second without any', async () => {
  const none = page([], { next: 'e8' });
  const { next, requests } = follow(
    'followEvents',
    [
      page(['e2', 'e3'], { more: true }),
      page([], { next: 'e5', more: true }), // events of other types
      page([], { next: 'e8' }),
      ...[none, later(300, none), later(20_000, none), page(['e9'])],
    ],
    { after: 'e1', types, limit: 7, wait: 15 },
  );
  expect([await next(), await next(), await next()]).toEqual(['e2', 'e3', 'e9']);
  expect(requests()).toEqual([
    `?after=e1${sent}&limit=7&wait=15 at 0`,
    `?after=e3${sent}&limit=7 at 0`,
    `?after=e5${sent}&limit=7 at 0`,
    ...[0, 1_000, 2_000, 22_000].map((time) => `?after=e8${sent}&limit=7&wait=15 at ${time}`),
  ]);
  const oldest = follow('followEvents', [page(['e1'])], { after: null });
  expect([await oldest.next(), oldest.requests()]).toEqual(['e1', ['?wait=20 at 0']]);
});

test('streamEvents reconnects after the time of retry, with the last id, when a stream ends, fails or is silent', async () => {
  const silent = stream([textOf('e9')], 'stays open');
  const responses = [
    stream(['retry: 1500\n\n', textOf('e1', 'e2'), ': heartbeat\n\n']),
    stream([textOf('e3'), 'id: e7\n\n']), // a position without an event
    stream([textOf('e8', 'e9').slice(0, -1)], 'fails'), // the end of the last event has not arrived
    ...[silent, stream([textOf('e10')])],
  ];
  const { next, requests } = follow('streamEvents', responses, { after: 'e0', types });
  for (const id of ['e1', 'e2', 'e3', 'e8', 'e9', 'e10']) expect(await next()).toBe(id);
  expect(requests()).toEqual([
    `?after=e0${sent} at 0`,
    `?after=e0${sent} last=e2 at 1500`,
    `?after=e0${sent} last=e7 at 3000`,
    `?after=e0${sent} last=e8 at 4500`,
    `?after=e0${sent} last=e9 at 51000`, // after 45 seconds
  ]);
  expect(silent.cancel).toHaveBeenCalled();
});

test.for<[client: ClientOptions, method: Method, params: EventsParams, milliseconds: number]>([
  [{}, 'followEvents', {}, 30_000],
  [{}, 'followEvents', { wait: 30 }, 40_000],
  [{ timeout: 3_000 }, 'followEvents', { wait: 30 }, 31_000],
  [{ attemptTimeout: 2_000 }, 'followEvents', { wait: 0 }, 2_000],
  [{ attemptTimeout: 2_000 }, 'streamEvents', {}, 2_000],
])('with %j, %s(%j) repeats a request after %i ms without a response', async ([settings, method, params, time]) => {
  const response = method === 'followEvents' ? page(['e1']) : stream([textOf('e1')]);
  const { next, times } = follow(method, [neverResponds, response], params, { settings });
  expect([await next(), times[1]]).toEqual(['e1', time + 250]);
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
  const { next } = follow('streamEvents', [stream(split(textOf('e1', 'é')))]);
  expect([await next(), await next()]).toEqual(['e1', 'é']);
});

test('the end of the loop closes the stream', async () => {
  const open = stream([textOf('e1')], 'stays open');
  for await (const _ of follow('streamEvents', [open]).events) break;
  expect(open.cancel).toHaveBeenCalledOnce();
});
