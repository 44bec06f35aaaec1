import { createClient } from '@waybill/client';
import type { Mock } from '@waybill/mock';
import { expect } from 'vitest';
import { drawing } from '../contract/fuzz/given.ts';
import { prepare } from '../contract/fuzz/prepare.ts';
import { alsoRequired, type Invalid, invalidRequests, perform, validRequest } from '../contract/fuzz/requests.ts';
import { operationIds, operationOf } from '../fixtures/contract.ts';
import { get, type Problem, receive, send } from '../fixtures/http.ts';
import { randomSeed } from '../fixtures/long-form.ts';
import { disposableMock } from '../fixtures/mock.ts';
import { test as base, perFile } from '../fixtures/test.ts';

const test = base.extend<{ $file: { mock: Mock } }>({ mock: perFile(() => disposableMock({ streamSeconds: 1 })) });

/** The client of a mock, and where it is. */
const targetOf = ({ url }: Mock) => ({
  client: createClient({ baseUrl: url, apiKey: 'wbk_mock', maxRetries: 0 }),
  to: { baseUrl: url, key: 'wbk_mock' },
});

// contract/fuzz/ sends every request to the service, whose routes and validation the mock has.
test.for(operationIds)('the mock accepts a valid request of %s', async (id, { mock }) => {
  const { client, to } = targetOf(mock);
  const seed = randomSeed();
  // Every upload has the id of the example, and a proof has each photo once.
  const made = validRequest(id, await prepare(id, { client }, 1), { draw: drawing(seed), nth: seed % 3 });
  const { 'If-None-Match': _, ...headers } = made.headers; // `*` returns 304
  const status = Number(Object.keys(operationOf(id).responses).find((code) => code.startsWith('2')));
  await perform(to, { ...made, headers }, { status }, seed);
});

/** Whether only a handler of the service refuses it: by what is stored, or by a combination of fields. */
const isOfHandler = ({ made, keyword }: Invalid): boolean =>
  keyword === 'max_before_previous' || (keyword === 'required' && made.operation in alsoRequired);

test.for(operationIds)('the mock refuses invalid requests of %s like the service', async (id, { mock }) => {
  const { client, to } = targetOf(mock);
  const prepared = await prepare(id, { client }, 1);
  const seed = randomSeed();
  const all = [...invalidRequests(id, prepared, drawing(seed))];
  const some = all.filter((one, index) => !isOfHandler(one) && index % 4 === seed % 4);
  for (const { made, expected } of some) await perform(to, made, expected, seed);
});

test.for([
  ['getTracking', { headers: { 'if-none-match': '' } }, 'headers /if-none-match invalid_format'],
  ['createShipment', { headers: { 'idempotency-key': '' } }, 'headers /idempotency-key invalid_format'],
  ['createShipment', { body: 0 }, 'body  wrong_type'],
] as const)(
  'the mock refuses %s with %j like the service',
  async ([id, sent, expected], { service, account, mock }) => {
    for (const { url, key } of [
      { url: service.baseUrl, key: account.key },
      { url: mock.url, key: 'wbk_mock' },
    ]) {
      const { body } = await receive(await send(url, operationOf(id), { key, ...sent }));
      const { errors = [] } = body as Problem;
      expect(errors.map((error) => `${error.in} ${error.pointer} ${error.code}`)).toEqual([expected]);
    }
  },
);

test('the mock refuses a key that names other scopes', async ({ mock: { url } }) => {
  const statusOf = async (path: string) =>
    (await get({ baseUrl: url }, { key: 'wbk_mock_tracking:read' }, path)).status;
  expect(await statusOf('/tracking/FRT-2026-000142')).toBe(200);
  expect(await statusOf('/shipments')).toBe(403);
});

const paths =
  '/ /nothing /files/ /shipments//cancel /shipments/a/b /shipments/a%2fb /shipments/%zz /%73hipments /SHIPMENTS /shipments; ' +
  '//shipments /../shipments /../v2/shipments';
const queries =
  '?limit=1 %zz=1 __proto__=1 limit limit= limit=+1 limit=1e1 limit=01 limit=0x10 limit=1&limit=2 reference=%zz';

test('the mock finds the same operation as the service for unusual URLs', async ({ service, account, mock }) => {
  const headers = { authorization: `Bearer ${account.key}` };
  const urls = [...paths.split(' '), ...queries.split(' ').map((query) => `/shipments?${query}`)];
  for (const url of urls) {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      const [expected, actual] = await Promise.all(
        [service.baseUrl, mock.url].map(async (base) => {
          const response = await fetch(base + url, { method, headers });
          const text = await response.text(); // empty for HEAD
          const problem = response.status >= 400 && text && { ...JSON.parse(text), request_id: '' };
          return { status: response.status, allow: response.headers.get('allow'), problem };
        }),
      );
      expect([method, url, actual]).toEqual([method, url, expected]);
    }
  }
});
