import { defaultBodySerializer } from 'openapi-fetch';
import { checkKeys, isBlob } from './arguments.ts';
import type { ChangeOptions, OperationId, PostOptions, ReadOptions } from './calls.ts';
import { type OperationRow, operationTable } from './generated/table.ts';

/** The parameters of any operation. */
export type AnyParams = Record<string, unknown>;

/** The options of any operation. */
export type AnyOptions = PostOptions & ReadOptions & ChangeOptions;

/** A request without its `Authorization`. All attempts of a call send the same one. */
export interface PreparedRequest extends OperationRow {
  /** For openapi-fetch. */
  init: {
    params: { path: AnyParams; query: AnyParams };
    pathSerializer?: () => string;
    headers: Headers;
    body?: unknown;
    bodySerializer: (body: unknown) => unknown;
    parseAs: 'json' | 'blob' | 'stream';
    redirect: 'follow' | 'manual';
  };
  /** It can be sent again without a second effect. */
  isRepeatable: boolean;
}

/**
 * Methods whose requests are retried (RFC 9110, section 9.2.2). DELETE is not: a repeated one returns 404, as if the first had
 * failed.
 */
const idempotentMethods = ['GET', 'PUT'];

/**
 * Makes the request of an operation from the arguments of its method. Generates the idempotency key, so that all attempts
 * have the same one.
 * @throws {TypeError} that names the invalid argument
 */
export async function prepareRequest(
  operation: OperationId,
  params: AnyParams,
  options: AnyOptions,
  client: { headers: Record<string, string>; userAgent: string | null },
): Promise<PreparedRequest> {
  const row = operationTable[operation];
  const { method, path, signed = false, query = [], body, keyed = false, conditional = false, stream = false } = row;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const ownNames = [...inPath, ...query, ...(signed ? ['url'] : []), ...(body === 'file' ? ['file'] : [])];
  // The service checks the fields of a body.
  checkKeys(operation, params, body === 'json' ? Object.keys(params ?? {}) : ownNames);
  checkKeys(`${operation} options`, options, [
    ...(keyed ? ['idempotencyKey'] : []),
    ...(conditional ? [method === 'GET' ? 'ifNoneMatch' : 'ifMatch'] : []),
    ...['signal', 'timeout', 'attemptTimeout', 'maxRetries', 'headers'],
  ]);
  checkDates(operation, params);
  const url = signed ? (params.url as string | undefined) : undefined;
  const file = body === 'file' ? params.file : undefined;
  if (body === 'file' && !isBlob(file)) throw new TypeError(`${operation}: file must be a Blob`);

  const { idempotencyKey = keyed ? randomKey() : null, ifNoneMatch, ifMatch } = options;
  const headers = new Headers();
  const set = (values: Record<string, string> = {}) => {
    for (const [name, value] of Object.entries(values)) {
      try {
        headers.set(name, value);
      } catch {
        throw new TypeError(`headers: ${name} is malformed`); // the platform's error shows the value, such as a key
      }
    }
  };
  if (client.userAgent) headers.set('User-Agent', client.userAgent);
  if (isBlob(file)) headers.set('Content-Type', file.type);
  // A signed URL may lead to another host.
  if (url === undefined) set(client.headers);
  if (idempotencyKey !== null) headers.set('Idempotency-Key', idempotencyKey);
  if (ifNoneMatch != null) headers.set('If-None-Match', ifNoneMatch);
  if (ifMatch != null) headers.set('If-Match', ifMatch);
  set(options.headers);

  const entries = Object.entries(params);
  const fields = entries.filter(([name]) => !ownNames.includes(name));
  const content = isBlob(file) ? await file.arrayBuffer() : defaultBodySerializer(Object.fromEntries(fields));
  return {
    ...row,
    init: {
      params: {
        path: url === undefined ? identifiers(operation, inPath, params) : {},
        // openapi-fetch serializes a date as an object without properties.
        query: Object.fromEntries(
          entries.flatMap(([name, value]) =>
            query.includes(name) ? [[name, value instanceof Date ? value.toISOString() : value]] : [],
          ),
        ),
      },
      // openapi-fetch ignores an empty `baseUrl` of a request, so this is its only way to another URL.
      ...(url !== undefined && { pathSerializer: () => url }),
      headers,
      // openapi-fetch would serialize a file as JSON, and a body again for each attempt, when it may have changed.
      ...(body && { body: content }),
      bodySerializer: (body) => body,
      parseAs: stream ? 'stream' : signed ? 'blob' : 'json',
      // A redirect of the API is an error in `baseUrl`. Following it would turn a POST into a GET.
      redirect: signed ? 'follow' : 'manual',
    },
    isRepeatable: idempotentMethods.includes(method) || headers.has('Idempotency-Key'),
  };
}

/** Not `crypto.randomUUID`, which browsers have only for pages with HTTPS. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** openapi-fetch leaves a missing value in braces. An empty value or a dot segment would request another URL. */
function identifiers(operation: OperationId, names: string[], params: AnyParams): AnyParams {
  const entries = names.map((name) => {
    const value = params[name];
    if (typeof value !== 'string' || ['', '.', '..'].includes(value)) {
      throw new TypeError(`${operation}: ${name} must be an identifier, not ${JSON.stringify(value)}`);
    }
    return [name, value];
  });
  return Object.fromEntries(entries);
}

/** JSON has null in place of an invalid date. */
function checkDates(name: string, value: unknown): void {
  if (value instanceof Date && Number.isNaN(value.getTime())) throw new TypeError(`${name} is an invalid Date`);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) checkDates(`${name}.${key}`, each);
}
