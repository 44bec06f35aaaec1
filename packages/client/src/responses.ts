import type { ApiResponse } from './calls.ts';
import { type CallContext, UnexpectedResponseError, WaybillError } from './errors.ts';
import type { Problem } from './generated/schemas.ts';
import { maxFileBytes, operationTable } from './generated/table.ts';

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

/** A response that has arrived completely. Null: it is too large. */
export interface Received {
  status: number;
  headers: Headers;
  bytes: Blob | null;
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

/** Reads a response to its end, or until it is too large. */
export async function receive(response: FetchResponse, headers: Headers): Promise<Received> {
  const type = headers.get('Content-Type') ?? '';
  const received = (chunks: (ArrayBuffer | Uint8Array<ArrayBuffer>)[] | null): Received => ({
    status: response.status,
    headers,
    bytes: chunks && new Blob(chunks, { type }),
  });
  const body = response.body as ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined;
  if (body === null) return received([]);
  if (typeof body?.getReader !== 'function') {
    const bytes = await response.arrayBuffer();
    return received(bytes.byteLength > maxBytes ? null : [bytes]);
  }
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    chunks.push(chunk.value);
    size += chunk.value.byteLength;
    if (size > maxBytes) {
      reader.cancel().catch(() => {}); // the response is not used anyway
      return received(null);
    }
  }
  return received(chunks);
}

/**
 * Converts a response to what a call resolves with.
 * @throws {WaybillError} if it is a problem
 * @throws {UnexpectedResponseError} if it is not in the contract
 */
export async function interpret(
  { status, headers, bytes }: Received,
  isConditional: boolean,
  context: CallContext,
): Promise<ApiResponse<number, unknown>> {
  const { method, signed = false, keyed, conditional } = operationTable[context.operation];
  const type = headers.get('Content-Type') ?? '';
  const text = bytes && !type.startsWith('image/') ? await bytes.text() : undefined;
  const json = text === undefined ? undefined : parse(text);
  const unexpected = () => new UnexpectedResponseError({ status, headers }, json ?? text, context);
  const respond = (data: unknown) => ({
    status,
    data,
    headers,
    requestId: context.requestId,
    attempts: context.attempts,
    ...(conditional && { etag: headers.get('ETag') }),
    ...(keyed && { replayed: headers.get('Idempotent-Replayed') === 'true' }),
  });
  if (bytes === null) throw unexpected();
  if (status === 304 && isConditional) return respond(undefined);
  if (status < 200 || status > 299) {
    // Gateways may send application/problem+json too, but without a `code`.
    if (type.startsWith('application/problem+json') && typeof json?.code === 'string') {
      throw new WaybillError(json as unknown as Problem, { status, headers }, context);
    }
    throw unexpected();
  }
  if (status === 204) return respond(undefined);
  const isFile = signed && method === 'GET';
  const data = isFile ? (type.startsWith('image/') ? bytes : undefined) : json;
  if (data === undefined) throw unexpected();
  return respond(data);
}

/** A JSON object, else undefined. */
function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
