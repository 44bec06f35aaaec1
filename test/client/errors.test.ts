import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UnderlyingSource } from 'node:stream/web';
import { inspect } from 'node:util';
import {
  AbortError,
  ConnectionError,
  createClient,
  TimeoutError,
  UnexpectedResponseError,
  WaybillClientError,
  WaybillError,
} from '@waybill/client';
import { expect, vi } from 'vitest';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { startStub } from './stub.ts';

const caught = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable('it must reject'),
    (error) => error,
  );

const page = '<html><body>Bad gateway</body></html>';
const respondWith = (status: number, type: string, body: string) => (_: unknown, response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': type }).end(body);

test.for<[string, ReturnType<typeof respondWith>, number, unknown]>([
  ["a proxy's 502 in HTML", respondWith(502, 'text/html', page), 502, page],
  ['a 502 without a body', respondWith(502, 'text/plain', ''), 502, ''],
  ["a portal's 200 in HTML", respondWith(200, 'text/html', page), 200, page],
  ["a gateway's own problem", respondWith(503, 'application/problem+json', '{"title":"No"}'), 503, { title: 'No' }],
  ["a portal's 200 with other JSON", respondWith(200, 'application/json', '"ok"'), 200, 'ok'],
  ['half a response', respondWith(200, 'application/json', '{"data":['), 200, '{"data":['],
  ['half a problem', respondWith(500, 'application/problem+json', '{"code":"int'), 500, '{"code":"int'],
  ["another service's JSON", respondWith(404, 'application/json', '{"code":"NOT_FOUND"}'), 404, { code: 'NOT_FOUND' }],
])('%s is an UnexpectedResponseError with status and body', async ([, respond, status, body]) => {
  await using stub = await startStub(respond);
  const error = await caught(stub.client.listShipments());
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(error).toBeInstanceOf(WaybillClientError);
  expect(error).toMatchObject({ name: 'UnexpectedResponseError', status, operation: 'listShipments', attempts: 1 });
  expect((error as UnexpectedResponseError).body).toEqual(body);
  expect((error as Error).message).toContain(String(status));
});

test('a problem with an unknown code is a WaybillError with that code', async () => {
  const problem = {
    type: 'tag:waybill-freight.github.io,2026:moon_phase',
    title: 'Wrong phase',
    status: 409,
    detail: 'It must be full.',
    instance: '/v1/shipments',
    code: 'moon_phase',
    request_id: 'r1',
    errors: [{ in: 'body', pointer: '/moon', code: 'not_full', detail: 'must be full' }],
  };
  await using stub = await startStub(
    respondWith(409, 'Application/Problem+JSON; charset=utf-8', JSON.stringify(problem)),
  );
  const error = await caught(stub.client.listShipments());
  expect(error).toBeInstanceOf(WaybillError);
  expect(error).toBeInstanceOf(WaybillClientError);
  const { title, detail, code, status, errors } = problem;
  expect(error).toMatchObject({ name: 'WaybillError', title, detail, code, status, errors, requestId: 'r1', problem });
  expect((error as Error).message).toBe(
    'Wrong phase: It must be full. (moon_phase, request r1)\n  body/moon must be full',
  );
});

test.for([
  [
    'is cut',
    { pull: (body) => body.error(new TypeError('terminated')) },
    ConnectionError,
    'the connection failed (terminated)',
  ],
  ['stalls', {}, TimeoutError, 'no complete response within the attemptTimeout of 100 ms'],
] satisfies [string, UnderlyingSource, object, string][])(
  'the error of a response that %s has its request id',
  async ([, body, type, message]) => {
    const headers = { 'X-Request-Id': 'r3' };
    const fetch = async () => new Response(new ReadableStream(body), { status: 201, headers });
    const client = createClient({ apiKey: 'wbk_stub', fetch, maxRetries: 0, attemptTimeout: 100 });
    const error = await caught(client.createShipment(shipmentRequest()));
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ requestId: 'r3', message: `createShipment: ${message}` });
  },
);

test('a refused connection fails after three attempts, and the error says what to check', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const client = createClient({ baseUrl, apiKey: 'wbk_stub' });
  const error = await caught(client.listShipments({}, { headers: { 'X-Request-Id': 'mine' } }));
  expect(error).toBeInstanceOf(ConnectionError);
  const reason = `connect ECONNREFUSED 127.0.0.1:${port}`;
  expect(error).toMatchObject({
    requestId: 'mine',
    attempts: 3,
    message: `listShipments: cannot connect to ${baseUrl} (${reason}), attempt 3. Check baseUrl, and that the service runs.`,
  });
  const url = `http://127.0.0.1:${port}/v1/files/secret`;
  expect(await caught(client.getProofFile({ url }))).toMatchObject({
    message: expect.stringMatching(`^getProofFile: cannot connect to http://127.0.0.1:${port} `),
  });
});

test('the error of a 404 names a base URL without /v1, and no other', async ({ service, account }) => {
  await using stub = await startStub(respondWith(404, 'text/html', page));
  for (const baseUrl of [service.origin, stub.url]) {
    const error = await caught(createClient({ baseUrl, apiKey: account.key }).listShipments());
    expect((error as Error).message).toContain(` Does baseUrl "${baseUrl}" lack "/v1" at its end?`);
  }
  const error = await caught(account.client.getShipment({ shipment_id: 'ship_01kjpx8p02fabr24pa3eywnyp2' }));
  expect((error as Error).message).not.toContain('baseUrl');
});

test('a printed error and its stack begin with its name', async () => {
  await using stub = await startStub(respondWith(404, 'application/problem+json', '{"title":"T","code":"c"}'));
  for (const [name, error] of [
    ['WaybillError', await caught(stub.client.listShipments())],
    ['AbortError', await caught(stub.client.listShipments({}, { signal: AbortSignal.abort() }))],
  ] as const) {
    expect(inspect(error)).toMatch(new RegExp(`^${name}: `));
    expect((error as Error).stack).toMatch(new RegExp(`^${name}: `));
  }
});

test("an abort reaches the signal of fetch at once, and the call rejects with the abort's reason as the cause", async () => {
  const reason = new Error('The caller aborted.');
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<AbortSignal>();
  const fetch = ({ signal }: Request) => {
    resolve(signal);
    return new Promise<never>(() => {});
  };
  const listing = createClient({ apiKey: 'wbk_stub', fetch }).listShipments({}, { signal: controller.signal });
  const ended = caught(listing);
  const signal = await promise;
  expect(signal.aborted).toBe(false);
  controller.abort(reason);
  expect(signal.aborted).toBe(true);
  expect(await ended).toBeInstanceOf(AbortError);
  expect(await ended).toMatchObject({ name: 'AbortError', cause: reason, attempts: 1 });
});

test('a call with an aborted signal sends no request', async () => {
  const reason = new Error('The caller aborted.');
  await using stub = await startStub(() => {});
  const error = await caught(stub.client.listShipments({}, { signal: AbortSignal.abort(reason) }));
  expect(error).toMatchObject({ name: 'AbortError', cause: reason, attempts: 0 });
  expect(stub.requests).toEqual([]);
});

test('nothing is left unhandled when only the whole response is awaited', async () => {
  await using stub = await startStub(respondWith(404, 'text/html', page));
  await expect(stub.client.listShipments().withResponse()).rejects.toMatchObject({ status: 404 });
});

test('a response larger than every valid one is not read to its end', async () => {
  let isClosed = false;
  const mebibyte = Buffer.alloc(2 ** 20, ' ');
  await using stub = await startStub((_, response) => {
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
  await using stub = await startStub((request, response) => {
    if (request.url?.includes('cancel')) response.destroy();
    else response.writeHead(502, { 'X-Request-Id': 'r2' }).end();
  });
  const failed = (await caught(stub.client.createShipment(shipmentRequest()))) as WaybillClientError;
  expect(failed).toMatchObject({ operation: 'createShipment', attempts: 1, requestId: 'r2' });
  const cancel = { shipment_id: 'ship_1', reason: 'Late' };
  const cut = await caught(stub.client.cancelShipment(cancel, { idempotencyKey: 'mine' }));
  expect(cut).toMatchObject({ idempotencyKey: 'mine', attempts: 1, requestId: null });
  const keys = stub.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([failed.idempotencyKey, 'mine']);
});
