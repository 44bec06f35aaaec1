import { defaultBaseUrl, operations } from '@waybill/contract/operations';
import type { Arguments, CallOptions, OperationId, Operations, Schemas } from './operations.ts';
import { eachItem } from './pages.ts';
import { createTransport, type Fetch, type Send } from './transport.ts';
import { type ProofFile, uploadProofFile } from './upload.ts';

/** How a client reaches the service. */
export interface ClientOptions {
  /** An account's key, `wbk_…`, with the scopes that the calls need. */
  apiKey: string;
  /** The service's address with its major version; the one on your own machine when absent. */
  baseUrl?: string | undefined;
  /** Milliseconds until a call is given up, retries and the waits between them included; 30,000 when absent. */
  timeout?: number | undefined;
  /** How often a call may be sent again when that may help, 2 when absent; 0 for never. */
  retries?: number | undefined;
  /** Request headers for every call. */
  headers?: Record<string, string> | undefined;
  /** Takes the place of the platform's `fetch`, for proxies, logs and tests. */
  fetch?: Fetch | undefined;
}

/**
 * One method per operation of the contract, named by its id, and what takes several of them.
 *
 * A method takes `{ path, query, body }` as far as its operation has them, `idempotencyKey` or `ifNoneMatch` where the
 * operation does, and `{ signal, timeout, retries, headers }`. It resolves with `{ status, data, headers, requestId }` of
 * a documented success, with `etag` and `replayed` where they belong. It rejects with a `ProblemError` when the service
 * says no, a `ConnectionError` when no answer arrived, an `UnexpectedResponseError` when the answer is not one of the
 * service's, and with the signal's reason when the caller aborts.
 *
 * Every request is safe to repeat: each POST carries an `Idempotency-Key`, a new one unless the caller gives one. So a
 * call is sent again by itself, with the same key, when the connection failed, the service is busy (429, 503), a proxy
 * did not reach it (502, 504), or an earlier request with the key still runs. `Retry-After` is waited for, unless
 * the call's `timeout` ends before.
 */
export interface Client extends Operations {
  /**
   * Every shipment that matches, newest first, over as many pages as there are; `limit` is the size of a page.
   * Rejects as `listShipments` does.
   *
   * @example for await (const { id } of client.eachShipment({ status: 'in_transit' })) console.log(id);
   */
  eachShipment(query?: Arguments<'listShipments'>['query'], options?: CallOptions): AsyncIterable<Schemas['Shipment']>;

  /**
   * The route of a shipment so far, oldest position first, over as many pages as there are. Rejects as `listPositions`
   * does.
   *
   * @example for await (const { lat, lng } of client.eachPosition({ tracking_number })) console.log(lat, lng);
   */
  eachPosition(
    path: Arguments<'listPositions'>['path'],
    query?: Arguments<'listPositions'>['query'],
    options?: CallOptions,
  ): AsyncIterable<Schemas['PositionList']['data'][number]>;

  /**
   * Declares a signature or a photo, sends its bytes and resolves with the upload id that
   * `submitProofOfDelivery` takes. Rejects as `createProofUpload` and `putProofFile` do.
   */
  uploadProofFile(file: ProofFile, options?: CallOptions): Promise<Schemas['UploadId']>;
}

/**
 * Makes a client for one account's key. For servers only: who holds the key acts as the account, so in a browser this
 * throws. So it does when the key or the base URL cannot be right.
 */
export function createClient(options: ClientOptions): Client {
  const { apiKey, baseUrl = defaultBaseUrl, fetch = globalThis.fetch } = options;
  const { timeout = 30_000, retries = 2, headers = {} } = options;
  if ('document' in globalThis) {
    throw new TypeError('A Waybill API key must not be in a browser, where every visitor can read it.');
  }
  // A key read from a file often ends in a line break, which no header can carry.
  if (!/^[\w.~+/-]+=*$/.test(apiKey)) throw new TypeError('apiKey is not an API key: check where it is read from.');
  if (!/^https?:\/\/[^?#]+$/.test(baseUrl)) throw new TypeError(`baseUrl is not an HTTP address: ${baseUrl}`);

  const send = createTransport({ baseUrl: baseUrl.replace(/\/+$/, ''), apiKey, fetch, timeout, retries, headers });
  const methods = createMethods(send);
  return {
    ...methods,
    eachShipment: (query, options) =>
      eachItem((at) => methods.listShipments({ ...options, query: { ...query, ...at } }), query?.cursor),
    eachPosition: (path, query, options) =>
      eachItem((at) => methods.listPositions({ ...options, path, query: { ...query, ...at } }), query?.cursor),
    uploadProofFile: (file, options) => uploadProofFile(methods.createProofUpload, send, file, options),
  };
}

function createMethods(send: Send): Operations {
  const methods: Partial<Record<OperationId, unknown>> = {};
  for (const id of Object.keys(operations) as OperationId[]) {
    methods[id] = (call?: Parameters<Send>[1]) => send(id, call);
  }
  // Table and types are generated from the same document, which the types alone cannot know.
  return methods as Operations;
}
