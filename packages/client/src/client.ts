import openapiFetch from 'openapi-fetch';
import { checkKey, checkKeys, checkMilliseconds } from './arguments.ts';
import type { ApiResponse, CallOptions, OperationId } from './calls.ts';
import { type EventsParams, followEvents, type WaybillEvent } from './events.ts';
import { defaultBaseUrl, operationTable, version } from './generated/table.ts';
import type { paths, TrackingStatus, UploadId } from './generated/types.ts';
import type { Hooks } from './hooks.ts';
import type { Operations } from './operations.ts';
import { ApiPromise, ListPromise } from './promises.ts';
import type { AnyOptions, AnyParams } from './request.ts';
import type { FetchResponse } from './responses.ts';
import { type Connection, createSend, type Send } from './send.ts';
import { streamEvents } from './stream.ts';
import { type TrackingOptions, type TrackingParams, trackUntil } from './tracking.ts';
import { type ProofFile, type ProofFiles, type UploadedProof, uploadProof, uploadProofFile } from './upload.ts';

/** The default import is the whole module in the CommonJS build, because that of openapi-fetch exports it as `default`. */
const createFetchClient: typeof openapiFetch =
  (openapiFetch as { default?: typeof openapiFetch }).default ?? openapiFetch;

/** `NoInfer`, which TypeScript has since 5.4: a conditional type is no place to infer from. */
type NotInferred<T> = [T][T extends unknown ? 0 : never];

/** The options of a client. */
export interface ClientOptions<PlatformRequest = Request> extends Hooks {
  /**
   * An API key, `wbk_…`, with the scopes of the operations that you call, or a function that returns it for each request.
   * Default: the environment variable `WAYBILL_API_KEY`. Null, and nothing in a browser, sends no `Authorization`: for signed
   * URLs, for mocks, and for a proxy that adds the key.
   */
  apiKey?: string | (() => string | Promise<string>) | null | undefined;
  /** The token of an access to one shipment, `wba_…`, instead of an API key. It may be used in a browser. */
  accessToken?: string | undefined;
  /**
   * The base URL with the major version. Default: the environment variable `WAYBILL_URL`, else `http://localhost:3000/v1`.
   * In a browser it may begin with `/`.
   */
  baseUrl?: string | undefined;
  /** Milliseconds for a call, including retries and the pauses between them. Default: 30,000. */
  timeout?: number | undefined;
  /** Milliseconds for one attempt. Default: a third of the call's `timeout`, or all of it for the bytes of a file. */
  attemptTimeout?: number | undefined;
  /**
   * Milliseconds without a byte after which a stream of events is opened again. Default: 45,000, because the service sends some
   * every 15 seconds.
   */
  idleTimeout?: number | undefined;
  /** Maximum number of retries of a call. Default: as many as the `timeout` permits. */
  maxRetries?: number | undefined;
  /** Request headers for every call, except those to signed URLs. */
  headers?: Record<string, string> | undefined;
  /** Replaces the platform's `fetch`, for proxies, agents and tests. */
  fetch?: ((request: NotInferred<PlatformRequest>) => Promise<FetchResponse>) | undefined;
  /** The class of the requests that `fetch` takes. Default: the platform's. The `fetch` of npm's `undici` needs its own. */
  Request?: (new (url: string, init: never) => PlatformRequest) | undefined;
  /** Permits an API key in a browser, where every visitor can read it and act as the account. Default: false. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/**
 * One method per operation of the contract, named by its operation id, and methods that combine several operations.
 *
 * A method takes its parameters as one object: those of the path, those of the query and the fields of the body. Its second
 * argument has the options of the call. It resolves with the body of the response; `withResponse` gives the status, the
 * headers and the request id, too. The result of a list is also an iteration over the items of all pages.
 *
 * Every POST carries an `Idempotency-Key`, generated unless the caller gives one. So the client can repeat requests
 * safely: until `timeout` it retries after connection errors, 408, 429, 5xx and `idempotency_in_progress`, with the same
 * key. It waits for `Retry-After`, unless the call would time out before. With `idempotencyKey: null` a POST is sent once.
 * As long as no response has arrived at all, a failed connection is retried twice, within 3 seconds.
 */
export interface Client extends Operations {
  /**
   * Follows the changes of the account's shipments: yields each event after `after`, in order, then waits for the next one
   * and never ends. Store the `id` of an event together with its effect, and pass it as `after` when you start again.
   *
   * Connection errors, timeouts, 408, 429 and 5xx are retried until they are over; a request has the client's
   * `attemptTimeout` in addition to its `wait`. Rejects with `AbortError` when `signal` aborts, with the code
   * `events_expired` when events after `after` are no longer retained, and with other errors that a retry cannot repair.
   *
   * @example for await (const event of client.followEvents()) if (event.type === 'shipment.created') break;
   */
  followEvents<Type extends WaybillEvent['type'] = WaybillEvent['type']>(
    params?: EventsParams<Type>,
    options?: Pick<CallOptions, 'signal' | 'headers'>,
  ): AsyncGenerator<Extract<WaybillEvent, { type: Type }>, void, undefined>;

  /**
   * Reads the tracking status again and again, with its ETag, until the shipment has reached a status, and resolves with
   * it. Resolves also if the shipment is already further. Rejects with `UnreachableStatusError` when the shipment cannot
   * reach the status any more, with `TimeoutError` or `AbortError`, and like `getTracking`.
   *
   * @example console.log(await client.trackUntil({ tracking_number, status: 'picked_up' }, { timeout: 60_000 }));
   */
  trackUntil(params: TrackingParams, options?: TrackingOptions): Promise<TrackingStatus>;

  /**
   * Uploads a signature, a photo or a document, and resolves with the upload id for `submitProofOfDelivery`, `raiseException`
   * or `addDocument`.
   * Rejects like `createProofUpload` and `putProofFile`.
   *
   * @example console.log(await client.uploadProofFile({ tracking_number, kind: 'photo', file }));
   */
  uploadProofFile(params: ProofFile, options?: CallOptions): Promise<UploadId>;

  /**
   * Uploads the signature and the photos of a proof one after the other, and resolves with their upload ids, as
   * `submitProofOfDelivery` takes them. The options apply to each request. Rejects like `createProofUpload` and
   * `putProofFile`.
   *
   * @example
   * const location = { lat: 47.6588, lng: -117.426 };
   * const proof = { delivered_at: new Date(), signed_by: 'Owen Castillo', location };
   * const uploaded = await client.uploadProof({ tracking_number, signature: file, photos: [file] });
   * await client.submitProofOfDelivery({ tracking_number, ...proof, ...uploaded });
   */
  uploadProof(params: ProofFiles, options?: CallOptions): Promise<UploadedProof>;
}

const optionNames: Record<keyof ClientOptions, true> = {
  apiKey: true,
  accessToken: true,
  baseUrl: true,
  timeout: true,
  attemptTimeout: true,
  idleTimeout: true,
  maxRetries: true,
  headers: true,
  fetch: true,
  Request: true,
  dangerouslyAllowBrowser: true,
  onRequest: true,
  onResponse: true,
  onRetry: true,
};

/**
 * Creates a client.
 * @throws {TypeError} when an option is malformed or unknown, without an API key, and for an API key in a browser: anyone
 * who has the key can act as the account
 */
export function createClient<PlatformRequest = Request>(options: ClientOptions<PlatformRequest> = {}): Client {
  checkKeys('createClient options', options, Object.keys(optionNames));
  const { process } = globalThis as { process?: Process };
  const isBrowser = 'document' in globalThis;
  const setting = (name: string): string | undefined => (isBrowser ? undefined : settingOf(process, name));
  const { accessToken, baseUrl = setting('WAYBILL_URL') || defaultBaseUrl, ...settings } = options;
  const { apiKey = accessToken ?? (isBrowser ? null : setting('WAYBILL_API_KEY')) } = options;
  const { fetch, Request, timeout = 30_000, attemptTimeout, idleTimeout = 45_000, headers = {} } = settings;
  checkMilliseconds('timeout', timeout);
  checkMilliseconds('idleTimeout', idleTimeout);
  if (accessToken !== undefined && !accessToken.startsWith('wba_'))
    throw new TypeError('An accessToken begins with wba_.');
  if (accessToken !== undefined && apiKey !== accessToken) throw new TypeError('Pass apiKey or accessToken, not both.');
  if (isBrowser && apiKey !== null && apiKey !== accessToken && !options.dangerouslyAllowBrowser) {
    throw new TypeError(
      'An API key must not be in a browser, where every visitor can read it. Call the API from your server, or set dangerouslyAllowBrowser.',
    );
  }
  if (!apiKey && apiKey !== null) {
    throw new TypeError('There is no API key. Pass apiKey, set WAYBILL_API_KEY, or pass apiKey: null to send none.');
  }
  if (typeof apiKey === 'string') checkKey(apiKey);
  if (!(isBrowser && baseUrl.startsWith('/')) && !/^https?:\/\/[^?#@]+$/.test(baseUrl))
    throw new TypeError(`baseUrl is not an HTTP URL: ${baseUrl.replace(/[^/]*@|[?#].*/g, '…')}`);

  const target = baseUrl.replace(/\/+$/, '');
  const connection: Connection = {
    ...settings,
    api: createFetchClient<paths>({
      baseUrl: target,
      Request: (Request ?? globalThis.Request) as typeof globalThis.Request,
      querySerializer: { array: { style: 'form', explode: false } },
    }),
    baseUrl: target,
    apiKey: typeof apiKey === 'string' ? () => apiKey : apiKey,
    // `Request` makes what `fetch` takes. Called without the settings as `this`, which browsers refuse.
    fetch: (request) => (fetch ? fetch(request as never) : globalThis.fetch(request)),
    timeout,
    attemptTimeout,
    idleTimeout,
    maxRetries: options.maxRetries ?? Number.POSITIVE_INFINITY,
    headers,
    // Browsers set a `User-Agent` of their own.
    userAgent: isBrowser || !process?.versions?.node ? null : `waybill-client/${version} node/${process.versions.node}`,
    isReached: false,
  };
  const firstTimeout = attemptTimeout ?? timeout / 3;
  const operations = createOperations(connection, firstTimeout);
  return {
    ...operations,
    followEvents: (params, options) => followEvents(operations.listEvents, firstTimeout, params, options),
    trackUntil: (params, options) => trackUntil(operations.getTracking, params, options),
    uploadProofFile: (params, options) => uploadProofFile(operations, params, options),
    uploadProof: (params, options) => uploadProof(operations, params, options),
  };
}

/** What Node and compatible platforms have. */
interface Process {
  env?: Record<string, string | undefined>;
  versions?: { node?: string };
}

/** A variable of the environment. Deno throws without the permission to read it. */
function settingOf(process: Process | undefined, name: string): string | undefined {
  try {
    return process?.env?.[name];
  } catch {
    return undefined;
  }
}

type AnyMethod = (params?: AnyParams, options?: AnyOptions) => unknown;

/** @param firstTimeout milliseconds until a stream must have opened */
function createOperations(connection: Connection, firstTimeout: number): Operations {
  const send = createSend(connection);
  const methods: Partial<Record<OperationId, AnyMethod>> = {};
  for (const id of Object.keys(operationTable) as OperationId[]) {
    methods[id] = id.startsWith('list')
      ? (params, options) => list(send, id, params, options)
      : (params, options) => new ApiPromise(send(id, params, options));
  }
  methods.streamEvents = (params, options) => streamEvents(send, connection, firstTimeout, params, options);
  // Safe, because the table and the types are generated from the same document.
  return methods as unknown as Operations;
}

interface Page {
  data: unknown[];
  has_more?: boolean;
  next_cursor?: string | null;
  next_after?: string | null;
}

/** Requests a page. Those that follow have the same parameters and another position. */
function list(send: Send, id: OperationId, params?: AnyParams, options?: AnyOptions): ListPromise<Page, unknown> {
  const response = send(id, params, options) as Promise<ApiResponse<Page>>;
  return new ListPromise(response, ({ has_more, next_cursor: cursor, next_after: after }) => {
    // The same position again would never end.
    const isNew = (cursor ?? after) !== (params?.cursor ?? params?.after);
    const next = cursor === undefined ? { after } : { cursor };
    return has_more && isNew ? list(send, id, { ...params, ...next }, options) : undefined;
  });
}
