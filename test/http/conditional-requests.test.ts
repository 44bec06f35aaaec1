import { describe, expect } from 'vitest';
import { contractOperations, type OperationId, pathOf } from '../fixtures/contract.ts';
import { startService } from '../fixtures/service.ts';
import {
  applyTransition,
  newShipment,
  type Shipment,
  shipmentIn,
  shipmentRequest,
  transitionsTo,
} from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';

const conditional = contractOperations.filter(({ responses }) => '304' in responses);
const reads = contractOperations.filter(({ method, scope }) => method === 'GET' && scope !== null);

const valuesOf = ({ id, tracking_number }: Shipment) => ({ shipment_id: id, tracking_number });

/** Reads without the client, which accepts only its own conditions. */
async function read(
  { baseUrl }: { baseUrl: string },
  { key }: Pick<TestAccount, 'key'>,
  path: string,
  ifNoneMatch?: string,
) {
  const headers = { authorization: `Bearer ${key}`, ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }) };
  const response = await fetch(baseUrl + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test('the reads of single resources are conditional', () => {
  const ids: OperationId[] = ['getProofOfDelivery', 'getShipment', 'getTracking'];
  expect(conditional.map(({ id }) => id).sort()).toEqual(ids);
});

describe.each(conditional)('$id', (operation) => {
  test(`${operation.id} returns 304 without a body for its own ETag, in every notation`, async ({
    service,
    account,
  }) => {
    const path = pathOf(operation, valuesOf(await shipmentIn(account, 'delivered')));
    const first = await read(service, account, path);
    const etag = String(first.headers.get('etag'));
    expect(etag).toMatch(/^"[\w-]{10,}"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect(first.headers.get('vary')).toMatch(/authorization/i);
    const hits = [etag, `W/${etag}`, '*', `"other", ${etag}`, `"other",W/"weak" , ${etag},"more"`, ` ${etag} `];
    for (const hit of hits) {
      const { status, headers, text } = await read(service, account, path, hit);
      expect([hit, status, text]).toEqual([hit, 304, '']);
      for (const name of ['etag', 'cache-control', 'vary']) expect(headers.get(name)).toBe(first.headers.get(name));
      expect(headers.has('ratelimit')).toBe(true);
      expect(headers.has('content-type')).toBe(false);
    }
    const misses = ['"other"', 'W/"other"', `"${etag.slice(2)}`, '"*"', etag.toUpperCase()];
    for (const miss of misses) {
      const { status, headers, text } = await read(service, account, path, miss);
      expect([miss, status, text === first.text || operation.id === 'getProofOfDelivery']).toEqual([miss, 200, true]);
      expect(headers.get('etag')).toBe(etag);
    }
  });

  test(`${operation.id} returns 401 or 404, never 304, for another account and for nonexistent shipments`, async ({
    service,
    account,
  }) => {
    const path = pathOf(operation, valuesOf(await shipmentIn(account, 'delivered')));
    expect(await read(service, await newAccount(service), path, '*')).toMatchObject({ status: 404 });
    expect(await read(service, { key: 'invalid' }, path, '*')).toMatchObject({ status: 401 });
    const nowhere = pathOf(operation, { shipment_id: 'ship_01kjpx8p02fabr24pa3eywnyp2', tracking_number: 'A-1' });
    const { status, headers } = await read(service, account, nowhere, '*');
    expect([status, headers.get('etag')]).toEqual([404, null]);
  });
});

describe.each(conditional.filter(({ id }) => id !== 'getProofOfDelivery'))('$id', (operation) => {
  test(`${operation.id} returns a new ETag after each event and otherwise the same one`, async ({
    service,
    account,
  }) => {
    const shipment = await newShipment(account);
    const path = pathOf(operation, valuesOf(shipment));
    const etags = new Set<string | null>();
    for (const step of transitionsTo('delivered')) {
      const before = await read(service, account, path);
      expect((await read(service, account, path)).headers.get('etag')).toBe(before.headers.get('etag'));
      etags.add(before.headers.get('etag'));
      await applyTransition(account, shipment, step);
      expect((await read(service, account, path, String(before.headers.get('etag')))).status).toBe(200);
    }
    expect(etags.size).toBe(transitionsTo('delivered').length);
  });
});

test('recordPositions changes the ETag of the tracking status and not of the shipment', async ({
  service,
  account,
}) => {
  const { id, tracking_number } = await shipmentIn(account, 'dispatched');
  const etagOf = async (path: string) => (await read(service, account, path)).headers.get('etag');
  const tags = () => Promise.all([etagOf(`/shipments/${id}`), etagOf(`/tracking/${tracking_number}`)]);
  const [shipment, tracking] = await tags();
  const positions = [{ lat: 1, lng: 2, updated_at: new Date().toISOString() }];
  await account.client.recordPositions({ path: { tracking_number }, body: { positions } });
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
  expect(there.headers.get('etag')).toBe(here.headers.get('etag'));
  expect((await read(other, account, path, String(here.headers.get('etag')))).status).toBe(304);
});

describe.each(reads.filter(({ responses }) => !('304' in responses)))('$id', (operation) => {
  test(`${operation.id} returns a list without ETag and never 304`, async ({ service, account }) => {
    const path = pathOf(operation, valuesOf(await newShipment(account)));
    const { status, headers } = await read(service, account, path, '*');
    expect([status, headers.get('etag')]).toEqual([200, null]);
  });
});

test('writes and errors have no ETag', async ({ service, account }) => {
  const created = await account.client.createShipment({ body: shipmentRequest() });
  expect(created.headers.get('etag')).toBeNull();
  const path = `/tracking/${created.data.tracking_number}/pod`;
  const early = await read(service, account, path, '*');
  expect([early.status, early.headers.get('etag')]).toEqual([409, null]);
  const refused = await read(service, account, '/shipments?limit=0', '*');
  expect([refused.status, refused.headers.get('etag')]).toEqual([400, null]);
});
