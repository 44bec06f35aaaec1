import { defaultBaseUrl, operations } from '@waybill/contract/operations';
import type { Arguments, CallOptions, OperationId, Operations, Schemas } from './operations.ts';
import { eachShipment } from './pages.ts';
import { createTransport, type Fetch, type Send } from './transport.ts';
import { type ProofFile, uploadProofFile } from './upload.ts';

/** How a client reaches the service. */
export interface ClientOptions {
  /** An account's key, `wbk_…`, with the scopes that the calls need. */
  apiKey: string;
  /** The service's address with its major version; the one on your own machine when absent. */
  baseUrl?: string | undefined;
  /** Milliseconds until a call is given up, 30,000 when absent. */
  timeout?: number | undefined;
  /** Request headers for every call. */
  headers?: Record<string, string> | undefined;
  /** Takes the place of the platform's `fetch`, for proxies, logs and tests. */
  fetch?: Fetch | undefined;
}

/**
 * One method per operation of the contract, named by its id, and what takes several of them.
 *
 * A method takes `{ path, query, body }` as far as its operation has them, and `{ signal, timeout, headers }`. It
 * resolves with `{ status, data, headers, requestId }` of a documented success. It rejects with a `ProblemError` when
 * the service says no, a `ConnectionError` when no answer arrived, an `UnexpectedResponseError` when the answer is not
 * one of the service's, and with the signal's reason when the caller aborts. Nothing is sent twice by itself.
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
  const { apiKey, baseUrl = defaultBaseUrl, timeout = 30_000, headers = {}, fetch = globalThis.fetch } = options;
  if ('document' in globalThis) {
    throw new TypeError('A Waybill API key must not be in a browser, where every visitor can read it.');
  }
  // A key read from a file often ends in a line break, which no header can carry.
  if (!/^[\w.~+/-]+=*$/.test(apiKey)) throw new TypeError('apiKey is not an API key: check where it is read from.');
  if (!/^https?:\/\/[^?#]+$/.test(baseUrl)) throw new TypeError(`baseUrl is not an HTTP address: ${baseUrl}`);

  const send = createTransport({ baseUrl: baseUrl.replace(/\/+$/, ''), apiKey, timeout, headers, fetch });
  const methods = createMethods(send);
  return {
    ...methods,
    eachShipment: (query, options) => eachShipment(methods.listShipments, query, options),
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
