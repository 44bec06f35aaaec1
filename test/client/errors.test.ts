import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UnderlyingSource } from 'node:stream/web';
import {
  AbortError,
  ConnectionError,
  createClient,
  TimeoutError,
  UnexpectedResponseError,
  WaybillClientError,
  WaybillError,
} from '@waybill/client';
import { expect, test, vi } from 'vitest';
import { shipmentRequest } from '../fixtures/shipments.ts';
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
  ["a portal's 200 with other JSON", respondWith(200, 'application/json', '"ok"'), 200, '"ok"'],
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
    type: '/docs/errors/moon_phase',
    title: 'Wrong phase',
    status: 409,
    detail: 'It must be full.',
    instance: '/v1/shipments',
    code: 'moon_phase',
    request_id: 'r1',
    errors: [{ in: 'body', pointer: '/moon', code: 'not_full', detail: 'must be full' }],
  };
  await using stub = await startStub(
    respondWith(409, 'application/problem+json; charset=utf-8', JSON.stringify(problem)),
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
  ['sends no response', () => {}],
  ['stops in the middle of its response', (_: unknown, response: ServerResponse) => void response.write('{"data":[')],
] as const)('a server that %s causes a TimeoutError', async ([, respond]) => {
  await using stub = await startStub(respond, { attemptTimeout: 100 });
  const error = await caught(stub.client.listShipments());
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ message: 'listShipments: no complete response within the attemptTimeout of 100 ms' });
  // The timeout of a call overrides that of the client.
  await expect(stub.client.listShipments({ attemptTimeout: 50 })).rejects.toThrow('attemptTimeout of 50 ms');
});

test('a connection closed within a response causes a ConnectionError', async () => {
  await using stub = await startStub((_, response) => {
    response.writeHead(201, { 'content-length': 100 }).write('{"id":');
    setImmediate(() => response.destroy());
  });
  const error = await caught(stub.client.createShipment({ body: shipmentRequest() }));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ message: expect.stringMatching(/^createShipment: the connection failed \(.+\)$/) });
});

test.for([
  ['ConnectionError', 'is cut', { pull: (body) => body.error(new TypeError('terminated')) }],
  ['TimeoutError', 'stalls', {}],
] satisfies [string, string, UnderlyingSource][])(
  'a %s has the request id of the response that %s after its headers',
  async ([name, , body]) => {
    const headers = { 'X-Request-Id': 'r3' };
    const fetch = async () => new Response(new ReadableStream(body), { status: 201, headers });
    const client = createClient({ apiKey: 'wbk_stub', fetch, maxRetries: 0, attemptTimeout: 100 });
    const error = await caught(client.createShipment({ body: shipmentRequest() }));
    expect(error).toMatchObject({ name, requestId: 'r3' });
  },
);

test('a port without a server causes a ConnectionError', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'wbk_stub', maxRetries: 0 });
  const error = await caught(client.listShipments({ headers: { 'X-Request-Id': 'mine' } }));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ requestId: 'mine', message: expect.stringContaining('ECONNREFUSED') });
});

test("a call that is aborted at any time rejects with an AbortError and the signal's reason as its cause", async () => {
  const reason = new Error('The caller aborted.');
  await using stub = await startStub(() => {});
  const atOnce = await caught(stub.client.listShipments({ signal: AbortSignal.abort(reason) }));
  expect(atOnce).toBeInstanceOf(AbortError);
  expect(atOnce).toMatchObject({ cause: reason, attempts: 0 });
  expect(stub.requests).toEqual([]);

  for (const begin of ['', '{"data":[']) {
    const controller = new AbortController();
    await using slow = await startStub((_, response) => {
      if (begin) response.write(begin);
      setImmediate(() => controller.abort(reason));
    });
    const { signal } = controller;
    await expect(slow.client.listShipments({ signal })).rejects.toMatchObject({ name: 'AbortError', cause: reason });
    expect(slow.requests).toHaveLength(1);
  }
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
  const failed = (await caught(stub.client.createShipment({ body: shipmentRequest() }))) as WaybillClientError;
  expect(failed).toMatchObject({ operation: 'createShipment', attempts: 1, requestId: 'r2' });
  const cancel = { path: { shipment_id: 'ship_1' }, body: { reason: 'Late' }, idempotencyKey: 'mine' };
  const cut = await caught(stub.client.cancelShipment(cancel));
  expect(cut).toMatchObject({ idempotencyKey: 'mine', attempts: 1, requestId: null });
  const keys = stub.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([failed.idempotencyKey, 'mine']);
});
