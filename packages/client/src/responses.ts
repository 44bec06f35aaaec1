import type { ApiResponse } from './calls.ts';
import { type CallContext, UnexpectedResponseError, WaybillError } from './errors.ts';
import { defaultBaseUrl, maxFileBytes } from './generated/table.ts';
import type { Problem } from './generated/types.ts';
import type { PreparedRequest } from './request.ts';

/** The parts of a `Response` that the client needs, so that every implementation of `fetch` can be used. */
export interface FetchResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The response headers. */
  readonly headers: { forEach(callback: (value: string, name: string) => void): void };
  /** A `ReadableStream` of the bytes, null if there are none. */
  readonly body?: unknown;
  /** Reads the bytes if `body` is no stream. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Larger than any valid response. */
const maxBytes = maxFileBytes + 6 * 1024 * 1024;

/** The headers, which arrive before the body. */
export function headersOf(response: FetchResponse): Headers {
  const headers = new Headers();
  response.headers.forEach((value, name) => {
    headers.append(name, value);
  });
  return headers;
}

/** Reads a response to its end. Null: it is larger than any valid one, and not read further. */
export async function receive(response: FetchResponse): Promise<Uint8Array<ArrayBuffer> | null> {
  const body = response.body as ReadableStream<Uint8Array> | null | undefined;
  if (body === null) return new Uint8Array();
  if (typeof body?.getReader !== 'function') {
    const bytes = await response.arrayBuffer();
    return bytes.byteLength > maxBytes ? null : new Uint8Array(bytes);
  }
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    chunks.push(chunk.value);
    size += chunk.value.byteLength;
    if (size > maxBytes) {
      reader.cancel().catch(() => {}); // the response is not used anyway
      return null;
    }
  }
  const bytes = new Uint8Array(size);
  let start = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, start);
    start += chunk.byteLength;
  }
  return bytes;
}

/** The media type, and its parameters, in lower case (RFC 9110, section 8.3.1). Empty without one. */
export const typeOfContent = (headers: Headers): string => headers.get('Content-Type')?.toLowerCase() ?? '';

/** The media types of a success. A file has any but those of a page and of JSON; the type of JSON is not checked. */
const typeOf = { json: /^/, blob: /^(?!text\/|application\/(\S+\+)?json)./, stream: /^text\/event-stream/ };

/** A response as openapi-fetch returns it. */
export interface Parsed {
  data?: unknown;
  error?: unknown;
  response: { status: number; headers: Headers };
}

/**
 * Checks a response.
 * @throws {WaybillError} if it is a problem
 * @throws {UnexpectedResponseError} if it is not in the contract
 */
export function interpret(
  { data, error, response }: Parsed,
  { init, signed, member }: PreparedRequest,
  context: CallContext,
  baseUrl: string,
): ApiResponse<unknown> {
  const { status, headers } = response;
  const type = typeOfContent(headers);
  const isExpected =
    status === 204 ||
    (status === 304 && init.headers.has('If-None-Match')) ||
    (typeof data === 'object' &&
      data !== null &&
      typeOf[init.parseAs].test(type) &&
      (member === undefined || (data as Record<string, unknown>)[member] != null));
  if (isExpected) {
    const { requestId, attempts } = context;
    const replayed = headers.get('Idempotent-Replayed') === 'true';
    return { data, status, headers, requestId, attempts, etag: headers.get('ETag'), replayed };
  }
  // Gateways may send application/problem+json too, but without a `code`.
  const problem = error as Problem | undefined;
  const isProblem = type.startsWith('application/problem+json') && typeof problem?.code === 'string';
  const version = new URL(defaultBaseUrl).pathname;
  const lacksVersion = status === 404 && !signed && !((isProblem && problem.instance) || baseUrl).includes(version);
  const hint = lacksVersion ? ` Does baseUrl "${baseUrl}" lack "${version}" at its end?` : undefined;
  if (isProblem) throw new WaybillError(problem, response, context, hint);
  throw new UnexpectedResponseError(response, data ?? error ?? '', context, hint);
}
