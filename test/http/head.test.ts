import { expect } from 'vitest';
import { contractOperations, pathOf } from '../fixtures/contract.ts';
import { ready } from '../fixtures/requests.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

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

test('HEAD without a key returns 401', async ({ service }) => {
  expect((await fetch(`${service.baseUrl}/shipments`, { method: 'HEAD' })).status).toBe(401);
});

test('HEAD with the current ETag returns 304', async ({ service, account }) => {
  const { id } = await newShipment(account);
  const { etag } = await account.client.getShipment({ shipment_id: id }).withResponse();
  const response = await fetch(`${service.baseUrl}/shipments/${id}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${account.key}`, 'if-none-match': String(etag) },
  });
  expect(response.status).toBe(304);
});

test('HEAD of a path without GET returns 405', async ({ service, account }) => {
  const { id } = await newShipment(account);
  expect((await fetch(`${service.baseUrl}/shipments/${id}/cancel`, { method: 'HEAD' })).status).toBe(405);
});
