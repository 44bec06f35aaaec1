import { expect } from 'vitest';
import { clock } from '../../fixtures/clock.ts';
import { type ContractOperation, contractOperations, pathOf } from '../../fixtures/contract.ts';
import { get } from '../../fixtures/http.ts';
import { disabledEndpoint, newPosition, ready } from '../../fixtures/requests.ts';
import type { Service } from '../../fixtures/service.ts';
import { applyTransition, newShipment, type Shipment, shipmentIn, transitionsTo } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';

const conditional = contractOperations.filter(({ responses }) => '304' in responses);

const pathFor = (operation: ContractOperation, { id, tracking_number }: Shipment, others = {}): string =>
  pathOf(operation, { shipment_id: id, tracking_number, ...others });

/** Reads without the client, which accepts only its own conditions. */
async function read(service: Service, who: { key: string }, path: string, condition?: string | null) {
  const response = await get(service, who, path, condition ? { 'if-none-match': condition } : {});
  const { status, headers } = response;
  return { status, headers, etag: headers.get('etag'), text: await response.text() };
}

test.for(conditional)('$id returns 304 for its ETag to its account alone', async (operation, { service, account }) => {
  const path = pathOf(operation, (await ready(operation.id, account)).path);
  const first = await read(service, account, path);
  expect(first.etag).toMatch(/^"[\w-]{10,}"$/);
  expect(first.headers.get('cache-control')).toBe('private, no-cache');
  expect(first.headers.get('vary')).toMatch(/authorization/i);
  const { status, text, headers } = await read(service, account, path, first.etag);
  expect({ status, text }).toEqual({ status: 304, text: '' });
  for (const name of ['etag', 'cache-control', 'vary']) expect(headers.get(name)).toBe(first.headers.get(name));
  expect([headers.has('ratelimit'), headers.has('content-type')]).toEqual([true, false]);
  expect(await read(service, await newAccount(service), path, '*')).toMatchObject({ status: 404, etag: null });
  expect(await read(service, { key: 'invalid' }, path, '*')).toMatchObject({ status: 401, etag: null });
});

test('If-None-Match may have every notation of an ETag', async ({ service, account }) => {
  const path = `/shipments/${(await newShipment(account)).id}`;
  const first = await read(service, account, path);
  const etag = String(first.etag);
  for (const hit of [`W/${etag}`, '*', `"other",W/"weak" , ${etag},"more"`, ` ${etag} `, `${etag},`, `, ,${etag},,"x"`])
    expect([hit, (await read(service, account, path, hit)).status]).toEqual([hit, 304]);
  for (const miss of ['"other"', 'W/"other"', `"${etag.slice(2)}`, '"*"', etag.toUpperCase()])
    expect(await read(service, account, path, miss), miss).toMatchObject({ status: 200, etag, text: first.text });
});

test.for(conditional.filter(({ id }) => !['getException', 'getProofOfDelivery', 'getWebhookEndpoint'].includes(id)))(
  '$id returns a new ETag after each event, and only then',
  async (operation, { service, account }) => {
    const shipment = await newShipment(account);
    const path = pathFor(operation, shipment);
    const etags = new Set<string | null>();
    for (const step of transitionsTo('delivered')) {
      const { etag } = await read(service, account, path);
      expect((await read(service, account, path)).etag).toBe(etag);
      etags.add(etag);
      await applyTransition(account, shipment, step);
      expect((await read(service, account, path, etag)).status).toBe(200);
    }
    expect(etags.size).toBe(transitionsTo('delivered').length);
  },
);

test('recordPositions changes the ETag of the tracking status only', async ({ service, account }) => {
  const { id, tracking_number } = await shipmentIn(account, 'dispatched');
  const etagOf = async (path: string) => (await read(service, account, path)).etag;
  const tags = [await etagOf(`/shipments/${id}`), await etagOf(`/tracking/${tracking_number}`)];
  await account.client.recordPositions({ tracking_number, positions: [newPosition()] });
  expect(await etagOf(`/shipments/${id}`)).toBe(tags[0]);
  expect(await etagOf(`/tracking/${tracking_number}`)).not.toBe(tags[1]);
});

test('a proof with newly signed URLs has the same ETag', async ({ service, account }) => {
  const time = clock();
  const path = `/tracking/${(await shipmentIn(account, 'delivered')).tracking_number}/pod`;
  const before = await read(service, account, path);
  time.forward(3_600_000);
  const { text, etag } = await read(service, account, path);
  expect(JSON.parse(text).signature_url).not.toBe(JSON.parse(before.text).signature_url);
  expect(etag).toBe(before.etag);
  expect((await read(service, account, path, before.etag)).status).toBe(304);
});

const lists = contractOperations.filter(({ method, scope, responses }) => method === 'GET' && scope && !responses[304]);

test('lists have no ETag and never return 304', async ({ service, account }) => {
  const [shipment, endpoint] = [await newShipment(account), await disabledEndpoint(account)];
  for (const list of lists) {
    const response = await read(service, account, pathFor(list, shipment, endpoint), '*');
    expect(response, list.id).toMatchObject({ status: 200, etag: null });
  }
});

/** Headers of a single request or connection: Node's fetch closes the connection after HEAD. */
const changing = ['connection', 'date', 'keep-alive', 'ratelimit', 'x-request-id'];

// A stream has no length: test/events has its HEAD.
const gets = contractOperations.filter(({ id, method }) => method === 'GET' && id !== 'streamEvents');

test.for(gets)('HEAD of $id has the headers of GET and no body', async (operation, { service, account }) => {
  const url = service.baseUrl + pathOf(operation, (await ready(operation.id, account)).path);
  const headers = { authorization: `Bearer ${account.key}`, 'accept-encoding': 'identity' };
  const send = async (method: string) => {
    const response = await fetch(url, { method, headers });
    const received = [...response.headers]
      .filter(([name]) => !changing.includes(name))
      .map(([name, value]) => [name, value.replace(/max-age=\d+/, 'max-age')]); // a second may pass between two requests
    return { status: response.status, headers: received, bytes: (await response.arrayBuffer()).byteLength };
  };
  const { bytes, ...got } = await send('GET');
  expect(got.status).toBe(200);
  expect(Object.fromEntries(got.headers)).toHaveProperty('content-length', String(bytes));
  expect(await send('HEAD')).toEqual({ ...got, bytes: 0 });
});

test('HEAD returns 401 without a key, 304 for the ETag and 405 without GET', async ({ service, account }) => {
  const path = `/shipments/${(await newShipment(account)).id}`;
  const condition = { 'if-none-match': String((await read(service, account, path)).etag) };
  const head = async (to: string, headers: Record<string, string>) =>
    (await fetch(service.baseUrl + to, { method: 'HEAD', headers })).status;
  const headers = { authorization: `Bearer ${account.key}`, ...condition };
  expect([await head(path, condition), await head(path, headers), await head(`${path}/cancel`, headers)]).toEqual([
    401, 304, 405,
  ]);
});
