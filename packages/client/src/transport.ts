/** The only room that knows the HTTP library: whatever replaces it changes this file and nothing else. */
import { operations } from '@waybill/contract/operations';
import openapiFetch from 'openapi-fetch';
import { readAnswer, readProblem } from './answers.ts';
import { ConnectionError } from './errors.ts';
import { headersOf, isRepeatable, takes } from './headers.ts';
import type { Answer, CallOptions, OperationId } from './operations.ts';
import { withRetries } from './retries.ts';

/** Sends a request and resolves with its answer; the platform's own `fetch` is one. */
export type Fetch = (request: Request) => Promise<Response>;

interface Connection {
  baseUrl: string;
  apiKey: string;
  fetch: Fetch;
  timeout: number;
  retries: number;
  headers: Record<string, string>;
}

/** Any operation's arguments; the types of the client's methods say which operation takes which. */
interface Outgoing extends CallOptions {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string | null;
  ifNoneMatch?: string | null;
}

/**
 * Performs an operation. A signed `url` takes the place of the operation's own address; it may lie on another host,
 * so nothing that belongs to the client is sent there: no key and no headers but the call's own.
 */
export type Send = (operation: OperationId, call?: Outgoing, url?: string) => Promise<Answer<number, unknown>>;

// The library types every path by itself. Here all operations are alike; the client's methods carry the types.
type Exchange = (method: string, url: string, init: object) => Promise<{ error?: unknown; response: Response }>;

/** Makes what performs the client's operations over one connection. */
export function createTransport({ baseUrl, apiKey, fetch, ...defaults }: Connection): Send {
  const exchange = openapiFetch().request as Exchange;
  return async (operation, call = {}, url) => {
    const { method, path, scope } = operations[operation];
    if (url === undefined) checkPath(path, call.path);
    const { timeout = defaults.timeout, retries = defaults.retries, signal } = call;
    // Made once for all attempts: the time is the whole call's, and the idempotency key makes them one request.
    const init = {
      params: { path: call.path, query: call.query },
      body: call.body,
      bodySerializer: (body: unknown) => (body instanceof Blob ? body : JSON.stringify(body)),
      headers: {
        ...(call.body instanceof Blob && { 'Content-Type': call.body.type }),
        ...(url === undefined && scope !== null && { Authorization: `Bearer ${apiKey}` }),
        ...(url === undefined && defaults.headers),
        ...headersOf(operation, call),
        ...call.headers,
      },
      parseAs: 'stream',
      ...limited(fetch, operation, timeout, signal),
    };
    const attempt = async () => {
      const { error, response } = await exchange(method, url ?? baseUrl + path, init);
      const isAnswer = response.ok || (response.status === 304 && takes(operation, 'If-None-Match'));
      if (!isAnswer) throw readProblem(response, error);
      return readAnswer(operation, response);
    };
    return withRetries(attempt, { retries: isRepeatable(operation) ? retries : 0, timeout, signal });
  };
}

/** A value that would vanish from the address or climb in it would silently ask for something else. */
function checkPath(template: string, values: Record<string, unknown> = {}): void {
  for (const [, name = ''] of template.matchAll(/\{(\w+)\}/g)) {
    const value = values[name];
    if (typeof value !== 'string' || ['', '.', '..'].includes(value)) {
      throw new TypeError(`path.${name} must be an identifier, not ${JSON.stringify(value)}`);
    }
  }
}

/** Fetches within the time and reads the whole body, so that a broken connection is met here and nowhere else. */
function limited(
  fetch: Fetch,
  operation: OperationId,
  timeout: number,
  abort: AbortSignal | undefined,
): { signal: AbortSignal; fetch: Fetch } {
  const deadline = AbortSignal.timeout(timeout);
  return {
    signal: abort ? AbortSignal.any([abort, deadline]) : deadline,
    fetch: async (request) => {
      try {
        const response = await fetch(request);
        const bytes = await response.arrayBuffer();
        return new Response(bytes.byteLength > 0 ? bytes : null, response);
      } catch (cause) {
        abort?.throwIfAborted();
        const reason = deadline.aborted ? `no complete answer within ${timeout} ms` : 'the connection failed';
        throw new ConnectionError(`${operation}: ${reason}`, { cause });
      }
    },
  };
}
