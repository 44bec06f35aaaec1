import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClientOptions, createClient } from '@waybill/client';

type Respond = (response: ServerResponse, request: IncomingMessage) => unknown;

const succeed: Respond = (response) => response.writeHead(200, { 'X-Request-Id': 'r1' }).end('{}');

/** A server that misbehaves as the service never would, with its requests. Its client sends nothing twice. */
export async function startStub(respond = succeed, options: ClientOptions = {}) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    request.resume();
    respond(response, request);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    client: createClient({ baseUrl: `${url}/v1`, apiKey: 'wbk_stub', maxRetries: 0, ...options }),
    url,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
