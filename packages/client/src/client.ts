import { checkKeys, checkMilliseconds } from './arguments.ts';
import type { CallOptions } from './calls.ts';
import { type EventsOptions, type EventsQuery, eachEvent, type WaybillEvent } from './event-feed.ts';
import type {
  ListPositionsArguments,
  ListPositionsQuery,
  ListShipmentsQuery,
  OperationId,
  Operations,
} from './generated/operations.ts';
import type { CurrentLocation, Shipment, TrackingStatus, UploadId } from './generated/schemas.ts';
import { defaultBaseUrl, operationTable, version } from './generated/table.ts';
import type { Hooks } from './hooks.ts';
import { eachItem, type Items } from './pagination.ts';
import type { AnyCall } from './request.ts';
import { type Connection, createSend, type Fetch, type Send } from './send.ts';
import { type StreamOptions, type StreamQuery, streamEvents } from './stream.ts';
import { type TrackingOptions, type TrackingTarget, trackUntil } from './tracking.ts';
import { type ProofFile, type ProofFiles, type UploadedProof, uploadProof, uploadProofFile } from './upload.ts';

/** The options of a client. */
export interface ClientOptions extends Hooks {
  /**
   * An API key, `wbk_…`, with the scopes of the operations that you call, or a function that returns it for each request.
   * Without one, requests have no `Authorization`: for signed URLs, for mocks, and for a proxy that adds the key.
   */
  apiKey?: string | (() => string | Promise<string>);
  /** The base URL with the major version. Default: `http://localhost:3000/v1`. In a browser it may begin with `/`. */
  baseUrl?: string | undefined;
  /** Milliseconds for a call, including retries and the pauses between them. Default: 30,000. */
  timeout?: number | undefined;
  /** Milliseconds for one attempt. Default: a third of the call's `timeout`, or all of it for the bytes of a file. */
  attemptTimeout?: number | undefined;
  /** Maximum number of retries of a call. Default: as many as the `timeout` permits. */
  maxRetries?: number | undefined;
  /** Request headers for every call, except those to signed URLs. */
  headers?: Record<string, string> | undefined;
  /** Replaces the platform's `fetch`, for proxies, agents and tests. */
  fetch?: Fetch | undefined;
  /** Permits an API key in a browser, where every visitor can read it and act as the account. Default: false. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/**
 * One method per operation of the contract, named by its operation id, and methods that combine several operations.
 *
 * A method takes `{ path, query, body }` if its operation has them, `idempotencyKey` or `ifNoneMatch` if the operation has
 * that header, and the options of every call. It resolves with `{ status, data, headers, requestId, attempts }`, and with
 * `etag` or `replayed` if the response has that header.
 *
 * Every POST carries an `Idempotency-Key`, generated unless the caller gives one. So the client can repeat requests
 * safely: until `timeout` it retries after connection errors, 408, 429, 5xx and `idempotency_in_progress`, with the same
 * key. It waits for `Retry-After`, unless the call would time out before. With `idempotencyKey: null` a POST is sent once.
 */
export interface Client extends Operations {
  /**
   * Iterates over all matching shipments, newest first, across pages; `limit` is the page size.
   * Rejects like `listShipments`.
   *
   * @example for await (const { id } of client.eachShipment({ status: 'in_transit' })) console.log(id);
   */
  eachShipment(query?: ListShipmentsQuery, options?: CallOptions): Items<Shipment>;

  /**
   * Iterates over the positions of a shipment, oldest first, across pages. Rejects like `listPositions`.
   *
   * @example for await (const { lat, lng } of client.eachPosition({ tracking_number })) console.log(lat, lng);
   */
  eachPosition(
    path: ListPositionsArguments['path'],
    query?: ListPositionsQuery,
    options?: CallOptions,
  ): Items<CurrentLocation>;

  /**
   * Follows the changes of the account's shipments: yields each event after `after`, in order, then waits for the next one
   * and never ends. Store the `id` of an event together with its effect, and pass it as `after` when you start again.
   *
   * Connection errors, timeouts, 408, 429 and 5xx are retried until they are over; a request has the client's
   * `attemptTimeout` in addition to its `wait`. Rejects with `AbortError` when `signal` aborts, with the code
   * `events_expired` when events after `after` are no longer retained, and with other errors that a retry cannot repair.
   *
   * @example for await (const event of client.events()) if (event.type === 'shipment.created') break;
   */
  events<Type extends WaybillEvent['type'] = WaybillEvent['type']>(
    query?: EventsQuery<Type>,
    options?: EventsOptions,
  ): AsyncGenerator<Extract<WaybillEvent, { type: Type }>, void, undefined>;

  /**
   * Follows the changes like `events`, but over one open response (Server-Sent Events), on which an event arrives as soon
   * as its change is stored. Reconnects after the last event when the stream ends, and when nothing has arrived for 45 s,
   * so that it never ends, misses no event and yields none twice.
   *
   * Retries and rejects like `events`. Needs a `fetch` whose responses have a `ReadableStream` as their body.
   *
   * @example for await (const event of client.stream()) if (event.type === 'shipment.created') break;
   */
  stream<Type extends WaybillEvent['type'] = WaybillEvent['type']>(
    query?: StreamQuery<Type>,
    options?: StreamOptions,
  ): AsyncGenerator<Extract<WaybillEvent, { type: Type }>, void, undefined>;

  /**
   * Reads the tracking status again and again, with its ETag, until the shipment has reached a status, and resolves with
   * it. Resolves also if the shipment is already further. Rejects with `UnreachableStatusError` when the shipment cannot
   * reach the status any more, with `TimeoutError` or `AbortError`, and like `getTracking`.
   *
   * @example console.log(await client.trackUntil({ tracking_number, status: 'picked_up' }, { timeout: 60_000 }));
   */
  trackUntil(target: TrackingTarget, options?: TrackingOptions): Promise<TrackingStatus>;

  /**
   * Uploads a signature or a photo, and resolves with the upload id for `submitProofOfDelivery`.
   * Rejects like `createProofUpload` and `putProofFile`.
   */
  uploadProofFile(file: ProofFile, options?: CallOptions): Promise<UploadId>;

  /**
   * Uploads the signature and the photos of a proof one after the other, and resolves with their upload ids, as
   * `submitProofOfDelivery` takes them. The options apply to each request. Rejects like `createProofUpload` and
   * `putProofFile`.
   */
  uploadProof(files: ProofFiles, options?: CallOptions): Promise<UploadedProof>;
}

const optionNames: Record<keyof ClientOptions, true> = {
  apiKey: true,
  baseUrl: true,
  timeout: true,
  attemptTimeout: true,
  maxRetries: true,
  headers: true,
  fetch: true,
  dangerouslyAllowBrowser: true,
  onRequest: true,
  onResponse: true,
  onRetry: true,
};

/** Browsers set a `User-Agent` of their own. */
function userAgent(): string | null {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  const node = process?.versions?.node;
  return node && !('document' in globalThis) ? `waybill-client/${version} node/${node}` : null;
}

/**
 * Creates a client.
 * @throws {TypeError} when an option is malformed or unknown, and for an API key in a browser: anyone who has the key can
 * act as the account
 */
export function createClient(options: ClientOptions = {}): Client {
  checkKeys('createClient options', options, Object.keys(optionNames));
  const { apiKey, baseUrl = defaultBaseUrl, fetch = globalThis.fetch as unknown as Fetch, ...settings } = options;
  const { timeout = 30_000, attemptTimeout, maxRetries = Number.POSITIVE_INFINITY, headers = {} } = settings;
  checkMilliseconds('timeout', timeout);
  if ('apiKey' in options && !options.dangerouslyAllowBrowser && 'document' in globalThis) {
    throw new TypeError(
      'A Waybill API key must not be in a browser, where every visitor can read it. Call the API from your server, or set dangerouslyAllowBrowser.',
    );
  }
  // A key read from a file often ends with a line break, which is invalid in a header.
  if ('apiKey' in options && typeof apiKey !== 'function' && !/^[\w.~+/-]+=*$/.test(apiKey ?? ''))
    throw new TypeError('apiKey is malformed. Check for missing environment variables, quotes and line breaks.');
  const isRelative = baseUrl.startsWith('/') && 'document' in globalThis;
  if (!isRelative && !/^https?:\/\/[^?#]+$/.test(baseUrl))
    throw new TypeError(`baseUrl is not an HTTP URL: ${baseUrl}`);

  const connection: Connection = {
    ...settings,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey: apiKey === undefined ? null : typeof apiKey === 'function' ? apiKey : () => apiKey,
    // Called without the client as `this`, which browsers refuse.
    fetch: (url, init) => fetch(url, init),
    timeout,
    attemptTimeout,
    maxRetries,
    headers,
    userAgent: userAgent(),
  };
  const operations = createOperations(createSend(connection));
  const firstTimeout = attemptTimeout ?? timeout / 3;
  return {
    ...operations,
    eachShipment: (query, options) =>
      eachItem((position) => operations.listShipments({ ...options, query: { ...query, ...position } }), query?.cursor),
    eachPosition: (path, query, options) =>
      eachItem(
        (position) => operations.listPositions({ ...options, path, query: { ...query, ...position } }),
        query?.cursor,
      ),
    events: (query, options) => eachEvent(operations.listEvents, firstTimeout, query, options),
    stream: (query, options) => streamEvents(connection, firstTimeout, query, options),
    trackUntil: (target, options) => trackUntil(operations.getTracking, target, options),
    uploadProofFile: (file, options) => uploadProofFile(operations, file, options),
    uploadProof: (files, options) => uploadProof(operations, files, options),
  };
}

function createOperations(send: Send): Operations {
  const operations: Partial<Record<OperationId, unknown>> = {};
  for (const id of Object.keys(operationTable) as OperationId[]) {
    if (!operationTable[id].stream) operations[id] = (call?: AnyCall) => send(id, call);
  }
  // Safe, because the table and the types are generated from the same document.
  return operations as unknown as Operations;
}
