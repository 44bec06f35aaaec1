import { createClient } from '@waybill/client';
import { expect } from 'vitest';
import { operationIds, operationOf } from '../fixtures/contract.ts';
import { type Problem, receive, send } from '../fixtures/http.ts';
import { randomSeed } from '../fixtures/long-form.ts';
import { drawing } from '../fuzz/given.ts';
import { breaksOfOperation, performInvalid } from '../fuzz/invalid-requests.ts';
import { prepare } from '../fuzz/prepare.ts';
import { performValid, validRequest } from '../fuzz/requests.ts';
import { reset, test } from './targets.ts';

// fuzz/ sends every request to the service, whose routes and validation the mock has.
test.for(operationIds)('the mock accepts a valid request of %s like the service', async (id, { mock: { url } }) => {
  await reset({ url });
  const client = createClient({ baseUrl: url, apiKey: 'wbk_mock', maxRetries: 0 });
  const seed = randomSeed();
  const made = validRequest(id, await prepare(id, { client }), { draw: drawing(seed), nth: seed % 3 });
  await performValid({ baseUrl: url, key: 'wbk_mock' }, made, seed);
});

test.for(operationIds)('the mock refuses invalid requests of %s like the service', async (id, { mock: { url } }) => {
  await reset({ url });
  const client = createClient({ baseUrl: url, apiKey: 'wbk_mock', maxRetries: 0 });
  const prepared = await prepare(id, { client });
  const seed = randomSeed();
  const some = breaksOfOperation(id).filter((_, index) => index % 4 === seed % 4);
  for (const one of some) await performInvalid({ baseUrl: url, key: 'wbk_mock' }, one, prepared, seed);
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
