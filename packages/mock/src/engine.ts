import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { operationTable } from '@waybill/contract/operations';
import { hasContentCoding, isMatch, mediaTypeOf, requestIdOf } from '@waybill/contract/request-headers';
import { InvalidRequest } from '@waybill/contract/validation/invalid-request';
import { type JsonLimits, jsonLimits, parseJson } from '@waybill/contract/validation/parse-json';
import { requestSchemas } from '@waybill/contract/validation/request-schemas';
import { type RequestCheck, requestValidator } from '@waybill/contract/validation/request-validator';
import canonicalJson from 'safe-stable-stringify';
import { exampleEvents, storedEvents } from './events.ts';
import { type Example, examplesOf, successOf } from './examples.ts';
import { idempotency } from './idempotency.ts';
import { type Call, successBody } from './operations.ts';
import { preferredExample, takePreferences } from './preferences.ts';
import { exampleResponse, type MockResponse, problemResponse, Refusal } from './responses.ts';
import { basePath, findRoute, type OperationId } from './routes.ts';
import { exampleShipments, storedShipments } from './shipments.ts';
import { storedWebhooks } from './stored-webhooks.ts';
import { exampleWebhooks } from './webhooks.ts';

/** A request that was read. */
export interface MockRequest {
  method: string;
  /** Path and query, percent-encoded. */
  target: string;
  headers: IncomingHttpHeaders;
  /** Undefined for a body that is too large. */
  body: Buffer | undefined;
}

export interface EngineOptions {
  /** Stores what requests change. */
  stateful: boolean;
  maxShipments: number;
  /** The share of requests that fail, from 0 to 1. */
  errors: number;
  /** Ends the sending of webhooks. */
  signal: AbortSignal;
}

export type Engine = (request: MockRequest) => MockResponse;

/** What checks the requests of an operation. */
interface Checks {
  check: RequestCheck;
  contentTypes: string[];
  limits: JsonLimits;
}

const compiled = new Map<OperationId, Checks>();

/** Compiles the checks of an operation when it is first called, so that the mock starts quickly. */
function checksOf(id: OperationId): Checks {
  const known = compiled.get(id);
  if (known) return known;
  const { body = {}, contentTypes } = requestSchemas(id);
  const checks = { check: requestValidator(id), contentTypes, limits: jsonLimits(body) };
  compiled.set(id, checks);
  return checks;
}

/** Makes the function that turns a request into a response. */
export function createEngine({ stateful, maxShipments, errors, signal }: EngineOptions): Engine {
  const shipments = stateful ? storedShipments(maxShipments) : exampleShipments;
  const stored = stateful ? storedWebhooks(signal) : undefined;
  const webhooks = stored ?? exampleWebhooks;
  const events = stored ? storedEvents(stored.publish) : exampleEvents;
  const once = stateful ? idempotency() : undefined;

  return (request) => {
    const requestId = requestIdOf(request.headers['x-request-id']);
    const [path = '', search = ''] = request.target.split(/[?#](.*)/s);
    try {
      return respond(request, path, search, requestId);
    } catch (error) {
      if (error instanceof InvalidRequest) {
        const { code, message, errors } = error;
        return problemResponse(new Refusal(code, message, errors && { errors }), path, requestId);
      }
      if (error instanceof Refusal) return problemResponse(error, path, requestId);
      throw error;
    }
  };

  function respond(request: MockRequest, path: string, search: string, requestId: string): MockResponse {
    const { method, headers, target } = request;
    const route = findRoute(method, path);
    if (Array.isArray(route)) throw noOperation(method, route);
    const { id, params } = route;
    const { scope } = operationTable[id];
    if (scope !== null && !/^Bearer +\S+$/i.test(headers.authorization ?? '')) {
      const headers = { 'WWW-Authenticate': 'Bearer' };
      throw new Refusal('unauthenticated', 'The API key is missing or invalid.', {}, headers);
    }
    const query = parseQuery(search);
    const preferences = takePreferences(single(headers.prefer), query);
    const { check, contentTypes, limits } = checksOf(id);
    const body = readBody(request, contentTypes, limits);
    check({ params, query, headers, body, url: target });
    const preferred = preferredExample(id, preferences);
    if (preferred) return exampleResponse(preferred, requestId);
    const failure = Object.keys(preferences).length === 0 && Math.random() < errors && failureOf(id);
    if (failure) return exampleResponse(failure, requestId);

    const lastEventId = single(headers['last-event-id']);
    const call: Call = { id, params, query, body, shipments, events, lastEventId, webhooks };
    const key = method === 'POST' ? single(headers['idempotency-key']) : undefined;
    const execute = (): MockResponse => {
      try {
        return success(call, headers['if-none-match'], requestId);
      } catch (error) {
        if (error instanceof Refusal) return problemResponse(error, path, requestId);
        throw error;
      }
    };
    if (!once) return execute();
    const response = once(key, canonicalJson([id, params, body]), execute);
    const isProblem = response.status >= 400; // a stored one gets the id of this request
    return {
      ...response,
      headers: { ...response.headers, 'X-Request-Id': requestId },
      body: isProblem ? { ...(response.body as object), request_id: requestId } : response.body,
    };
  }
}

function noOperation(method: string, allowed: string[]): Refusal {
  if (allowed.length === 0) return new Refusal('not_found', 'There is nothing at this URL.');
  const Allow = allowed.join(', ');
  return new Refusal('method_not_allowed', `Use ${Allow} here, not ${method}.`, {}, { Allow });
}

const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header;

/** A repeated parameter is an array. */
function parseQuery(search: string): Record<string, unknown> {
  const query: Record<string, string | string[]> = Object.create(null);
  // URLSearchParams would ignore a question mark at the beginning.
  for (const [name, value] of new URLSearchParams(`&${search}`)) {
    const known = query[name];
    query[name] = known === undefined ? value : [known, value].flat();
  }
  return query;
}

/** @returns parsed JSON; undefined for none and for a file */
function readBody({ headers, body }: MockRequest, types: string[], limits: JsonLimits): unknown {
  if (types.length === 0) return undefined;
  if (hasContentCoding(headers['content-encoding'])) {
    const accepted = { 'Accept-Encoding': 'identity' };
    throw new Refusal('unsupported_media_type', 'Send the body without a Content-Encoding.', {}, accepted);
  }
  const type = mediaTypeOf(headers['content-type']);
  const isMissing = type === undefined && body?.length === 0;
  if (!isMissing && !types.includes(type ?? '')) {
    throw new Refusal('unsupported_media_type', `Send ${types.join(' or ')}.`);
  }
  if (!body) throw new Refusal('payload_too_large', 'Request body is too large.');
  return type === 'application/json' && body.length > 0 ? parseJson(body, limits) : undefined;
}

/** One of the operation's failures that do not depend on the request. */
function failureOf(id: OperationId): Example | undefined {
  const failures = examplesOf(id).filter(({ status }) => status === 429 || status >= 500);
  return failures[Math.floor(Math.random() * failures.length)];
}

function success(call: Call, ifNoneMatch: string | undefined, requestId: string): MockResponse {
  const example = successOf(call.id);
  const body = successBody(call);
  const { status, headers } = exampleResponse({ ...example, value: undefined }, requestId);
  if ('Location' in headers)
    headers.Location = `${basePath}${operationTable[call.id].path}/${(body as { id: string }).id}`;
  if (!('ETag' in headers)) return { status, headers, body };
  const tag = createHash('sha256').update(JSON.stringify(body)).digest().subarray(0, 16).toString('base64url');
  headers.ETag = `"${tag}"`;
  if (!isMatch(ifNoneMatch, headers.ETag)) return { status, headers, body };
  const { 'Content-Type': _, ...notModified } = headers;
  return { status: 304, headers: notModified };
}
