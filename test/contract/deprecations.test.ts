import { clientTypes } from '@waybill/contract/client-types';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { operationOf } from '@waybill/docs/src/contract.ts';
import { operationPage, referenceOverview } from '@waybill/docs/src/reference.ts';
import { expect, vi } from 'vitest';
import type { Document } from '../../packages/client/generate/document.ts';
import { operationTexts } from '../../packages/client/generate/operation-texts.ts';
import { forTypes } from '../../packages/client/generate/types.ts';
import { disposableMock } from '../fixtures/programs/mock.ts';
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

const path = '/shipments/ship_01kjpx8p02fabr24pa3eywnyp2';
const dates = { deprecation: '@1801353600', sunset: 'Mon, 31 Jan 2028 00:00:00 GMT' };
const sentHeaders = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => /^(deprecation|sunset|link)$/.test(name)));
const item = { description: 'Tyres', pieces: 4, weight: { value: 80, unit: 'kg' } };
const crate = { ...item, packaging: 'crate' };
const creation = (more: object, headers = {}) => {
  const body = JSON.stringify({ ...shipmentRequest(), ...more });
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
};

test.for<[used: string, url: string, request: RequestInit, status: number, sunset?: string]>([
  ['an operation', path, {}, 404, 'Mon, 31 Jan 2028'],
  ['an operation with HEAD', `${path}?page=1`, { method: 'HEAD' }, 400, 'Mon, 31 Jan 2028'],
  ['an operation without a key', path, { headers: { authorization: '' } }, 401, 'Mon, 31 Jan 2028'],
  ['nothing in its query', '/shipments?limit=1', {}, 200],
  ['a parameter', '/shipments?reference=A', {}, 200, 'Wed, 31 Jan 2029'],
  ['nothing in its body', '/shipments', creation({}), 201],
  ['a header', '/shipments', creation({}, { 'idempotency-key': 'a' }), 201, 'Sun, 31 Dec 2028'],
  [
    'a header and a field',
    '/shipments',
    creation({ items: [item] }, { 'idempotency-key': 'b' }),
    201,
    'Fri, 30 Jun 2028',
  ],
  ['a field and a value', '/shipments', creation({ items: [item, crate] }), 201, 'Tue, 29 Feb 2028'],
])(
  'a request that uses %s that is deprecated returns the earliest sunset',
  async ([, url, request, status, sunset], { service, account }) => {
    const headers = { authorization: `Bearer ${account.key}`, ...request.headers };
    const response = await fetch(service.baseUrl + url, { ...request, headers });
    const operation = request.body ? 'createShipment' : url.startsWith(path) ? 'getShipment' : 'listShipments';
    const link = `</docs/reference/${operation}>; rel="deprecation"; type="text/html"`;
    const expected = sunset ? { ...dates, sunset: `${sunset} 00:00:00 GMT`, link } : {};
    expect([response.status, sentHeaders(response)]).toEqual([status, expected]);
  },
);

test('the mock returns the dates of the contract in place of the header of Prism', async () => {
  await using mock = await disposableMock();
  expect(sentHeaders(await fetch(mock.url + path, { headers: { authorization: 'Bearer wbk_mock' } }))).toEqual(dates);
});

test('the reference, and the types of the client, mark what is deprecated', async () => {
  const mark = ' · [**deprecated**](/guides/versions)';
  expect(referenceOverview()).toContain(`Read a shipment${mark} |`);
  expect(operationPage(operationOf('getShipment'))).toContain(`</b> \`/shipments/{shipment_id}\`${mark}\n`);
  const page = operationPage(operationOf('createShipment'));
  for (const name of ['items[].pieces', 'Idempotency-Key'])
    expect(page.split('\n').find((line) => line.includes(`[\`${name}\`]`))).toContain(mark);

  const document = contract as unknown as Document;
  const types = await clientTypes(forTypes(document), operationTexts(document));
  const marked = [...types.matchAll(/@deprecated\n(?: +\*.*\n)+ +['"]?([\w-]+)/g)].map(([, name]) => name);
  expect(new Set(marked)).toEqual(new Set(['pieces', 'getShipment', 'reference', 'Idempotency-Key']));
});
