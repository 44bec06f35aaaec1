import { type Mock, startMock } from '@waybill/mock';
import { expect, onTestFinished, vi } from 'vitest';
import { operationIds, operationOf } from '../fixtures/contract.ts';
import { type Problem, receive, send } from '../fixtures/http.ts';
import type { Service } from '../fixtures/service.ts';
import { test } from '../fixtures/test.ts';
import { newEnvironment } from '../fuzz/environment.ts';
import { everyStep, play } from '../fuzz/steps.ts';

const codesOfTheRequest =
  /^(invalid_request|malformed_request|method_not_allowed|not_found|unauthenticated|unsupported_media_type)$/;
/** What only stored data, the time of day or the settings of the service refuse. */
const ofTheService = /must not be before \d|There is no such/;

/** Why a request is refused; undefined for one that is valid in itself. */
async function refusalOf(response: Response): Promise<unknown> {
  const { status, body, code = '' } = await receive(response);
  // The mock accepts every token.
  if (code === 'not_found' && /\/(files|uploads)\/[\w-]{71}(\?|$)/.test(response.url)) return undefined;
  if (!codesOfTheRequest.test(code)) return undefined;
  const { errors, detail } = body as Problem;
  const isOfTheService = errors?.some((error) => ofTheService.test(error.detail)) ?? ofTheService.test(detail);
  return isOfTheService ? undefined : { status, code, errors };
}

/** Sends each request for the service to the mock as well. @returns the refusals of both, which later requests are added to */
function sendToBoth(mock: Mock, { baseUrl }: Service): Record<'service' | 'mock', unknown[]> {
  const refusals = { service: [] as unknown[], mock: [] as unknown[] };
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (url: string | Request, init?: RequestInit) => {
    const response = await fetch(url, init);
    if (typeof url !== 'string' || !url.startsWith(baseUrl)) return response;
    const request = { method: init?.method, url: url.slice(baseUrl.length), body: init?.body };
    refusals.service.push({ ...request, refusal: await refusalOf(response.clone()) });
    const mocked = await fetch(url.replace(baseUrl, mock.url), init ?? {});
    refusals.mock.push({ ...request, refusal: await refusalOf(mocked) });
    return response;
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return refusals;
}

test.for(operationIds)('the mock refuses the same requests of %s as the service', async (id, { service }) => {
  const mock = await startMock();
  onTestFinished(() => mock.close());
  const environment = await newEnvironment(service, { requests: 0, reached: new Set() });
  const refusals = sendToBoth(mock, service);
  for (const step of everyStep(id, Math.floor(Math.random() * 1e9))) {
    if (step.kind === 'invalid' || step.kind === 'at limits') await play(environment, step);
  }
  expect(refusals.mock).toEqual(refusals.service);
  expect(refusals.mock).toContainEqual(expect.objectContaining({ refusal: expect.anything() }));
});

test.for([
  ['listShipments', { query: 'limit=' }, 'query /limit wrong_type'],
  ['listShipments', { query: 'limit=1&limit=2' }, 'query /limit wrong_type'],
  ['listShipments', { query: 'limit=0x10' }, 'query /limit wrong_type'],
  ['listShipments', { query: 'reference=%zz' }, 'query /reference invalid_format'],
  ['getTracking', { headers: { 'if-none-match': '' } }, 'headers /if-none-match invalid_format'],
  ['createShipment', { headers: { 'idempotency-key': '' } }, 'headers /idempotency-key invalid_format'],
  ['createShipment', { body: 0 }, 'body  wrong_type'],
] as const)('the mock refuses %s with %j like the service', async ([id, sent, expected], { service, account }) => {
  const mock = await startMock();
  onTestFinished(() => mock.close());
  for (const { url, key } of [
    { url: service.baseUrl, key: account.key },
    { url: mock.url, key: 'wbk_mock' },
  ]) {
    const { body } = await receive(await send(url, operationOf(id), { key, ...sent }));
    const { errors = [] } = body as Problem;
    expect(errors.map((error) => `${error.in} ${error.pointer} ${error.code}`)).toEqual([expected]);
  }
});

const targets =
  '/files/ /shipments//cancel /shipments/a%2fb /shipments/%zz /%73hipments /SHIPMENTS /shipments; //shipments';
const queries = '?limit=1 %zz=1 __proto__=1 limit limit=+1 limit=1e1 limit=01';

test('the mock finds the same operation as the service for unusual URLs', async ({ service, account }) => {
  const mock = await startMock();
  onTestFinished(() => mock.close());
  const headers = { authorization: `Bearer ${account.key}` };
  const urls = [...targets.split(' '), ...queries.split(' ').map((query) => `/shipments?${query}`)];
  for (const url of urls) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const refusals = [service.baseUrl, mock.url].map(async (base) =>
        refusalOf(await fetch(base + url, { method, headers })),
      );
      const [expected, actual] = await Promise.all(refusals);
      expect([method, url, actual]).toEqual([method, url, expected]);
    }
  }
});
