import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Client } from '@waybill/client';
import { connectServer, createServer } from './server.ts';

interface Exchange {
  /** Its body is `message`. Aborts when nobody waits for the response. */
  request: Request;
  /** The parsed body. */
  message: unknown;
  /** Has the key of the caller. */
  client: Client;
  onError(error: unknown): void;
}

/** The response that nobody gets, because its client has disconnected. HTTP has none; proxies log 499. */
const abandoned = (): Response => new Response(null, { status: 499 });

/** Responds to a message of streamable HTTP, without a session: each request has a server of its own, which only reads. */
export async function respond({ request, message, client, onError }: Exchange): Promise<Response> {
  const server = createServer(client, { onError });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await connectServer(server, transport);
  const { signal } = request;
  const aborted = new Promise<Response>((resolve) => {
    signal.addEventListener('abort', () => resolve(abandoned()));
  });
  try {
    if (signal.aborted) return abandoned();
    return await Promise.race([transport.handleRequest(request, { parsedBody: message }), aborted]);
  } finally {
    await server.close(); // aborts what still runs
  }
}
