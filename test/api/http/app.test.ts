import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { httpServerFactory } from '@waybill/http/server';
import { buildApp } from '@waybill/server/app';
import { readConfig } from '@waybill/server/config';
import { expect, test } from 'vitest';
import { signingKey } from '../../fixtures/service.ts';

test('buildApp succeeds without a database, and health checks refuse other methods', async () => {
  const DATABASE_URL = 'postgres://user@127.0.0.1:1/nothing';
  const app = await buildApp(readConfig({ DATABASE_URL, SIGNING_KEYS: signingKey, LOG_LEVEL: 'silent' }, []));
  expect((await app.inject('/health/live')).statusCode).toBe(200);
  expect((await app.inject('/health/ready')).json()).toMatchObject({ code: 'unavailable', status: 503 });
  const other = await app.inject({ method: 'POST', url: '/health/live?a=b', payload: 'x' });
  expect([other.json().code, other.headers.allow]).toEqual(['method_not_allowed', 'GET, HEAD']);
  await app.close();
});

test('the server closes the connection of a client that does not read its response', async () => {
  const size = 10 * 1024 * 1024;
  const limits = { requestTimeout: 100, maxConnections: 1 };
  const server = httpServerFactory(limits)((_request, response) => response.end(Buffer.alloc(size)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  const [accepted] = (await once(server, 'connection')) as [Socket];
  await once(accepted, 'close');
  expect((await buffer(socket)).length).toBeLessThan(size);
  server.close();
});
