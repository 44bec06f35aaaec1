import type { Client as FetchClient } from 'openapi-fetch';
import { checkKey, checkMilliseconds } from './arguments.ts';
import type { ApiResponse, OperationId } from './calls.ts';
import { pause, startDeadline } from './deadline.ts';
import {
  AbortError,
  type CallContext,
  ConnectionError,
  TimeoutError,
  UnexpectedResponseError,
  type WaybillClientError,
  WaybillError,
} from './errors.ts';
import type { OperationRow } from './generated/table.ts';
import type { paths } from './generated/types.ts';
import type { Hooks, RequestEvent } from './hooks.ts';
import { type AnyOptions, type AnyParams, type PreparedRequest, prepareRequest } from './request.ts';
import { type FetchResponse, headersOf, interpret, type Parsed, receive, typeOfContent } from './responses.ts';

/** Upper limits of the pauses before retries in milliseconds: they double from the first to the last. */
const [firstPause, longestPause] = [250, 4_000];

/** Limits of the retries while no response has arrived at all: `baseUrl` is probably wrong. */
const firstContact = { maxRetries: 2, timeout: 3_000 };

/** The settings of a client. */
export interface Connection extends Hooks {
  api: FetchClient<paths>;
  baseUrl: string;
  /** Null sends no `Authorization`. */
  apiKey: (() => string | Promise<string>) | null;
  fetch: (request: Request) => Promise<FetchResponse>;
  timeout: number;
  attemptTimeout: number | undefined;
  idleTimeout: number;
  maxRetries: number;
  headers: Record<string, string>;
  userAgent: string | null;
  /** Whether a response has arrived. After that, a refused connection is not an error in `baseUrl`, but a restart. */
  isReached: boolean;
}

/** What is known of a call. It changes with each attempt. */
type AttemptContext = { -readonly [Name in keyof CallContext]: CallContext[Name] };

/** The body of a response: complete, or the stream of events. */
type Content = Uint8Array<ArrayBuffer> | ReadableStream;

/** `request` of openapi-fetch for an operation that is known only at run time. */
type AnyRequest = (
  method: OperationRow['method'],
  path: keyof paths,
  init: PreparedRequest['init'] & { signal: AbortSignal; fetch: (request: Request) => Promise<Response> },
) => Promise<Parsed>;

/** Sends the request of an operation, with retries. */
export type Send = (operation: OperationId, params?: AnyParams, options?: AnyOptions) => Promise<ApiResponse<unknown>>;

/** Creates the function that sends all requests of a client. */
export function createSend(connection: Connection): Send {
  return async (operation, params = {}, options = {}) => {
    const request = await prepareRequest(operation, params, options, connection);
    const { headers } = request.init;
    const { signal } = options;
    const timeout = checkMilliseconds('timeout', options.timeout ?? connection.timeout);
    // A third, so that one attempt without a response does not use all the time. A file may need it all.
    const attemptTimeout = checkMilliseconds(
      'attemptTimeout',
      options.attemptTimeout ?? connection.attemptTimeout ?? (request.signed ? timeout : timeout / 3),
    );
    const start = performance.now();
    const context: AttemptContext = {
      operation,
      idempotencyKey: headers.get('Idempotency-Key'),
      attempts: 0,
      requestId: headers.get('X-Request-Id'),
    };
    for (;;) {
      try {
        const left = start + timeout - performance.now();
        const isLast = left <= attemptTimeout;
        const limit = isLast
          ? `timeout of ${Math.round(timeout)} ms`
          : `attemptTimeout of ${Math.round(attemptTimeout)} ms`;
        const time = { milliseconds: isLast ? left : attemptTimeout, limit };
        const parsed = await sendOnce(connection, request, signal, time, context);
        return interpret(parsed, request, context, connection.baseUrl);
      } catch (error) {
        const limits = { maxRetries: options.maxRetries ?? connection.maxRetries, timeout };
        if (!connection.isReached && !(error instanceof TimeoutError)) {
          limits.maxRetries = Math.min(limits.maxRetries, firstContact.maxRetries);
          limits.timeout = Math.min(limits.timeout, firstContact.timeout);
        }
        if (!request.isRepeatable || context.attempts > limits.maxRetries || !isRetryable(error)) throw error;
        const delay = retryDelay(error, context.attempts);
        if (performance.now() + delay >= start + limits.timeout) throw error;
        connection.onRetry?.({ operation, attempt: context.attempts, delay, error });
        if (!(await pause(delay, signal))) throw aborted(context, signal);
      }
    }
  };
}

/** Whether the same request may succeed later: no connection, not processed, too many requests, an error of a server. */
function isRetryable(error: unknown): error is WaybillClientError {
  if (error instanceof ConnectionError) return true;
  if (error instanceof WaybillError && error.code === 'idempotency_in_progress') return true;
  if (!(error instanceof WaybillError || error instanceof UnexpectedResponseError)) return false;
  return error.status === 408 || error.status === 429 || error.status >= 500;
}

/** Milliseconds until the next attempt: `Retry-After` and exponential backoff with full jitter. */
export function retryDelay(error: WaybillClientError, attempt: number): number {
  const backoff = Math.min(firstPause * 2 ** (attempt - 1), longestPause) * Math.random();
  return backoff + (('retryAfter' in error ? (error.retryAfter as number | null) : null) ?? 0);
}

export const aborted = (context: CallContext, signal: AbortSignal | undefined): AbortError =>
  new AbortError(`${context.operation}: the caller aborted the call`, context, { cause: signal?.reason });

/**
 * Sends a request once and reads the whole response, or the headers of a stream, in the time, whose limit is named in
 * errors. Notes its request id in `context`.
 */
async function sendOnce(
  connection: Connection,
  request: PreparedRequest,
  signal: AbortSignal | undefined,
  time: { milliseconds: number; limit: string },
  context: AttemptContext,
): Promise<Parsed> {
  if (signal?.aborted) throw aborted(context, signal);
  const deadline = startDeadline(time.milliseconds, signal);
  let arrived: (Parsed['response'] & { event: RequestEvent; duration: number; content: Content }) | undefined;
  // The body is read here, because openapi-fetch limits neither its time nor its size.
  const fetch = async (sent: Request): Promise<Response> => {
    const event = await beginAttempt(connection, request, sent, context);
    const start = performance.now();
    const read = async () => {
      const response = await connection.fetch(sent);
      connection.isReached = true;
      const headers = headersOf(response);
      // Before the body, so that the error of an incomplete response has it.
      context.requestId = headers.get('X-Request-Id') ?? context.requestId;
      const isStream = request.stream && typeOfContent(headers).startsWith('text/event-stream');
      const content = isStream ? (response.body as ReadableStream | null) : await receive(response);
      return { status: response.status, headers, content };
    };
    const { status, headers, content } = await read().catch((cause: unknown) => {
      const target = request.signed ? new URL(sent.url).origin : connection.baseUrl;
      throw connectionError(cause, connection.isReached ? null : target, context);
    });
    if (!content || status < 200 || status > 599) {
      throw new UnexpectedResponseError({ status, headers }, undefined, context);
    }
    arrived = { event, duration: performance.now() - start, status, headers, content };
    return new Response([204, 205, 304].includes(status) ? null : content, { status, headers });
  };
  const init = { ...request.init, signal: deadline.signal, fetch };
  const parsing = (connection.api.request as AnyRequest)(request.method, request.path, init).catch((error) => {
    // openapi-fetch rejects without the response if the body of a success is not JSON.
    if (!(arrived?.content instanceof Uint8Array)) throw error;
    return { error: new TextDecoder().decode(arrived.content), response: arrived };
  });
  const parsed = await deadline
    .race(parsing)
    .catch((cause: unknown) => {
      if (signal?.aborted) throw aborted(context, signal);
      if (!deadline.isOver()) throw cause;
      const message = `${context.operation}: no complete response within the ${time.limit}${attemptText(context)}`;
      throw new TimeoutError(message, context, { cause });
    })
    .finally(deadline.end);
  if (arrived) {
    const { event, duration, status, headers: responseHeaders } = arrived;
    connection.onResponse?.({ ...event, status, responseHeaders, requestId: context.requestId, duration });
  }
  return parsed;
}

const attemptText = ({ attempts }: CallContext): string => (attempts === 1 ? '' : `, attempt ${attempts}`);

/** Counts an attempt, calls `onRequest` and adds the API key. @returns the event of the hooks */
async function beginAttempt(
  { apiKey, onRequest }: Connection,
  { signed }: PreparedRequest,
  { method, url, headers: sent }: Request,
  context: AttemptContext,
): Promise<RequestEvent> {
  const { operation, idempotencyKey } = context;
  // A copy, so that the hooks do not get the API key.
  const headers = new Headers(sent);
  const event = { operation, method, url, headers, attempt: ++context.attempts, idempotencyKey };
  onRequest?.(event);
  headers.forEach((value, name) => {
    sent.set(name, value);
  });
  if (!signed && apiKey && !headers.has('Authorization'))
    sent.set('Authorization', `Bearer ${checkKey(await apiKey())}`);
  return event;
}

/** @param target the URL to check if no response has arrived yet */
function connectionError(cause: unknown, target: string | null, context: CallContext): ConnectionError {
  // The platform hides the reason, such as `connect ECONNREFUSED 127.0.0.1:3000`, in the cause of its error.
  const { message, code } = Object((cause instanceof Error && cause.cause) || cause) as {
    message?: string;
    code?: string;
  };
  const details = `${message || code ? ` (${message || code})` : ''}${attemptText(context)}`;
  const text =
    target === null
      ? `the connection failed${details}`
      : `cannot connect to ${target}${details}. Check baseUrl, and that the service runs.`;
  return new ConnectionError(`${context.operation}: ${text}`, context, { cause });
}
