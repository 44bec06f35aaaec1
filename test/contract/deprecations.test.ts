import { clientTypes } from '@waybill/contract/client-types';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { connectWithWarnings } from '@waybill/docs/samples/deprecations.ts';
import { operationOf } from '@waybill/docs/src/contract.ts';
import { operationPage, referenceOverview } from '@waybill/docs/src/reference.ts';
import { expect, vi } from 'vitest';
import type { Document } from '../../packages/client/generate/document.ts';
import { operationTexts } from '../../packages/client/generate/operation-texts.ts';
import { forTypes } from '../../packages/client/generate/types.ts';
import { disposableMock } from '../fixtures/programs/mock.ts';
import { get } from '../fixtures/requests/send.ts';
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

test('the mock returns the dates of the contract in place of the header of Prism', async () => {
  await using mock = await disposableMock();
  const { headers } = await get(
    { baseUrl: mock.url },
    { key: 'wbk_mock' },
    '/shipments/ship_01kjpx8p02fabr24pa3eywnyp2',
  );
  const names = ['deprecation', 'sunset', 'link'];
  expect(names.map((name) => headers.get(name))).toEqual(['@1801353600', 'Mon, 31 Jan 2028 00:00:00 GMT', null]);
});

test('the reference, the types of the client and its calls show what is deprecated', async ({ service, account }) => {
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

  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  vi.stubEnv('WAYBILL_URL', service.baseUrl);
  vi.stubEnv('WAYBILL_API_KEY', account.key);
  await connectWithWarnings().listShipments({ reference: 'A' });
  expect(warn.mock.lastCall).toEqual([
    expect.stringMatching(/^listShipments .* until Wed, 31 Jan 2029 .*<\/docs\/ref/),
  ]);
});
