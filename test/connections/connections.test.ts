import { expect } from 'vitest';
import { exchange, failuresIn, open, type RawResponse, summaryOf } from '../fixtures/raw-http.ts';
import { startService } from '../fixtures/service.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test as base, newAccount, perFile } from '../fixtures/test.ts';
import { connectionCases, last } from './cases.ts';

async function startLogged() {
  const log: Record<string, unknown>[] = [];
  const service = await startService({ LOG_LEVEL: 'info' }, log);
  const { key } = await newAccount(service);
  return { ...service, log, key };
}
const test = base.extend<{ $file: { logged: Awaited<ReturnType<typeof startLogged>> } }>({
  logged: perFile(startLogged),
});

/** A response that closes the connection has `Connection: close`, and without an operation no RateLimit header. */
function expectRefusal({ status, headers, body }: RawResponse): void {
  expect(headers).toMatchObject({ connection: 'close', 'x-request-id': JSON.parse(body).request_id });
  if (status !== 413) expect(Object.keys(headers)).not.toContain('ratelimit');
}

test.for(connectionCases)('for $name the service returns $responses', async ({ bytes, responses }, { logged }) => {
  const { log, key } = logged;
  const received = await exchange(logged, Buffer.from(bytes(key) + last, 'latin1'));
  expect(received.map(summaryOf)).toEqual(responses);
  const [end] = received.slice(-1);
  if (end && end.status >= 400) expectRefusal(end);
  expect((await fetch(`${logged.origin}/health/live`)).status).toBe(200);
  expect(failuresIn(log)).toEqual([]);
});

test('pipelined writes get their responses in the order of the requests', async ({ logged }) => {
  const references = Array.from({ length: 10 }, () => crypto.randomUUID());
  const requests = references.map((reference) => {
    const body = JSON.stringify({ ...shipmentRequest(), reference });
    const head = `POST /v1/shipments HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${logged.key}\r\nContent-Type: application/json`;
    return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
  const received = await exchange(logged, requests.join('') + last);
  expect(received.slice(0, -1).map(({ body }) => JSON.parse(body).reference)).toEqual(references);
});

test('a connection closed within a request causes no 5xx response and no error log', async ({ logged }) => {
  const { log, key } = logged;
  const whole = connectionCases.find(({ name }) => name === 'a chunked body')?.bytes(key) ?? '';
  for (const length of [1, 20, whole.indexOf('\r\n\r\n') + 2, whole.indexOf('{'), whole.length - 10]) {
    for (const end of ['end', 'resetAndDestroy'] as const) {
      const { socket, closed } = await open(logged);
      await new Promise((written) => socket.write(whole.slice(0, length), written));
      socket[end]();
      await closed;
    }
  }
  expect((await fetch(`${logged.origin}/health/live`)).status).toBe(200);
  expect(failuresIn(log)).toEqual([]);
});

test.for([
  ['an unknown path', 'GET', '/v1/nothing', 404],
  ['a method that the path does not have', 'DELETE', '/v1/shipments', 405],
] as const)('the response for %s has no RateLimit header', async ([, method, path, status], { logged }) => {
  const headers = { authorization: `Bearer ${logged.key}` };
  const response = await fetch(logged.origin + path, { method, headers });
  expect(response.status).toBe(status);
  expect([...response.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
});
