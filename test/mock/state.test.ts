import { createClient } from '@waybill/client';
import { type MockOptions, type Seed, startMock } from '@waybill/mock';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Problem, problemOf } from '../fixtures/http.ts';
import { largePng } from '../fixtures/images.ts';
import { signatureUrl } from '../fixtures/requests.ts';
import { proofFor, shipmentIn, shipmentRequest, upload } from '../fixtures/shipments.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

async function start(options?: MockOptions) {
  const mock = await startMock(options);
  onTestFinished(() => mock.close());
  const client = createClient({ baseUrl: mock.url, apiKey: 'wbk_mock', maxRetries: 0 });
  const post = (path: string, body?: object) =>
    fetch(new URL(path, mock.url), {
      method: 'POST',
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  return { mock, client, post };
}

const { type, origin, destination } = shipmentRequest();
const pickup_window = { start: '2026-05-01T08:00:00.000Z', end: '2026-05-01T12:00:00.000Z' };
const details = { type, origin, destination, pickup_window };
const location = { lat: 47.1, lng: -122.2, address: 'Exit 34', updated_at: '2026-05-02T10:00:00.000Z' };
const timeline = [{ status: 'scheduled' as const, timestamp: '2026-05-01T07:00:00.000Z', description: 'Ordered' }];
const moving = { tracking_number: 'FRT-2026-002001', status: 'in_transit' } as const;
const seed: Seed = {
  shipments: [
    { ...details },
    { ...details, ...moving, created_at: '2026-05-01T07:00:00.000Z' },
    { ...details, tracking_number: 'FRT-2026-002000', status: 'delivered', created_at: '2026-04-01T07:00:00.000Z' },
  ],
  tracking: [{ ...moving, eta: '2026-05-03T10:00:00.000Z', current_location: location, timeline }],
};
const numbersOf = async ({ client }: Pick<Awaited<ReturnType<typeof start>>, 'client'>) =>
  (await Array.fromAsync(client.listShipments())).map(({ tracking_number }) => tracking_number);

test('a seed has its shipments, newest first, and what it leaves out is added', async () => {
  const { client } = await start({ stateful: true, seed });
  const [added, second, third] = await Array.fromAsync(client.listShipments());
  expect(added).toMatchObject({
    ...details,
    status: 'scheduled',
    tracking_number: expect.stringMatching(/^FRT-\d{4}-002002$/),
  });
  expect([second, third]).toMatchObject([moving, { tracking_number: 'FRT-2026-002000' }]);
  const { tracking_number } = moving;
  expect(await client.getTracking({ tracking_number })).toEqual({ ...seed.tracking?.[0] });
  expect((await client.listPositions({ tracking_number })).data).toEqual([location]);
  const delivered = await client.getTracking({ tracking_number: 'FRT-2026-002000' });
  expect(delivered).toMatchObject({ eta: null, current_location: null });
  expect(delivered.timeline.map(({ status }) => status)).toEqual([
    'scheduled',
    'dispatched',
    'picked_up',
    'in_transit',
    'delivered',
  ]);
  const proof = await client.getProofOfDelivery({ tracking_number: 'FRT-2026-002000' });
  expect((await fetch(signatureUrl(proof))).headers.get('content-type')).toBe('image/png');
  expect((await client.createShipment(shipmentRequest())).tracking_number).toMatch(/-002003$/);
  expect((await client.listEvents()).data.map((event) => event.type)).toEqual(['shipment.created']);
});

test('POST /reset restores what the mock stored at its start, and POST /seed replaces it', async () => {
  const mocked = await start({ stateful: true });
  const { client, post } = mocked;
  const contract = ['FRT-2026-000142', 'FRT-2026-000141'];
  await client.createShipment(shipmentRequest());
  expect(await numbersOf(mocked)).toHaveLength(3);
  expect((await post('/reset')).status).toBe(204);
  expect(await numbersOf(mocked)).toEqual(contract);
  expect((await post('/seed', { shipments: [{ ...details, tracking_number: 'ABC-2026-000007' }] })).status).toBe(204);
  expect(await numbersOf(mocked)).toEqual(['ABC-2026-000007']);
  await post('/reset');
  expect(await numbersOf(mocked)).toEqual(contract);
});

test('an invalid seed is refused with its invalid fields, and changes nothing', async () => {
  const mocked = await start({ stateful: true, maxShipments: 2 });
  const { status: _, ...lacking } = { status: '', ...details, type: undefined };
  for (const [body, pointer, code] of [
    [{ shipments: [{ ...details, status: 'lost' }] }, '/shipments/0/status', 'not_allowed'],
    [{ shipments: [lacking] }, '/shipments/0/type', 'required'],
    [{ shipments: [details, details, details] }, '/shipments', 'too_long'],
    [{ shipment: [] }, '/shipments', 'required'],
  ] as const) {
    const { errors }: Problem = await problemOf(await mocked.post('/seed', body));
    expect(errors?.[0]).toMatchObject({ in: 'body', pointer, code });
  }
  expect(await numbersOf(mocked)).toEqual(['FRT-2026-000142', 'FRT-2026-000141']);
  const invalid = startMock({ stateful: true, seed: { shipments: [{ ...details, status: 'lost' as 'scheduled' }] } });
  await expect(invalid).rejects.toThrow('body /shipments/0/status must be one of');
});

test('without state there is nothing to seed, and writes change nothing', async () => {
  const { client, post, mock } = await start();
  for (const path of ['/reset', '/seed']) expect((await post(path, {})).status).toBe(404);
  await client.createShipment(shipmentRequest());
  expect(await numbersOf({ client })).toHaveLength(2);
  expect((await fetch(`${mock.url}/shipments`, { method: 'POST' })).status).toBe(401);
});

test('the newest shipments, events and files are stored', async () => {
  const [event] = (await (await start()).client.listEvents()).data as [NonNullable<Seed['events']>[number]];
  const idOf = (index: number): string => `evt_${String(index).padStart(26, '0')}`;
  const events = Array.from({ length: 999 }, (_, index) => ({ ...event, id: idOf(index) }));
  const mocked = await start({ seed: { shipments: [], events }, stateful: true, maxShipments: 2 });
  const { client } = mocked;
  const numbers: string[] = [];
  for (let count = 0; count < 3; count++)
    numbers.unshift((await client.createShipment(shipmentRequest())).tracking_number);
  expect(await numbersOf(mocked)).toEqual(numbers.slice(0, 2));
  // 1000 of 999 events and those of three shipments.
  const { data } = await client.listEvents({ limit: 1 });
  expect(data.map(({ id }) => id)).toEqual([idOf(2)]);
  await expect(client.listEvents({ after: idOf(1) })).rejects.toMatchObject({ code: 'events_expired' });

  // 7 files of 10 MiB are more than the 64 MiB that are stored.
  const { tracking_number } = await shipmentIn({ client }, 'in_transit');
  const proof = await proofFor({ client }, tracking_number);
  const large = {
    tracking_number,
    kind: 'photo',
    file: largePng(10 * 1024 * 1024),
    content_type: 'image/png',
  } as const;
  for (let count = 0; count < 7; count++) await client.uploadProofFile(large);
  await expect(client.submitProofOfDelivery({ tracking_number, ...proof })).rejects.toMatchObject({
    code: 'unknown_upload',
  });
  const signature = await upload({ client }, tracking_number, 'signature');
  await client.submitProofOfDelivery({ tracking_number, ...proof, signature, photos: [] });
});

test('errors: 1 returns 429, 500 or 503, unless the request selects a response', async () => {
  const { mock } = await start({ errors: 1 });
  const headers = { authorization: 'Bearer wbk_mock' };
  const { code } = await problemOf(await fetch(`${mock.url}/shipments`, { headers }));
  expect(['rate_limited', 'internal_error', 'unavailable']).toContain(code);
  expect((await fetch(`${mock.url}/shipments?__code=200`, { headers })).status).toBe(200);
});

test('delay holds a response back', async () => {
  const { mock, client } = await start({ delay: [600_000, 600_000] });
  const waiting = expect(client.listShipments()).rejects.toThrow();
  // The response to a preflight request is not delayed, so that its arrival shows that the other one waits.
  const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
  expect((await fetch(`${mock.url}/shipments`, { method: 'OPTIONS', headers })).status).toBe(204);
  await mock.close();
  await waiting;
});

test('log receives a line for each request', async () => {
  const lines: string[] = [];
  const { mock } = await start({ log: (line) => lines.push(line) });
  await fetch(`${mock.url}/shipments?limit=0`, { headers: { authorization: 'Bearer wbk_mock' } });
  await vi.waitFor(() => expect(lines).toHaveLength(1), waitTimeout);
  expect(lines).toEqual([expect.stringMatching(/^GET \/v1\/shipments\?limit=0 400 \d+ ms$/)]);
});
