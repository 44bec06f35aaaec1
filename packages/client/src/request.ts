import { bodyText, checkKeys, pathText, queryText } from './arguments.ts';
import type { CallOptions } from './calls.ts';
import type { OperationId } from './generated/operations.ts';
import { operationTable } from './generated/table.ts';

/** The argument of any operation; the client's methods have the exact types. */
export interface AnyCall extends CallOptions {
  path?: Record<string, unknown> | undefined;
  url?: string | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  idempotencyKey?: string | null | undefined;
  ifNoneMatch?: string | null | undefined;
}

/** A request without its `Authorization`. All attempts of a call send the same one. */
export interface PreparedRequest {
  method: string;
  url: string;
  headers: Headers;
  body?: string | Blob;
  /** Takes an API key. */
  isAuthorized: boolean;
  /** It can be sent again without a second effect. */
  isRepeatable: boolean;
}

/**
 * Methods whose requests are retried (RFC 9110, section 9.2.2). DELETE is not: a repeated one returns 404, as if the first had
 * failed.
 */
const idempotentMethods = ['GET', 'PUT'];

/**
 * Makes the request of an operation. Generates the idempotency key, so that all attempts have the same one.
 * @throws {TypeError} that names the invalid argument
 */
export function prepareRequest(
  operation: OperationId,
  call: AnyCall,
  client: { baseUrl: string; headers: Record<string, string>; userAgent: string | null },
): PreparedRequest {
  const {
    method,
    path,
    signed = false,
    query = [],
    body,
    keyed = false,
    conditional = false,
  } = operationTable[operation];
  checkKeys(operation, call, [
    ...(path.includes('{') ? ['path'] : []),
    ...(signed ? ['url'] : []),
    ...(query.length > 0 ? ['query'] : []),
    ...(body ? ['body'] : []),
    ...(keyed ? ['idempotencyKey'] : []),
    ...(conditional ? ['ifNoneMatch'] : []),
    ...['signal', 'timeout', 'attemptTimeout', 'maxRetries', 'headers'],
  ]);
  const { query: parameters = {}, idempotencyKey = crypto.randomUUID(), ifNoneMatch } = call;
  checkKeys(`${operation} query`, parameters, query);
  const isElsewhere = signed && call.url !== undefined;
  const url = isElsewhere
    ? String(call.url)
    : client.baseUrl + pathText('path', path, call.path) + queryText('query', parameters);

  const headers = new Headers();
  const set = (values: Record<string, string> = {}) => {
    for (const [name, value] of Object.entries(values)) headers.set(name, value);
  };
  if (client.userAgent) headers.set('User-Agent', client.userAgent);
  if (signed && body && !(call.body instanceof Blob)) throw new TypeError('body must be a Blob');
  const sent = call.body instanceof Blob ? call.body : body && bodyText('body', call.body, body);
  if (sent) headers.set('Content-Type', sent instanceof Blob ? sent.type : 'application/json');
  // A signed URL may lead to another host.
  if (!isElsewhere) set(client.headers);
  if (keyed && idempotencyKey !== null) headers.set('Idempotency-Key', idempotencyKey);
  if (conditional && ifNoneMatch != null) headers.set('If-None-Match', ifNoneMatch);
  set(call.headers);
  return {
    method,
    url,
    headers,
    ...(sent !== undefined && { body: sent }),
    isAuthorized: !signed,
    isRepeatable: idempotentMethods.includes(method) || headers.has('Idempotency-Key'),
  };
}
