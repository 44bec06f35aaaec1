import { expect, vi } from 'vitest';
import { type Service, startService } from '../fixtures/service/service.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test as base, perFile } from '../fixtures/test.ts';

// The contract has nothing deprecated.
vi.mock(import('@waybill/contract/openapi.json'), async (original) => {
  const document = structuredClone((await original()).default);
  const { parameters, schemas } = document.components;
  const until = (sunset: string) => ({ since: '2027-01-31', sunset, instead: 'Use another.' });
  const deprecate = (node: object, sunset: string) =>
    Object.assign(node, { deprecated: true, 'x-deprecation': until(sunset) });
  deprecate(document.paths['/shipments/{shipment_id}'].get, '2028-01-31');
  deprecate(parameters.ReferenceParameter, '2029-01-31');
  deprecate(parameters.IdempotencyKeyParameter, '2028-12-31');
  deprecate(schemas.ShipmentItemRequest.properties.pieces, '2028-06-30');
  Object.assign(schemas.KnownPackaging, { 'x-enumDeprecations': { crate: until('2028-02-29') } });
  return { default: document };
});

const test = base.extend<{ $file: { service: Service } }>({
  service: perFile(() => startService({ DOCS_DIR: '/nowhere' })),
});

test.for([
  ['GET', 'ship_01kjpx8p02fabr24pa3eywnyp2', 404],
  ['HEAD', 'ship_01kjpx8p02fabr24pa3eywnyp2?page=1', 400],
  ['GET', 'FRT-2026-000142', 401],
] as const)(
  '%s of a deprecated operation, %s, returns %i with its dates',
  async ([method, path, status], { service, account }) => {
    const headers = { authorization: status === 401 ? '' : `Bearer ${account.key}` };
    const response = await fetch(`${service.baseUrl}/shipments/${path}`, { method, headers });
    const sent = ['deprecation', 'sunset', 'link'].map((name) => response.headers.get(name));
    const link = '</docs/reference/getShipment>; rel="deprecation"; type="text/html"';
    expect([response.status, ...sent]).toEqual([status, '@1801353600', 'Mon, 31 Jan 2028 00:00:00 GMT', link]);
  },
);

const item = { description: 'Tyres', pieces: 4, weight_kg: 80 };
const crates = [item, { ...item, packaging: 'crate' }];

test.for<[used: string, query: string, more: object | undefined, headers: object, sunset: string | null]>([
  ['nothing deprecated', '?limit=1', undefined, {}, null],
  ['a parameter', '?reference=A', undefined, {}, 'Wed, 31 Jan 2029'],
  ['nothing deprecated in its body', '', {}, {}, null],
  ['a header', '', {}, { 'idempotency-key': 'a' }, 'Sun, 31 Dec 2028'],
  ['a field and a header', '', { items: [item] }, { 'idempotency-key': 'b' }, 'Fri, 30 Jun 2028'],
  ['a value, a field and a header', '', { items: crates }, { 'idempotency-key': 'c' }, 'Tue, 29 Feb 2028'],
])(
  'a request that uses %s returns the earliest sunset',
  async ([, query, more, headers, sunset], { service, account }) => {
    const response = await fetch(`${service.baseUrl}/shipments${query}`, {
      method: more ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json', ...headers },
      body: more ? JSON.stringify({ ...shipmentRequest(), ...more }) : null,
    });
    expect([response.status, response.headers.get('sunset')]).toEqual([
      more ? 201 : 200,
      sunset && `${sunset} 00:00:00 GMT`,
    ]);
  },
);
