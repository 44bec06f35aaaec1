import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import type { Service } from '../harness/service.ts';
import { test } from '../harness/test.ts';

/** Sends raw bytes and answers everything that comes back until the server hangs up. */
async function talk({ origin }: Service, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('utf8').write(bytes);
  let said = '';
  socket.on('data', (text) => {
    said += text;
  });
  await once(socket, 'close');
  return said;
}

test.for([
  ['no HTTP at all', 'HELLO\r\n\r\n', 400, 'malformed_request'],
  ['a broken header', 'GET /v1/shipments HTTP/1.1\r\nhost: a\r\nbroken header\r\n\r\n', 400, 'malformed_request'],
  [
    'two lengths',
    'POST /v1/shipments HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    400,
    'malformed_request',
  ],
  ['endless headers', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(16_400)}\r\n\r\n`, 431, 'headers_too_large'],
] as const)('%s is a problem too', async ([, bytes, status, code], { service }) => {
  const [head = '', body = ''] = (await talk(service, bytes)).split('\r\n\r\n');
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expect(head.toLowerCase()).toContain('content-type: application/problem+json');
  const problem = JSON.parse(body);
  expect(problem).toMatchObject({ status, code });
  expect(head).toContain(`x-request-id: ${problem.request_id}`);
});
