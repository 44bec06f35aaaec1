import { createClient, type EventStatus } from '@waybill/client';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { defaultBaseUrl } from '@waybill/contract/operations';
import { type Mock, type MockOptions, startMock } from '@waybill/mock';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { operationOf } from '../fixtures/contract.ts';
import { get, type Problem, receive, send } from '../fixtures/http.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

const key = 'wbk_mock';
const request = operationOf('createShipment').body as Record<string, unknown>;

async function start(options?: MockOptions) {
  const mock = await startMock(options);
  onTestFinished(() => mock.close());
  const client = createClient({ baseUrl: mock.url, apiKey: key, maxRetries: 0 });
  const read = async (path: string) => receive(await get({ baseUrl: mock.url }, { key }, path));
  return { mock, client, read };
}

type Started = Awaited<ReturnType<typeof start>>;
const statusesOf = async ({ read }: Started, query: string): Promise<string[]> =>
  ((await read(`/shipments?${query}`)).body as { data: { status: string }[] }).data.map(({ status }) => status);
const create = async ({ client }: Started, reference: string) =>
  await client.createShipment({ ...request, reference } as never);
const eventAt = (status: EventStatus, timestamp = new Date().toISOString()) => ({ status, timestamp });

describe.each([false, true])('with stateful: %s', (stateful) => {
  test('every list of shipments and positions ends', async () => {
    const { client } = await start({ stateful });
    const numbers: string[] = [];
    for await (const { tracking_number } of client.listShipments({ limit: 1 })) numbers.push(tracking_number);
    expect(numbers).toEqual(['FRT-2026-000142', 'FRT-2026-000141']);
    const [first = ''] = numbers;
    for (const query of [{}, { limit: 2 }]) {
      const positions = client.listPositions({ tracking_number: first, ...query });
      let count = 0;
      for await (const _ of positions) count++;
      expect(count).toBe(3);
    }
  });

  test('filters of listShipments select', async () => {
    const started = await start({ stateful });
    expect(await statusesOf(started, 'status=delivered')).toEqual(['delivered']);
    expect(await statusesOf(started, 'reference=PO-2026-4471')).toEqual(['in_transit']);
    expect(await statusesOf(started, 'reference=another')).toEqual([]);
    expect(await statusesOf(started, 'to_date=2026-03-01')).toEqual(['delivered']);
    expect(await statusesOf(started, 'from_date=2026-03-02')).toEqual(['in_transit']);
    expect(await statusesOf(started, 'from_date=2027-01-01')).toEqual([]);
  });

  test('createShipment returns what was sent, with a new id', async () => {
    const started = await start({ stateful });
    const [first, second] = [await create(started, 'A-1'), await create(started, 'A-2')];
    const { pickup_window: _, ...sent } = request;
    expect(first).toMatchObject({ ...sent, reference: 'A-1', status: 'scheduled' });
    expect(first.id).not.toBe(second.id);
    expect(first.tracking_number).not.toBe(second.tracking_number);
    const { body } = await started.read(`/shipments/${first.id}`);
    expect(body).toMatchObject({ id: first.id, ...(stateful && { reference: 'A-1' }) });
  });

  test('a cursor with other filters returns cursor_mismatch', async () => {
    const { read } = await start({ stateful });
    const { body } = await read('/shipments?limit=1');
    const { next_cursor } = body as { next_cursor: string };
    expect(await read(`/shipments?limit=1&status=delivered&cursor=${next_cursor}`)).toMatchObject({
      code: 'cursor_mismatch',
    });
  });
});

test('a cursor of an example returns the last page', async () => {
  const { read } = await start();
  const { ShipmentListPage, ShipmentListEnd } = contract.components.examples;
  const { next_cursor } = ShipmentListPage.value;
  expect((await read(`/shipments?cursor=${next_cursor}`)).body).toEqual(ShipmentListEnd.value);
});

test('without state, writes return what was sent for any shipment', async () => {
  const { client } = await start();
  const path = { tracking_number: 'FRT-2026-777777' };
  const location = { lat: 1.5, lng: 2.5, address: 'Here' };
  for (const status of ['in_transit', 'dispatched'] as const) {
    const timestamp = '2026-01-05T06:07:08.000Z';
    const body = { status, timestamp, description: 'Sent', location };
    const data = await client.recordTrackingEvent({ ...path, ...body });
    expect(data).toMatchObject({ ...path, status, current_location: { ...location, updated_at: timestamp } });
    expect(data.timeline.at(-1)).toEqual({ status, timestamp, description: 'Sent' });
  }
  const data = await client.cancelShipment({
    shipment_id: 'ship_01kjn4b4gsfrhtg5g075cmmcw9',
    reason: 'No longer needed',
  });
  expect(data).toMatchObject({ id: 'ship_01kjn4b4gsfrhtg5g075cmmcw9', cancellation_reason: 'No longer needed' });
});

test('with state, a shipment is created, listed, delivered and read', async () => {
  const started = await start({ stateful: true });
  const { client, mock, read } = started;
  const { id, tracking_number } = await create(started, 'B-1');
  const path = { tracking_number };
  expect(await statusesOf(started, 'reference=B-1')).toEqual(['scheduled']);
  await expect(create(started, 'B-1')).rejects.toMatchObject({ code: 'reference_taken' });
  await expect(client.getProofOfDelivery(path)).rejects.toMatchObject({ code: 'not_delivered' });
  await expect(client.recordTrackingEvent({ ...path, ...eventAt('in_transit') })).rejects.toMatchObject({
    code: 'invalid_transition',
  });
  await client.recordTrackingEvent({ ...path, ...eventAt('dispatched') });
  await expect(
    client.recordTrackingEvent({ ...path, ...eventAt('picked_up', '2026-01-01T00:00:00Z') }),
  ).rejects.toMatchObject({ code: 'invalid_request' });
  for (const status of ['picked_up', 'in_transit'] as const)
    await client.recordTrackingEvent({ ...path, ...eventAt(status) });
  const [early, late] = ['2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
  for (const updated_at of [late, early] as [string, string])
    await client.recordPositions({ ...path, positions: [{ lat: 1, lng: 2, updated_at }] });
  expect((await client.getTracking(path)).current_location).toMatchObject({ updated_at: late });
  const { body: positions } = await read(`/tracking/${tracking_number}/positions`);
  expect(positions).toMatchObject({ data: [{ updated_at: early }, { updated_at: late }] });
  const proof = { delivered_at: new Date().toISOString(), signed_by: 'Owen', location: { lat: 1, lng: 2 } };
  const signature = 'upl_01kjwjfxt6fsytr0x9a1xe4sfc';
  await client.submitProofOfDelivery({ ...path, ...proof, signature, photos: [signature] });
  const data = await client.getProofOfDelivery(path);
  expect(data).toMatchObject(proof);
  expect(data.photos).toHaveLength(1);
  expect((await fetch(data.signature_url)).headers.get('content-type')).toBe('image/png');
  expect(data.signature_url).toContain(mock.url);
  expect(await read(`/shipments/${id}`)).toMatchObject({ body: { status: 'delivered' } });
  expect(await read('/shipments/ship_01kjwjfxt6fsytr0x9a1xe4sfc')).toMatchObject({ code: 'not_found' });
});

test('with state, a repeated POST with the same Idempotency-Key creates one shipment', async () => {
  const started = await start({ stateful: true });
  const operation = operationOf('createShipment');
  const headers = { 'idempotency-key': 'k1' };
  const sent = { key, headers, body: { ...request, reference: 'C-1' } };
  const [first, second] = [
    await receive(await send(started.mock.url, operation, sent)),
    await receive(await send(started.mock.url, operation, sent)),
  ];
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(violations(operation, second)).toEqual([]);
  const reordered = Object.fromEntries(Object.entries(sent.body).reverse());
  const third = await receive(await send(started.mock.url, operation, { ...sent, body: reordered }));
  expect(third.body).toEqual(first.body);
  const other = await receive(await send(started.mock.url, operation, { ...sent, body: request }));
  expect(other.code).toBe('idempotency_key_reused');
});

test('with state, a POST that was refused is refused again with the same Idempotency-Key', async () => {
  const started = await start({ stateful: true });
  const { tracking_number } = await create(started, 'C-2');
  const path = { tracking_number };
  const event = { ...path, ...eventAt('picked_up') };
  const picked = () => started.client.recordTrackingEvent(event, { idempotencyKey: 'k2' });
  await expect(picked()).rejects.toMatchObject({ code: 'invalid_transition' });
  await started.client.recordTrackingEvent({ ...path, ...eventAt('dispatched') });
  await expect(picked()).rejects.toMatchObject({ code: 'invalid_transition' });
});

test('with state, an ETA from before the current location is ignored', async () => {
  const started = await start({ stateful: true });
  const { client } = started;
  const { tracking_number } = await create(started, 'C-3');
  const path = { tracking_number };
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const [first, second, third] = [minutesAgo(3), minutesAgo(2), minutesAgo(1)];
  const eta = '2026-02-01T00:00:00.000Z';
  await client.recordTrackingEvent({ ...path, ...eventAt('dispatched', first) });
  await client.recordPositions({ ...path, positions: [{ lat: 1, lng: 2, updated_at: third }], eta });
  const late = { status: 'picked_up', timestamp: second, eta: '2026-03-01T00:00:00.000Z' } as const;
  expect(await client.recordTrackingEvent({ ...path, ...late })).toMatchObject({ status: 'picked_up', eta });
});

test('maxShipments limits the stored shipments to the newest', async () => {
  const started = await start({ stateful: true, maxShipments: 2 });
  const created = [await create(started, 'D-1'), await create(started, 'D-2')].map(({ id }) => id);
  const { body } = await started.read('/shipments');
  expect((body as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual(created.toReversed());
});

test('an ETag that is still current returns 304', async () => {
  const { mock, read } = await start();
  const etag = (await read('/tracking/FRT-2026-000142')).headers.get('etag') ?? '';
  const url = `${mock.url}/tracking/FRT-2026-000142`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}`, 'if-none-match': etag } });
  expect(response.status).toBe(304);
});

test('HEAD returns the headers of GET without a body', async () => {
  const { mock, read } = await start();
  const head = await fetch(`${mock.url}/shipments`, { method: 'HEAD', headers: { authorization: `Bearer ${key}` } });
  const names = ({ headers }: { headers: Headers }) => [...headers.keys()].filter((name) => name !== 'keep-alive');
  expect(names(head)).toEqual(names(await read('/shipments')));
  expect(await head.text()).toBe('');
});

test('__code and __example select a response', async () => {
  const { read } = await start();
  expect(await read('/shipments?__code=503')).toMatchObject({ status: 503, code: 'unavailable' });
  expect(await read('/shipments?limit=5&__example=ShipmentListEmpty')).toMatchObject({ body: { data: [] } });
  const { body } = await read('/shipments?__code=418');
  expect((body as Problem).errors).toMatchObject([{ in: 'query', pointer: '/__code', code: 'not_allowed' }]);
});

test('Prefer: dynamic=true is refused', async () => {
  const { mock } = await start();
  const headers = { prefer: 'dynamic=true' };
  const { body } = await receive(await send(mock.url, operationOf('listShipments'), { key, headers }));
  expect((body as Problem).errors?.[0]).toMatchObject({ pointer: '/prefer', code: 'not_allowed' });
});

test('errors: 1 returns 429, 500 or 503, unless the request selects a response', async () => {
  const { read } = await start({ errors: 1 });
  expect([429, 500, 503]).toContain((await read('/shipments')).status);
  expect(await read('/shipments?__code=200')).toMatchObject({ status: 200 });
});

test('delay holds a response back', async () => {
  const { mock, read } = await start({ delay: [600_000, 600_000] });
  const waiting = expect(read('/shipments')).rejects.toThrow('fetch failed');
  // The response to a preflight request is not delayed, so that its arrival shows that the other one waits.
  await preflight(mock);
  await mock.close();
  await waiting;
});

const preflight = ({ url }: Mock): Promise<Response> =>
  fetch(`${url}/shipments`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,idempotency-key',
    },
  });

test('pages of every origin may call the mock', async () => {
  const { mock, read } = await start();
  const { status, headers } = await preflight(mock);
  expect(status).toBe(204);
  expect(headers.get('access-control-allow-methods')?.split(', ')).toEqual(expect.arrayContaining(['GET', 'POST']));
  expect(headers.get('access-control-allow-headers')).toBe('authorization,idempotency-key');
  const response = await read('/shipments?limit=0');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-expose-headers')).toContain('RateLimit-Policy');
});

test('log receives a line for each request', async () => {
  const lines: string[] = [];
  const { read } = await start({ log: (line) => lines.push(line) });
  await read('/shipments?limit=0');
  await vi.waitFor(() => expect(lines).toHaveLength(1), waitTimeout);
  expect(lines).toEqual([expect.stringMatching(/^GET \/v1\/shipments\?limit=0 400 \d+ ms$/)]);
});

test('URLs that were sent as text are returned unchanged', async () => {
  const { client } = await start();
  const notes = `See ${defaultBaseUrl}/docs`;
  expect((await client.createShipment({ ...request, notes } as never)).notes).toBe(notes);
});
