import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionError, createClient, ProblemError, UnexpectedResponseError, WaybillError } from '@waybill/client';
import { expect, test } from 'vitest';
import { shipmentRequest } from '../fixtures/shipments.ts';
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
  ['half a problem', respondWith(500, 'application/problem+json', '{"code":"int'), 500, '{"code":"int'],
  ["another service's JSON", respondWith(404, 'application/json', '{"code":"NOT_FOUND"}'), 404, { code: 'NOT_FOUND' }],
])('%s is an UnexpectedResponseError with status and body', async ([, respond, status, body]) => {
  await using stub = await startStub(respond);
  const error = await caught(stub.client.listShipments());
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(error).toBeInstanceOf(WaybillError);
  expect(error).toMatchObject({ name: 'UnexpectedResponseError', status });
  expect((error as UnexpectedResponseError).body).toEqual(body);
  expect((error as Error).message).toContain(String(status));
});

test('a problem with an unknown code is a ProblemError with that code', async () => {
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
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toBeInstanceOf(WaybillError);
  const { title, detail, code, status, errors } = problem;
  expect(error).toMatchObject({ name: 'ProblemError', title, detail, code, status, errors, requestId: 'r1', problem });
  expect((error as Error).message).toBe(
    'Wrong phase: It must be full. (moon_phase, request r1)\n  body/moon must be full',
  );
});

test.for([
  ['sends no response', () => {}],
  ['stops in the middle of its response', (_: unknown, response: ServerResponse) => void response.write('{"data":[')],
] as const)('a server that %s causes a ConnectionError after the timeout', async ([, respond]) => {
  await using stub = await startStub(respond, { timeout: 100 });
  const error = await caught(stub.client.listShipments());
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ message: 'listShipments: no complete response within 100 ms' });
  expect((error as ConnectionError).cause).toMatchObject({ name: 'TimeoutError' });
  // The timeout of a call overrides that of the client.
  await expect(stub.client.listShipments({ timeout: 50 })).rejects.toThrow('within 50 ms');
});

test('a connection closed within a response causes a ConnectionError', async () => {
  await using stub = await startStub((_, response) => {
    response.writeHead(201, { 'content-length': 100 }).write('{"id":');
    setImmediate(() => response.destroy());
  });
  const error = await caught(stub.client.createShipment({ body: shipmentRequest() }));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ message: 'createShipment: the connection failed', cause: expect.any(Error) });
});

test('a port without a server causes a ConnectionError', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'wbk_stub', retries: 0 });
  expect(await caught(client.listShipments())).toBeInstanceOf(ConnectionError);
});

test("a call that is aborted at any time rejects with the signal's reason", async () => {
  const reason = new Error('The caller aborted.');
  await using stub = await startStub(() => {});
  await expect(stub.client.listShipments({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(stub.requests).toEqual([]);

  for (const begin of ['', '{"data":[']) {
    const controller = new AbortController();
    await using slow = await startStub((_, response) => {
      if (begin) response.write(begin);
      setImmediate(() => controller.abort(reason));
    });
    await expect(slow.client.listShipments({ signal: controller.signal })).rejects.toBe(reason);
    expect(slow.requests).toHaveLength(1);
  }
});
