import { createClient } from '@waybill/client';
import { expect, test, vi } from 'vitest';
import { get, problemOf } from '../fixtures/http.ts';
import { disposableMock } from '../fixtures/mock.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

const key = 'wbk_mock';

test('errors: 1 returns 429, 500 or 503, unless the request selects a response', async () => {
  await using mock = await disposableMock({ errors: 1 });
  const { code } = await problemOf(await get({ baseUrl: mock.url }, { key }, '/shipments'));
  expect(['rate_limited', 'internal_error', 'unavailable']).toContain(code);
  expect((await get({ baseUrl: mock.url }, { key }, '/shipments?__code=200')).status).toBe(200);
});

test('delay holds a response back', async () => {
  await using mock = await disposableMock({ delay: [600_000, 600_000] });
  const client = createClient({ baseUrl: mock.url, apiKey: key, maxRetries: 0 });
  const waiting = expect(client.listShipments()).rejects.toThrow();
  // The response to a preflight request is not delayed, so that its arrival shows that the other one waits.
  const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
  expect((await fetch(`${mock.url}/shipments`, { method: 'OPTIONS', headers })).status).toBe(204);
  await mock.close();
  await waiting;
});

test('log receives a line for each request', async () => {
  const lines: string[] = [];
  await using mock = await disposableMock({ log: (line) => lines.push(line) });
  await get({ baseUrl: mock.url }, { key }, '/shipments?limit=0');
  await vi.waitFor(() => expect(lines).toHaveLength(1), waitTimeout);
  expect(lines).toEqual([expect.stringMatching(/^GET \/v1\/shipments\?limit=0 400 \d+ ms$/)]);
});

test('a write changes nothing', async () => {
  await using mock = await disposableMock();
  const client = createClient({ baseUrl: mock.url, apiKey: key, maxRetries: 0 });
  const before = await client.listShipments();
  const { id: shipment_id, status } = await client.cancelShipment({
    shipment_id: 'ship_01kjpx8p02fabr24pa3eywnyp2',
    reason: 'No truck.',
  });
  expect(status).toBe('cancelled');
  expect((await client.getShipment({ shipment_id })).status).toBe('scheduled');
  expect(await client.listShipments()).toEqual(before);
});
