import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, type ClientOptions, createClient } from '@waybill/client';

/** A server that misbehaves as the service never would; its client sends nothing twice. */
export interface Stub extends AsyncDisposable {
  /** A client of it. */
  client: Client;
  url: string;
  /** What came, with addresses as they were on the wire. */
  requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[];
}

export async function startStub(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  options: Partial<ClientOptions> = {},
): Promise<Stub> {
  const requests: Stub['requests'] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    request.resume();
    respond(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    client: createClient({ baseUrl: `${url}/v1`, apiKey: 'wbk_stub', maxRetries: 0, ...options }),
    url,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}
