import { randomBytes } from 'node:crypto';
import { operationTable } from '@waybill/contract/operations';
import { mediaTypeOf } from '@waybill/contract/request-headers';
import { requireShipmentOf } from '@waybill/http/access';
import { signedLinks } from '@waybill/http/files/signed-urls';
import {
  fingerprintOf,
  idempotencyKey,
  isStorable,
  keyReused,
  replayOrThrow,
  storedProblem,
} from '@waybill/http/idempotency';
import {
  asOperationRequest,
  type OperationId,
  type OperationRequest,
  type OperationResponse,
  operationIds,
  responsesOf,
} from '@waybill/http/operations';
import { readCursor } from '@waybill/http/pagination';
import { Problem } from '@waybill/http/problems';
import { closeSignal, etagOf, requireMatch } from '@waybill/http/responses';
import { bodyStreamer, eventStreamHeaders, eventText } from '@waybill/http/streamed-body';
import type { FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Prism, Selection } from './prism/engine.ts';
import { notSelectable, selectionOf } from './selection.ts';
import { sendMocked } from './send.ts';
import { basePath, type MockContext, reads } from './state/reads.ts';
import { addBounded, type State } from './state/state.ts';
import { writes } from './state/writes.ts';

export interface MockServices {
  prism: Prism;
  /** Returns what is stored now. */
  state(): State;
  /** Whether requests change it. */
  isStateful: boolean;
  /** The share of requests that fail, from 0 to 1. */
  errors: number;
  /** Seconds after which a stream ends. */
  streamSeconds: number;
  /** Aborts when the mock stops. */
  closing: AbortSignal;
}

type AnyHandler = (request: OperationRequest<never>, context: MockContext) => Promise<OperationResponse>;
const reader = (id: OperationId) => reads[id] as AnyHandler | undefined;
const writer = (id: OperationId) => writes[id] as AnyHandler | undefined;

/** Stored responses. For one too many, the oldest is removed. */
const maxResponses = 1000;

/** Makes the handlers of the operations. Their requests are valid. */
export function mockHandlers(services: MockServices): (id: OperationId) => RouteHandlerMethod {
  const { prism, errors, isStateful } = services;
  const signingKey = randomBytes(32).toString('hex');
  const sendStreamed = bodyStreamer();

  /** Returns a response that Prism chooses and makes. */
  async function select(id: OperationId, request: FastifyRequest, selection: Selection): Promise<OperationResponse> {
    const { dynamic } = selection;
    // Prism's random event stream is a sequence of words.
    if (dynamic && id === 'streamEvents') return streamOf(await select('listEvents', request, selection));
    const response = await prism.respond(id, selection, request.headers.accept);
    if (!response) throw notSelectable(request, id);
    const isChosen = selection.code !== undefined || selection.exampleKey !== undefined;
    return isChosen && !dynamic ? response : withLastPage(response, request);
  }

  /** Returns the response that Prism makes for a request that selects none. @throws {Problem} cursor_mismatch */
  async function generate(id: OperationId, request: FastifyRequest): Promise<OperationResponse> {
    const { cursor } = request.query as { cursor?: string };
    if (cursor !== undefined && id === 'listWebhookDeliveries')
      readCursor(cursor, request.params as { webhook_endpoint_id: string }, 16);
    const etag = await requireVersion(id, request);
    const response = await select(id, request, {});
    return etag !== undefined && response.status === 200 ? { ...response, etag } : response;
  }

  /**
   * Checks the `If-Match` of a change. The current version is always the one that a read returns.
   * @returns its ETag; undefined for other operations
   * @throws {Problem} precondition_failed
   */
  async function requireVersion(id: OperationId, request: FastifyRequest): Promise<string | undefined> {
    const { path, headers } = operationTable[id];
    if (!headers.some((name) => name === 'If-Match')) return undefined;
    const read = operationIds.find(
      (other) => operationTable[other].path === path && operationTable[other].method === 'GET',
    );
    if (!read) return undefined;
    const etag = etagOf(JSON.stringify((await select(read, request, {})).body));
    const { 'if-match': ifMatch } = request.headers;
    if (ifMatch !== undefined) requireMatch(ifMatch, etag);
    return etag;
  }

  /** Without state, reads know the examples of the contract. Prism makes all other responses. */
  async function readOrSelect(id: OperationId, request: FastifyRequest, context: MockContext) {
    try {
      return (await reader(id)?.(asOperationRequest(request), context)) ?? (await generate(id, request));
    } catch (error) {
      if (error instanceof Problem && [404, 409].includes(error.status)) return generate(id, request);
      throw error;
    }
  }

  /** Executes a request; one with an `Idempotency-Key` only once. */
  async function execute(id: OperationId, request: FastifyRequest, context: MockContext): Promise<OperationResponse> {
    const run = reader(id) ?? writer(id) ?? (() => generate(id, request));
    const sentKey = idempotencyKey(id, request);
    if (sentKey === undefined) return run(asOperationRequest(request), context);
    const key = request.access ? `${request.headers.authorization}\n${sentKey}` : sentKey; // the keys of an access are its own
    const { responses } = context.state;
    const fingerprint = fingerprintOf({ operation: id, path: request.params, body: request.body });
    const stored = responses.get(key);
    if (stored && !stored.fingerprint.equals(fingerprint)) throw keyReused();
    if (stored) return replayOrThrow(stored.response);
    const store = (response: OperationResponse) => addBounded(responses, key, { fingerprint, response }, maxResponses);
    try {
      const response = await run(asOperationRequest(request), context);
      store(response);
      return response;
    } catch (error) {
      if (isStorable(error)) store(storedProblem(error));
      throw error;
    }
  }

  function respond(id: OperationId, request: FastifyRequest, context: MockContext): Promise<OperationResponse> {
    const selection = selectionOf(request, id);
    if (selection) return select(id, request, selection);
    const failures = [429, 500, 503].filter((status) => status in responsesOf(id));
    const code = failures[Math.floor(Math.random() * failures.length)];
    if (code !== undefined && Math.random() < errors) return select(id, request, { code });
    return isStateful ? execute(id, request, context) : readOrSelect(id, request, context);
  }

  return (id) => async (request, reply) => {
    const { access, scopes } = request;
    if (access) requireShipmentOf(access, request.params);
    const origin = `http://${request.host}`;
    const baseUrl = origin + basePath;
    const context = {
      access,
      scopes,
      state: services.state(),
      now: new Date(),
      links: signedLinks([signingKey], baseUrl, baseUrl),
      origin,
      contentType: mediaTypeOf(request.headers['content-type']) ?? '',
      signal: AbortSignal.any([services.closing, closeSignal(reply)]),
      streamSeconds: services.streamSeconds,
    };
    return sendMocked(id, await respond(id, request, context), { reply, baseUrl, sendStreamed });
  };
}

interface List {
  data: unknown[];
  next_cursor?: unknown;
}
const isList = (body: unknown): body is List =>
  typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data) && 'has_more' in body;

/** Ends a list: Prism returns the same page for every cursor. */
function withLastPage(response: OperationResponse, { query }: FastifyRequest): OperationResponse {
  const { body } = response;
  if (!isList(body)) return response;
  const data = body.data.slice(0, (query as { limit?: number }).limit);
  return { ...response, body: { ...body, data, has_more: false, ...('next_cursor' in body && { next_cursor: null }) } };
}

/** Events as a stream that ends. */
const streamOf = ({ body }: OperationResponse): OperationResponse => ({
  status: 200,
  headers: eventStreamHeaders,
  body: (body as { data: Parameters<typeof eventText>[0][] }).data.map(eventText).join(''),
});
