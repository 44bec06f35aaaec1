import { expect } from 'vitest';
import { type ContractOperation, contractOperations, pathOf } from '../../fixtures/contract.ts';
import { get } from '../../fixtures/http.ts';
import { disabledEndpoint, newPosition, ready } from '../../fixtures/requests.ts';
import { type Service, startService } from '../../fixtures/service.ts';
import { applyTransition, newShipment, type Shipment, shipmentIn, transitionsTo } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';

const conditional = contractOperations.filter(({ responses }) => '304' in responses);

const pathValues = ({ id, tracking_number }: Shipment) => ({ shipment_id: id, tracking_number });
const pathFor = (operation: ContractOperation, shipment: Shipment): string => pathOf(operation, pathValues(shipment));

/** Reads without the client, which accepts only its own conditions. */
async function read(service: Service, who: { key: string }, path: string, condition?: string | null) {
  const response = await get(service, who, path, condition ? { 'if-none-match': condition } : {});
  const { status, headers } = response;
  return { status, headers, etag: headers.get('etag'), text: await response.text() };
}

test.for(conditional)('$id returns 304 for its ETag in every notation', async (operation, { service, account }) => {
  const { path: values } = await ready(operation.id, account);
  const path = pathOf(operation, values);
  const first = await read(service, account, path);
  const etag = String(first.etag);
  expect(etag).toMatch(/^"[\w-]{10,}"$/);
  expect(first.headers.get('cache-control')).toBe('private, no-cache');
  expect(first.headers.get('vary')).toMatch(/authorization/i);
  for (const hit of [
    etag,
    `W/${etag}`,
    '*',
    `"other", ${etag}`,
    `"other",W/"weak" , ${etag},"more"`,
    ` ${etag} `,
    `${etag},`,
    `, ,${etag},,"x"`,
  ]) {
    const { status, headers, text } = await read(service, account, path, hit);
    expect([hit, status, text]).toEqual([hit, 304, '']);
    for (const name of ['etag', 'cache-control', 'vary']) expect(headers.get(name)).toBe(first.headers.get(name));
    expect(headers.has('ratelimit')).toBe(true);
    expect(headers.has('content-type')).toBe(false);
  }
  for (const miss of ['"other"', 'W/"other"', `"${etag.slice(2)}`, '"*"', etag.toUpperCase()]) {
    const { status, etag: unchanged, text } = await read(service, account, path, miss);
    expect([miss, status, unchanged]).toEqual([miss, 200, etag]);
    if (operation.id !== 'getProofOfDelivery') expect(text).toBe(first.text);
  }
  expect(await read(service, await newAccount(service), path, '*')).toMatchObject({ status: 404, etag: null });
  expect(await read(service, { key: 'invalid' }, path, '*')).toMatchObject({ status: 401, etag: null });
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
  const tags = () => Promise.all([etagOf(`/shipments/${id}`), etagOf(`/tracking/${tracking_number}`)]);
  const [shipment, tracking] = await tags();
  await account.client.recordPositions({ tracking_number, positions: [newPosition()] });
  const [sameShipment, newTracking] = await tags();
  expect(sameShipment).toBe(shipment);
  expect(newTracking).not.toBe(tracking);
});

test('a proof with newly signed URLs has the same ETag', async ({ service, account }) => {
  await using other = await startService({ SIGNING_KEYS: 'another-secret-another-secret-another-secret' });
  const { tracking_number } = await shipmentIn(account, 'delivered');
  const path = `/tracking/${tracking_number}/pod`;
  const [here, there] = [await read(service, account, path), await read(other, account, path)];
  expect(JSON.parse(there.text).signature_url).not.toBe(JSON.parse(here.text).signature_url);
  expect(there.etag).toBe(here.etag);
  expect((await read(other, account, path, here.etag)).status).toBe(304);
});

const lists = contractOperations.filter(({ method, scope, responses }) => method === 'GET' && scope && !responses[304]);

test.for(lists)('$id returns a list without ETag and never 304', async (operation, { service, account }) => {
  const values = { ...pathValues(await newShipment(account)), ...(await disabledEndpoint(account)) };
  expect(await read(service, account, pathOf(operation, values), '*')).toMatchObject({ status: 200, etag: null });
});

/** Headers of a single request or connection: Node's fetch closes the connection after HEAD. */
const changing = ['connection', 'date', 'keep-alive', 'ratelimit', 'x-request-id'];

// A stream has no length: test/events has its HEAD.
const gets = contractOperations.filter(({ id, method }) => method === 'GET' && id !== 'streamEvents');

test.for(gets)('HEAD of $id has the headers of GET and no body', async (operation, { service, account }) => {
  const { path } = await ready(operation.id, account);
  const url = service.baseUrl + pathOf(operation, path);
  const headers = { authorization: `Bearer ${account.key}`, 'accept-encoding': 'identity' };
  const send = async (method: string) => {
    const response = await fetch(url, { method, headers });
    const received = [...response.headers]
      .filter(([name]) => !changing.includes(name))
      .map(([name, value]) => [name, value.replace(/max-age=\d+/, 'max-age')]); // a second may pass between two requests
    return { status: response.status, headers: received, bytes: (await response.arrayBuffer()).byteLength };
  };
  const { bytes, ...get } = await send('GET');
  expect(get.status).toBe(200);
  expect(Object.fromEntries(get.headers)).toHaveProperty('content-length', String(bytes));
  expect(await send('HEAD')).toEqual({ ...get, bytes: 0 });
});

test('HEAD returns 401 without a key, 304 for the ETag and 405 without GET', async ({ service, account }) => {
  const { id } = await newShipment(account);
  const { etag } = await account.client.getShipment({ shipment_id: id }).withResponse();
  const head = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
    (await fetch(service.baseUrl + path, { method: 'HEAD', headers })).status;
  expect(await head('/shipments')).toBe(401);
  const headers = { authorization: `Bearer ${account.key}`, 'if-none-match': String(etag) };
  expect(await head(`/shipments/${id}`, headers)).toBe(304);
  expect(await head(`/shipments/${id}/cancel`, headers)).toBe(405);
});
