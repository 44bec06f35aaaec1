import { defaultBaseUrl, operationTable } from '@waybill/contract/operations';
import type { Arguments, CallOptions, OperationId, Operations, Schemas } from './operations.ts';
import { eachItem } from './pagination.ts';
import { createTransport, type Fetch, type Send } from './transport.ts';
import { type ProofFile, uploadProofFile } from './upload.ts';

/** The options of a client. */
export interface ClientOptions {
  /** An API key, `wbk_…`, with the scopes of the operations that you call. */
  apiKey: string;
  /** The base URL with the major version; default: `http://localhost:3000/v1`. */
  baseUrl?: string | undefined;
  /** Timeout of a call in milliseconds, including retries and the pauses between them; default: 30,000. */
  timeout?: number | undefined;
  /** Maximum number of retries of a call; default: 2. */
  retries?: number | undefined;
  /** Request headers for every call. */
  headers?: Record<string, string> | undefined;
  /** Replaces the platform's `fetch`, for proxies, logs and tests. */
  fetch?: Fetch | undefined;
}

/**
 * One method per operation of the contract, named by its operation id, and methods that combine several operations.
 *
 * A method takes `{ path, query, body }` if its operation has them, `idempotencyKey` or `ifNoneMatch` if the operation has
 * that header, and `{ signal, timeout, retries, headers }`. It resolves with `{ status, data, headers, requestId }`, and
 * with `etag` or `replayed` if the response has that header. It rejects with:
 * - `ProblemError` when the service returns a problem,
 * - `ConnectionError` when no complete response arrives,
 * - `UnexpectedResponseError` when the response does not come from the service,
 * - the signal's reason when the caller aborts.
 *
 * Every POST carries an `Idempotency-Key`, generated unless the caller gives one. So the client can repeat requests safely:
 * it retries with the same key after a connection error, a 429, 502, 503 or 504, and `idempotency_in_progress`. It
 * waits for `Retry-After`, unless the call would time out before.
 */
export interface Client extends Operations {
  /**
   * Iterates over all matching shipments, newest first, across pages; `limit` is the page size.
   * Rejects like `listShipments`.
   *
   * @example for await (const { id } of client.eachShipment({ status: 'in_transit' })) console.log(id);
   */
  eachShipment(query?: Arguments<'listShipments'>['query'], options?: CallOptions): AsyncIterable<Schemas['Shipment']>;

  /**
   * Iterates over the positions of a shipment, oldest first, across pages. Rejects like `listPositions`.
   *
   * @example for await (const { lat, lng } of client.eachPosition({ tracking_number })) console.log(lat, lng);
   */
  eachPosition(
    path: Arguments<'listPositions'>['path'],
    query?: Arguments<'listPositions'>['query'],
    options?: CallOptions,
  ): AsyncIterable<Schemas['PositionList']['data'][number]>;

  /**
   * Uploads a signature or a photo, and resolves with the upload id for `submitProofOfDelivery`.
   * Rejects like `createProofUpload` and `putProofFile`.
   */
  uploadProofFile(file: ProofFile, options?: CallOptions): Promise<Schemas['UploadId']>;
}

/**
 * Creates a client for an API key. For servers only: anyone who has the key can act as the account.
 * @throws {TypeError} in a browser, and when the API key or the base URL is malformed
 */
export function createClient(options: ClientOptions): Client {
  const { apiKey, baseUrl = defaultBaseUrl, fetch = globalThis.fetch } = options;
  const { timeout = 30_000, retries = 2, headers = {} } = options;
  if ('document' in globalThis) {
    throw new TypeError(
      'A Waybill API key must not be in a browser, where every visitor can read it. Call the API from your server.',
    );
  }
  // A key read from a file often ends with a line break, which is invalid in a header.
  if (!/^[\w.~+/-]+=*$/.test(apiKey))
    throw new TypeError('apiKey is malformed. Check for missing environment variables, quotes and line breaks.');
  if (!/^https?:\/\/[^?#]+$/.test(baseUrl)) throw new TypeError(`baseUrl is not an HTTP URL: ${baseUrl}`);

  const send = createTransport({ baseUrl: baseUrl.replace(/\/+$/, ''), apiKey, fetch, timeout, retries, headers });
  const methods = createMethods(send);
  return {
    ...methods,
    eachShipment: (query, options) =>
      eachItem((position) => methods.listShipments({ ...options, query: { ...query, ...position } }), query?.cursor),
    eachPosition: (path, query, options) =>
      eachItem(
        (position) => methods.listPositions({ ...options, path, query: { ...query, ...position } }),
        query?.cursor,
      ),
    uploadProofFile: (file, options) => uploadProofFile(methods.createProofUpload, send, file, options),
  };
}

function createMethods(send: Send): Operations {
  const methods: Partial<Record<OperationId, unknown>> = {};
  for (const id of Object.keys(operationTable) as OperationId[]) {
    methods[id] = (call?: Parameters<Send>[1]) => send(id, call);
  }
  // Safe, because the table and the types are generated from the same document.
  return methods as Operations;
}
