import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  ErrorCode,
  JSONRPCMessageSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
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

/** The response to JSON that is no message. For the transport it would be no JSON, and its response has no id. */
function refuse(message: unknown): Response {
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined;
  const schema = id === undefined ? JSONRPCNotificationSchema : JSONRPCRequestSchema;
  const issue = schema.safeParse(message).error?.issues[0];
  const text = issue ? `${issue.path.join('.') || 'message'}: ${issue.message}` : 'message: Invalid input';
  const error = { code: ErrorCode.InvalidRequest, message: `Invalid request: ${text}` };
  const isId = typeof id === 'string' || Number.isInteger(id);
  return Response.json({ jsonrpc: '2.0', id: isId ? id : null, error }, { status: 400 });
}

/** Responds to a message of streamable HTTP, without a session: each request has a server of its own, which only reads. */
export async function respond({ request, message, client, onError }: Exchange): Promise<Response> {
  if (!JSONRPCMessageSchema.safeParse(message).success) return refuse(message);
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
