import type { ServerResponse } from 'node:http';
import {
  AbortError,
  ConnectionError,
  createClient,
  UnexpectedResponseError,
  WaybillClientError,
  WaybillError,
} from '@waybill/client';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { expect, vi } from 'vitest';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { startStub } from './stub.ts';

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it must reject'),
    (error) => error,
  );

const page = '<html><body>Bad gateway</body></html>';
const [html, json, problem] = ['text/html', 'application/json', 'application/problem+json'];
const respondWith = (status: number, type: string, body: string) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': type }).end(body);

test.for<[string, status: number, type: string, sent: string, body: unknown]>([
  ["a proxy's 502 in HTML", 502, html, page, page],
  ["a portal's 200 in HTML", 200, html, page, page],
  ["a gateway's own problem", 503, problem, '{"title":"No"}', { title: 'No' }],
  ['half a response', 200, json, '{"data":[', '{"data":['],
  ['half a problem', 500, problem, '{"code":"int', '{"code":"int'],
  ["another service's JSON", 404, json, '{"code":"NOT_FOUND"}', { code: 'NOT_FOUND' }],
])('%s is an UnexpectedResponseError with status and body', async ([, status, type, sent, body]) => {
  await using stub = await startStub(respondWith(status, type, sent));
  const error = await caught(stub.client.listShipments());
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(error).toBeInstanceOf(WaybillClientError);
  const members = { name: 'UnexpectedResponseError', status, operation: 'listShipments', attempts: 1, body };
  expect(error).toMatchObject({ ...members, message: expect.stringContaining(String(status)) });
});

test('a problem with an unknown code is a WaybillError with that code', async () => {
  const errors = [{ in: 'body', pointer: '/moon', code: 'not_full', detail: 'must be full' }];
  const described = { title: 'Wrong phase', status: 409, detail: 'It must be full.', code: 'moon_phase', errors };
  const sent = JSON.stringify({ ...described, instance: '/v1/shipments', request_id: 'r1' });
  await using stub = await startStub(respondWith(409, 'Application/Problem+JSON; charset=utf-8', sent));
  const error = await caught(stub.client.listShipments());
  expect(error).toBeInstanceOf(WaybillError);
  expect(error).toBeInstanceOf(WaybillClientError);
  const message = 'Wrong phase: It must be full. (moon_phase, request r1)\n  body/moon must be full';
  expect(error).toMatchObject({ name: 'WaybillError', ...described, requestId: 'r1', message });
  expect(error.problem).toEqual(JSON.parse(sent));
});

test('a refused connection fails after three attempts, and the error says what to check', async () => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const client = createClient({ baseUrl: `${origin}/v1`, apiKey: 'wbk_stub' });
  const error = await caught(client.listShipments({}, { headers: { 'X-Request-Id': 'mine' } }));
  expect(error).toBeInstanceOf(ConnectionError);
  const reason = `connect ECONNREFUSED ${origin.slice(7)}`;
  const message = `cannot connect to ${origin}/v1 (${reason}), attempt 3. Check baseUrl, and that the service runs.`;
  expect(error).toMatchObject({ requestId: 'mine', attempts: 3, message: `listShipments: ${message}` });
  const { message: ofFile } = await caught(client.getProofFile({ url: `${origin}/v1/files/secret` }));
  expect(ofFile).toMatch(`getProofFile: cannot connect to ${origin} `);
});

test('the error of a 404 names a base URL without /v1, and no other', async ({ service, account }) => {
  await using stub = await startStub(respondWith(404, html, page));
  for (const baseUrl of [service.origin, stub.url]) {
    const { message } = await caught(createClient({ baseUrl, apiKey: account.key }).listShipments());
    expect(message).toContain(` Does baseUrl "${baseUrl}" lack "/v1" at its end?`);
  }
  const { message } = await caught(account.client.getShipment({ shipment_id: 'ship_01kjpx8p02fabr24pa3eywnyp2' }));
  expect(message).not.toContain('baseUrl');
});

test("an abort reaches the signal of fetch at once, and the call rejects with the abort's reason as the cause", async () => {
  const cause = new Error('The caller aborted.');
  const controller = new AbortController();
  const sent = Promise.withResolvers<AbortSignal>();
  const fetch = ({ signal }: Request) => {
    sent.resolve(signal);
    return new Promise<never>(() => {});
  };
  const client = createClient({ apiKey: 'wbk_stub', fetch });
  const ended = caught(client.listShipments({}, { signal: controller.signal }));
  const signal = await sent.promise;
  expect(signal.aborted).toBe(false);
  controller.abort(cause);
  expect(signal.aborted).toBe(true);
  expect(await ended).toBeInstanceOf(AbortError);
  expect(await ended).toMatchObject({ name: 'AbortError', cause, attempts: 1 });
});

test('a response larger than every valid one is not read to its end', async () => {
  let isClosed = false;
  const mebibyte = Buffer.alloc(2 ** 20, ' ');
  await using stub = await startStub((response) => {
    response.on('close', () => {
      isClosed = true;
    });
    const write = () => {
      while (!isClosed && response.write(mebibyte));
    };
    response.on('drain', write);
    write();
  });
  expect(await caught(stub.client.listShipments())).toBeInstanceOf(UnexpectedResponseError);
  await vi.waitFor(() => expect(isClosed).toBe(true), waitTimeout);
});

test('every error of a POST has the idempotency key that was sent', async () => {
  await using stub = await startStub((response, request) => {
    if (request.url?.includes('cancel')) response.destroy();
    else response.writeHead(502, { 'X-Request-Id': 'r2' }).end();
  });
  const failed = await caught(stub.client.createShipment(shipmentRequest()));
  expect(failed).toMatchObject({ operation: 'createShipment', attempts: 1, requestId: 'r2' });
  const cancel = { shipment_id: 'ship_1', reason: 'Late' };
  const cut = await caught(stub.client.cancelShipment(cancel, { idempotencyKey: 'mine' }));
  expect(cut).toMatchObject({ idempotencyKey: 'mine', attempts: 1, requestId: null });
  expect(stub.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([failed.idempotencyKey, 'mine']);
});
