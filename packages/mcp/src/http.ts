import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Client } from '@waybill/client';
import { createServer } from './server.ts';

interface Exchange {
  /** Its body is `message`. Aborts when nobody waits for the response. */
  request: Request;
  /** The parsed body. */
  message: unknown;
  /** Has the key of the caller. */
  client: Client;
  onError(error: unknown): void;
}

/**
 * Responds to a message of streamable HTTP, without a session: each request has a server of its own, which only reads.
 * @throws the reason of the signal of the request when it aborts
 */
export async function respond({ request, message, client, onError }: Exchange): Promise<Response> {
  const server = createServer(client, { onError });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const aborted = Promise.withResolvers<never>();
  request.signal.addEventListener('abort', () => aborted.reject(request.signal.reason));
  try {
    return await Promise.race([transport.handleRequest(request, { parsedBody: message }), aborted.promise]);
  } finally {
    await server.close(); // aborts what still runs
  }
}
