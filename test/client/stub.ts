import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ClientOptions, createClient } from '@waybill/client';
import { startReceiver } from '@waybill/tools/lab/network/receiver';

type Respond = (response: ServerResponse, request: IncomingMessage) => unknown;

/** What a shipment and a list have at least. */
export const success = '{"id":"ship_1","data":[]}';
const succeed: Respond = (response) => response.writeHead(200, { 'X-Request-Id': 'r1' }).end(success);

/** A server that misbehaves as the service never would, with its requests. Its client sends nothing twice. */
export async function startStub(respond = succeed, options: ClientOptions = {}) {
  const requests: IncomingMessage[] = [];
  const server = await startReceiver((request, response) => {
    requests.push(request);
    request.resume();
    respond(response, request);
  });
  const { origin: url } = new URL(server.url);
  return {
    ...server,
    client: createClient({ baseUrl: `${url}/v1`, apiKey: 'wbk_stub', maxRetries: 0, ...options }),
    url,
    requests,
  };
}
