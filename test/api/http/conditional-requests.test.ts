import { expect } from 'vitest';
import { contractOperations, pathOf } from '../../fixtures/contract/contract.ts';
import { stepsTo } from '../../fixtures/contract/lifecycle.ts';
import { get } from '../../fixtures/requests/send.ts';
import { ready } from '../../fixtures/requests/valid-requests.ts';
import type { Service } from '../../fixtures/service/service.ts';
import { newShipment, record } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';

const conditional = contractOperations.filter(({ responses }) => '304' in responses);

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

test.for(conditional.filter(({ id }) => !['getException', 'getProofOfDelivery', 'getWebhookEndpoint'].includes(id)))(
  '$id returns a new ETag after each event, and only then',
  async (operation, { service, account }) => {
    const shipment = await newShipment(account);
    const path = pathOf(operation, { shipment_id: shipment.id, tracking_number: shipment.tracking_number });
    const etags = new Set<string | null>();
    for (const step of stepsTo('delivered')) {
      const { etag } = await read(service, account, path);
      expect((await read(service, account, path)).etag).toBe(etag);
      etags.add(etag);
      await record(account, shipment, step);
      expect((await read(service, account, path, etag)).status).toBe(200);
    }
    expect(etags.size).toBe(stepsTo('delivered').length);
  },
);
