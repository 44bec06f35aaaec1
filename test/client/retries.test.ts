import { type ClientOptions, ConnectionError, createClient, ProblemError } from '@waybill/client';
import { describe, expect } from 'vitest';
import { newShipment, shipmentRequest } from '../harness/journeys.ts';
import { test } from '../harness/test.ts';

const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json(
    { type: `/docs/errors/${code}`, title: 'T', status, detail: 'D', instance: '/v1', code, request_id: 'r' },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  );
const booked = (): Response => Response.json({ id: 'ship_1' }, { status: 201 });
const broken = (): never => {
  throw new TypeError('fetch failed');
};

/** A client whose requests meet these answers, the last one again and again; and the requests. */
function clientMeeting(answers: (() => Response)[], options: Partial<ClientOptions> = {}) {
  const requests: Request[] = [];
  const fetch = async (request: Request) => {
    requests.push(request);
    return (answers[requests.length - 1] ?? answers.at(-1) ?? broken)();
  };
  return { client: createClient({ apiKey: 'wbk_x', fetch, ...options }), requests };
}
const keysOf = (requests: Request[]) => new Set(requests.map(({ headers }) => headers.get('Idempotency-Key')));
const body = shipmentRequest();

describe('a call is sent again', () => {
  test.for([
    ['the connection failed', broken],
    ['there were too many requests', () => problem(429, 'rate_limited')],
    ['the service was busy', () => problem(503, 'unavailable')],
    ['an equal request still ran', () => problem(409, 'idempotency_in_progress')],
    ['a proxy did not reach the service', () => new Response('Bad gateway', { status: 502 })],
  ] as [string, () => Response][])('with the same key when %s', async ([, first]) => {
    const { client, requests } = clientMeeting([first, booked]);
    expect((await client.createShipment({ body })).status).toBe(201);
    expect(requests).toHaveLength(2);
    expect([...keysOf(requests)]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(await requests[1]?.json()).toEqual(body);
  });

  test('twice at the most, and then its last error is thrown', async () => {
    const { client, requests } = clientMeeting([broken]);
    await expect(client.listShipments()).rejects.toThrow(ConnectionError);
    expect(requests).toHaveLength(3);
  });

  test('as often as the client or the call allows', async () => {
    const { client, requests } = clientMeeting([broken], { retries: 0 });
    await expect(client.createShipment({ body })).rejects.toThrow(ConnectionError);
    expect(requests).toHaveLength(1);
    await expect(client.createShipment({ body, retries: 1 })).rejects.toThrow(ConnectionError);
    expect(requests).toHaveLength(3);
  });

  test('after the time that the service asks for', async () => {
    const { client } = clientMeeting([() => problem(503, 'unavailable', { 'Retry-After': '1' }), booked]);
    const start = performance.now();
    await client.createShipment({ body });
    expect(performance.now() - start).toBeGreaterThan(1000);
  });
});

describe('a call is not sent again', () => {
  test('when the service has decided', async () => {
    const { client, requests } = clientMeeting([() => problem(409, 'reference_taken')]);
    await expect(client.createShipment({ body })).rejects.toMatchObject({ code: 'reference_taken' });
    expect(requests).toHaveLength(1);
  });

  test('when the wait would outlast its time', async () => {
    const { client, requests } = clientMeeting([() => problem(429, 'rate_limited', { 'Retry-After': '60' })]);
    const start = performance.now();
    const error = await client.listShipments().catch((reason) => reason);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error.headers.get('Retry-After')).toBe('60');
    expect(requests).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  test('when its caller has given up meanwhile', async () => {
    const { client, requests } = clientMeeting([() => problem(503, 'unavailable', { 'Retry-After': '20' })]);
    const reason = new Error('enough');
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), 50);
    await expect(client.createShipment({ body, signal: abort.signal })).rejects.toBe(reason);
    expect(requests).toHaveLength(1);
  });
});

describe('an idempotency key', () => {
  test('is another one for each call', async () => {
    const { client, requests } = clientMeeting([booked]);
    await Promise.all([client.createShipment({ body }), client.createShipment({ body })]);
    expect(keysOf(requests).size).toBe(2);
  });

  test('is not sent with a read', async () => {
    const { client, requests } = clientMeeting([() => Response.json({ data: [], next_cursor: null })]);
    await client.listShipments();
    expect([...keysOf(requests)]).toEqual([null]);
  });

  test("is the caller's own when there is one, and tells a replay", async ({ account: { client } }) => {
    const idempotencyKey = crypto.randomUUID();
    const first = await client.createShipment({ body, idempotencyKey });
    const again = await client.createShipment({ body, idempotencyKey });
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(again.data).toEqual(first.data);
  });

  test('makes one shipment of a call whose answers were lost', async ({ service, account }) => {
    let lost = 2;
    const client = createClient({
      baseUrl: service.baseUrl,
      apiKey: account.key,
      fetch: async (request) => {
        const response = await fetch(request);
        if (lost-- > 0) throw new TypeError('the connection broke');
        return response;
      },
    });
    const { data, replayed } = await client.createShipment({ body });
    expect(replayed).toBe(true);
    expect((await account.client.listShipments()).data.data).toEqual([data]);
  });

  test('shows a problem that is told again', async ({ account: { client } }) => {
    const { id } = await newShipment({ client });
    const cancel = { path: { shipment_id: id }, body: { reason: 'No truck.' } };
    await client.cancelShipment(cancel);
    const idempotencyKey = crypto.randomUUID();
    const attempt = () => client.cancelShipment({ ...cancel, idempotencyKey }).catch((error) => error);
    expect(await attempt()).toMatchObject({ code: 'invalid_transition', replayed: false });
    expect(await attempt()).toMatchObject({ code: 'invalid_transition', replayed: true });
  });
});

test('a conditional read is 304 until something has changed', async ({ account: { client } }) => {
  const { tracking_number } = await newShipment({ client });
  const path = { tracking_number };
  const { etag } = await client.getTracking({ path });
  expect(etag).toMatch(/^"/);
  const same = await client.getTracking({ path, ifNoneMatch: etag });
  expect(same).toMatchObject({ status: 304, data: undefined, etag });
  // @ts-expect-error a 304 has no data
  expect(() => same.data.status).toThrow(TypeError);

  await client.recordTrackingEvent({ path, body: { status: 'dispatched', timestamp: new Date().toISOString() } });
  const changed = await client.getTracking({ path, ifNoneMatch: etag });
  expect(changed).toMatchObject({ status: 200, data: { status: 'dispatched' } });
});

test('eachPosition walks the whole route, oldest first', async ({ account: { client } }) => {
  const { tracking_number } = await newShipment({ client });
  const path = { tracking_number };
  await client.recordTrackingEvent({ path, body: { status: 'dispatched', timestamp: new Date().toISOString() } });
  const at = (seconds: number) => new Date(Date.now() - 60_000 + seconds * 1000).toISOString();
  const positions = [3, 1, 2, 5, 4].map((lat) => ({ lat, lng: 0, updated_at: at(lat) }));
  await client.recordPositions({ path, body: { positions } });
  const route: number[] = [];
  for await (const { lat } of client.eachPosition(path, { limit: 2 })) route.push(lat);
  expect(route).toEqual([1, 2, 3, 4, 5]);
});
