import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { createClient } from '@waybill/client';
import { scopeProblem } from '@waybill/http/authorization';
import { withChunkLimit } from '@waybill/http/chunk-limit';
import type { JsonLimits } from '@waybill/http/parse-json';
import { Problem } from '@waybill/http/problems';
import { addBodyParsers } from '@waybill/http/request-checks';
import { closeSignal } from '@waybill/http/responses';
import { respond } from '@waybill/mcp/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type DispatchFunc, inject } from 'light-my-request';
import Negotiator from 'negotiator';
import { type Authenticate, setCaller } from '../auth/authenticate.ts';
import { clientAddress } from '../connections/client-address.ts';
import { countWait, type Overload, type Slots } from '../operations/admission.ts';

interface Mcp {
  authenticateAndCount: Authenticate;
  requestSlots: Slots;
  /** The URL of the API. */
  baseUrl: string;
  /** Origins of web pages that may call the API, beside those of the service. */
  corsOrigins: string[];
  /** Milliseconds of delay of the event loop above which requests are refused. */
  overload: Pick<Overload, 'refuse'>;
}

/** Of a message. Those of tools are far below. */
const jsonLimits: JsonLimits = { depth: 50, values: 5000 };

/** In a JSON-RPC error: the request is none. */
const originRefused = -32_000;

/**
 * Adds the tools of agents at /mcp: the streamable HTTP of the Model Context Protocol. A tool sends requests of the API to this
 * app with the key of its caller, so that scopes, limits and accounts are those of the API. For the rate limit, a message counts as
 * one request, with those of its tool.
 */
export async function addMcp(app: FastifyInstance, options: Mcp): Promise<void> {
  const { authenticateAndCount, requestSlots, corsOrigins, overload } = options;
  const origins = [new URL(options.baseUrl).origin, ...corsOrigins];
  addBodyParsers(app, []);

  app.addHook('onRequest', async (request, reply) => {
    overload.refuse();
    // A page may know the service only by a name that leads to it in the network of its visitor (DNS rebinding).
    const { origin, authorization } = request.headers;
    if (origin !== undefined && !origins.includes(origin)) {
      const error = { code: originRefused, message: 'Pages of this origin may not call the service.' };
      return reply.code(403).send({ jsonrpc: '2.0', error, id: null });
    }
    const address = clientAddress(request);
    const found = authenticateAndCount(authorization, address);
    const { key, keyError, limitHeaders } = await countWait(request, found);
    reply.headers(limitHeaders);
    if (key) setCaller(request, key);
    await requestSlots.waitForSlots(request, reply, key?.accountId ?? address, 'mcp', key?.share);
    const problem = scopeProblem(keyError ?? [], null);
    if (problem) throw problem;
  });

  app.addHook('preParsing', async ({ raw }, _reply, body) => withChunkLimit(raw, body));
  app.post('/mcp', { config: { jsonLimits } }, async (request, reply) => {
    if (Array.isArray(request.body)) throw new Problem('malformed_request', 'Send one message, and not a batch.');
    request.releaseSlots?.(); // the requests of the tool have slots of their own
    const signal = closeSignal(reply);
    const { status, headers, body } = await respond({
      request: new Request(new URL('/mcp', options.baseUrl), {
        method: 'POST',
        headers: headersOf(request),
        signal,
      }),
      message: request.body ?? null,
      client: clientOf(app, request, options.baseUrl),
      onError: (error) => request.log.error({ reqId: request.id, err: error }, 'a tool failed'),
    });
    // A notification has no response: null would be sent as JSON.
    return reply
      .code(status)
      .headers(Object.fromEntries(headers))
      .send(body ?? undefined);
  });
}

/** The transport asks for both types by name. A response is always JSON. */
const bothTypes = 'application/json, text/event-stream';

function headersOf({ headers }: FastifyRequest): Headers {
  const accept = { accept: headers.accept?.slice(0, 1000) || '*/*' };
  const acceptsJson =
    new Negotiator({ headers: accept }).mediaType(['application/json', 'application/json; charset=utf-8']) !==
    undefined;
  const names = ['content-type', 'mcp-protocol-version'] as const;
  return new Headers([
    ...(acceptsJson ? [['accept', bothTypes] as [string, string]] : []),
    ...names.flatMap((name): [string, string][] => (headers[name] ? [[name, String(headers[name])]] : [])),
  ]);
}

/** Makes the client of a caller. It sends its requests to the app itself, also while the app drains. */
const clientOf = (app: FastifyInstance, { id, headers, raw }: FastifyRequest, baseUrl: string) =>
  createClient({
    baseUrl,
    apiKey: null,
    headers: { authorization: headers.authorization ?? '', 'x-request-id': id },
    maxRetries: 0, // the agent decides
    async fetch({ url, method, headers: own, signal }: Request) {
      const { pathname, search } = new URL(url);
      const forwarded = headers['x-forwarded-for'];
      const handle = (request: IncomingMessage, response: ServerResponse): void => {
        // The limits of the connection and the address of the caller are those of the message.
        request.socket = raw.socket;
        request.isCounted = true;
        // The response is finished as soon as it is written. The socket of light-my-request takes longer, as if it broke off.
        if (response.socket) response.detachSocket(response.socket);
        response.assignSocket(new Writable({ write: (_chunk, _encoding, done) => done() }) as Socket);
        app.routing(request, response);
      };
      const response = await inject(handle as DispatchFunc, {
        method: method as 'GET',
        url: pathname + search,
        headers: { ...Object.fromEntries(own), ...(forwarded && { 'x-forwarded-for': forwarded }) },
        signal,
      });
      const { statusCode: status, body } = response;
      return new Response(body, { status, headers: response.headers as Record<string, string> });
    },
  });
