import { type AccessRequest, createClient } from '@waybill/client';
import { expect } from 'vitest';
import { shipmentRequest } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

type Kind = NonNullable<AccessRequest['kind']>;
type Scopes = NonNullable<AccessRequest['scopes']>;

/** The default scopes, written by hand. */
const defaults: Record<Kind, Scopes> = {
  track: ['shipments:read', 'tracking:read'],
  drive: ['shipments:read', 'tracking:read', 'tracking:write'],
};

test.for(Object.keys(defaults) as Kind[])(
  'an access of the kind %s has its scopes and link',
  async (kind, { account: { client }, service: { baseUrl } }) => {
    const { id: shipment_id } = await client.createShipment(shipmentRequest());
    const { token, url, ...access } = await client.createAccess({ shipment_id, kind });
    expect(access).toMatchObject({ kind, scopes: defaults[kind], detail: 'proof' });
    const { origin } = new URL(baseUrl);
    const urls = { track: `${origin}/t/${token}`, drive: `${origin}/d/#${token}/${shipment_id}` };
    expect(url).toBe(urls[kind]);
    expect((await client.listAccesses({ shipment_id })).data).toEqual([access]);
  },
);

test('a request can give other scopes and another detail than those of the kind', async ({ account: { client } }) => {
  const { id: shipment_id } = await client.createShipment(shipmentRequest());
  const given = { kind: 'track', scopes: ['events:read', 'tracking:read'] as Scopes, detail: 'status' } as const;
  expect(await client.createAccess({ shipment_id, ...given })).toMatchObject({ ...given, url: expect.any(String) });
  const plain = await client.createAccess({ shipment_id, scopes: ['tracking:read'] });
  expect(plain).not.toHaveProperty('url');
  expect(plain).not.toHaveProperty('kind');
  expect(plain.detail).toBe('status');
});

test.for(Object.keys(defaults) as Kind[])(
  'a link of the kind %s shows contacts until the shipment is final, and that of a driver not longer',
  async (kind, { account: { client }, service: { baseUrl } }) => {
    const request = shipmentRequest();
    const contact = { contact_name: 'Dana', contact_phone: '+1 503 555 0142' };
    const addresses = {
      origin: { ...request.origin, ...contact },
      destination: { ...request.destination, ...contact },
    };
    const { id: shipment_id } = await client.createShipment({ ...request, ...addresses });
    const { token: accessToken } = await client.createAccess({ shipment_id, kind });
    const link = createClient({ baseUrl, accessToken });
    expect(await link.getShipment({ shipment_id })).toMatchObject(addresses);
    await client.cancelShipment({ shipment_id, reason: 'The order was withdrawn.' });
    const { origin, destination } = await link.getShipment({ shipment_id });
    const shown = [origin, destination].map(({ city, contact_name, contact_phone }) => [
      city,
      contact_name,
      contact_phone,
    ]);
    const expected = kind === 'drive' ? [undefined, undefined] : ['Dana', '+1 503 555 0142'];
    expect(shown).toEqual([request.origin, request.destination].map(({ city }) => [city, ...expected]));
    expect(await client.getShipment({ shipment_id })).toMatchObject(addresses);
  },
);

test.for<[string, Pick<AccessRequest, 'kind' | 'scopes'>, string, string]>([
  ['without a kind and scopes', {}, '/scopes', 'required'],
  [
    'of a consignee that could write',
    { kind: 'track', scopes: ['tracking:read', 'tracking:write'] },
    '/scopes/1',
    'not_allowed',
  ],
  ['of a page that could show nothing', { kind: 'track', scopes: ['shipments:read'] }, '/scopes', 'required'],
  ['of a driver who could not write', { kind: 'drive', scopes: defaults.track }, '/scopes', 'required'],
])('createAccess returns 400 for an access %s', async ([, given, pointer, code], { account: { client } }) => {
  const { id: shipment_id } = await client.createShipment(shipmentRequest());
  await expect(client.createAccess({ shipment_id, ...given })).rejects.toMatchObject({
    status: 400,
    problem: { code: 'invalid_request', errors: [{ in: 'body', pointer, code }] },
  });
  expect((await client.listAccesses({ shipment_id })).data).toEqual([]);
});

test('a key gives no link with a scope that it lacks, also by default', async ({ account, service }) => {
  const { id: shipment_id } = await account.client.createShipment(shipmentRequest());
  const apiKey = await account.keyWith(['shipments:read', 'shipments:write', 'tracking:read']);
  const less = createClient({ baseUrl: service.baseUrl, apiKey });
  await expect(less.createAccess({ shipment_id, kind: 'drive' })).rejects.toMatchObject({ status: 403 });
  const { url = '' } = await less.createAccess({ shipment_id, kind: 'track' });
  expect(url.startsWith(service.origin)).toBe(true);
});

test('the links open their pages', async ({ account }) => {
  const { id: shipment_id, tracking_number } = await account.client.createShipment(shipmentRequest());
  const pageOf = async (kind: Kind): Promise<string> => {
    const { url = '' } = await account.client.createAccess({ shipment_id, kind });
    const response = await fetch(url);
    expect(response.status).toBe(200);
    return response.text();
  };
  expect(await pageOf('track')).toContain(tracking_number);
  expect(await pageOf('drive')).toContain('/d/main.js');
});
