/** The only module that imports openapi-fetch, so that replacing the library changes only this file. */
import { operationTable } from '@waybill/contract/operations';
import openapiFetch from 'openapi-fetch';
import { ConnectionError } from './errors.ts';
import { headersOf, isRepeatable, takes } from './headers.ts';
import type { Answer, CallOptions, OperationId } from './operations.ts';
import { readError, readSuccess } from './responses.ts';
import { withRetries } from './retries.ts';

/** Sends a request and resolves with its response, like the platform's `fetch`. */
export type Fetch = (request: Request) => Promise<Response>;

interface Connection {
  baseUrl: string;
  apiKey: string;
  fetch: Fetch;
  timeout: number;
  retries: number;
  headers: Record<string, string>;
}

/** The arguments of any operation; the client's methods have the exact types. */
interface AnyCall extends CallOptions {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string | null;
  ifNoneMatch?: string | null;
}

/**
 * Sends the request of an operation. A signed `url` replaces the operation's URL. It may lead to another host, so the API
 * key and the client's headers are not sent there.
 */
export type Send = (operation: OperationId, call?: AnyCall, url?: string) => Promise<Answer<number, unknown>>;

// openapi-fetch types every path separately. Here one type fits all operations; the client's methods have the exact types.
type UntypedRequest = (method: string, url: string, init: object) => Promise<{ error?: unknown; response: Response }>;

/** Creates the function that sends all requests of a client. */
export function createTransport({ baseUrl, apiKey, fetch, ...defaults }: Connection): Send {
  const request = openapiFetch().request as UntypedRequest;
  return async (operation, call = {}, url) => {
    const { method, path, scope } = operationTable[operation];
    if (url === undefined) checkPath(path, call.path);
    const { timeout = defaults.timeout, retries = defaults.retries, signal } = call;
    // Created once for all attempts, which share the timeout and the idempotency key.
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
      ...withTimeout(fetch, operation, timeout, signal),
    };
    const attempt = async () => {
      const { error, response } = await request(method, url ?? baseUrl + path, init);
      const isSuccess = response.ok || (response.status === 304 && takes(operation, 'If-None-Match'));
      if (!isSuccess) throw readError(response, error);
      return readSuccess(operation, response);
    };
    return withRetries(attempt, { retries: isRepeatable(operation) ? retries : 0, timeout, signal });
  };
}

/** An empty value or a dot segment would request another URL. */
function checkPath(template: string, values: Record<string, unknown> = {}): void {
  for (const [, name = ''] of template.matchAll(/\{(\w+)\}/g)) {
    const value = values[name];
    if (typeof value !== 'string' || ['', '.', '..'].includes(value)) {
      throw new TypeError(`path.${name} must be an identifier, not ${JSON.stringify(value)}`);
    }
  }
}

/** Applies the timeout and reads the whole body, so that every connection error is handled here. */
function withTimeout(
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
        const reason = deadline.aborted ? `no complete response within ${timeout} ms` : 'the connection failed';
        throw new ConnectionError(`${operation}: ${reason}`, { cause });
      }
    },
  };
}
