import { checkMilliseconds } from './arguments.ts';
import type { ApiResponse } from './calls.ts';
import { pause, startDeadline } from './deadline.ts';
import { AbortError, type CallContext, ConnectionError, TimeoutError } from './errors.ts';
import type { OperationId } from './generated/operations.ts';
import type { Hooks, RequestEvent } from './hooks.ts';
import { type AnyCall, type PreparedRequest, prepareRequest } from './request.ts';
import { type FetchResponse, headersOf, interpret, type Received, receive } from './responses.ts';
import { isRetryable, retryDelay } from './retries.ts';

/** What the client passes to `fetch`. */
export interface FetchInit {
  /** The HTTP method. */
  method: string;
  /** The request headers, with names in lower case. */
  headers: Record<string, string>;
  /** JSON, or the bytes of a file: no `Blob`, whose types differ between platforms. */
  body?: string | ArrayBuffer;
  /** Aborts when the attempt times out or the caller aborts. */
  signal: AbortSignal;
  /** `manual` returns a redirect as a response. */
  redirect: 'follow' | 'manual';
}

/** Sends a request, like the platform's `fetch`. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The settings of a client. */
export interface Connection extends Hooks {
  baseUrl: string;
  /** Null sends no `Authorization`. */
  apiKey: (() => string | Promise<string>) | null;
  fetch: Fetch;
  timeout: number;
  attemptTimeout: number | undefined;
  maxRetries: number;
  headers: Record<string, string>;
  userAgent: string | null;
}

/** What is known of a call. It changes with each attempt. */
export type AttemptContext = { -readonly [Name in keyof CallContext]: CallContext[Name] };

/** Sends the request of an operation, with retries. */
export type Send = (operation: OperationId, call?: AnyCall) => Promise<ApiResponse<number, unknown>>;

/** Creates the function that sends all requests of a client. */
export function createSend(connection: Connection): Send {
  return async (operation, call = {}) => {
    const request = prepareRequest(operation, call, connection);
    const { signal, maxRetries = connection.maxRetries } = call;
    const timeout = checkMilliseconds('timeout', call.timeout ?? connection.timeout);
    // A third, so that one attempt without a response does not use all the time. A file may need it all.
    const share = request.isAuthorized ? timeout / 3 : timeout;
    const attemptTimeout = checkMilliseconds(
      'attemptTimeout',
      call.attemptTimeout ?? connection.attemptTimeout ?? share,
    );
    const end = performance.now() + timeout;
    const context = {
      operation,
      idempotencyKey: request.headers.get('Idempotency-Key'),
      attempts: 0,
      requestId: request.headers.get('X-Request-Id'),
    };
    for (;;) {
      try {
        const left = end - performance.now();
        const isLast = left <= attemptTimeout;
        const limit = isLast
          ? `timeout of ${Math.round(timeout)} ms`
          : `attemptTimeout of ${Math.round(attemptTimeout)} ms`;
        const time = { milliseconds: isLast ? left : attemptTimeout, limit };
        const received = await sendOnce(connection, request, signal, time, context);
        return await interpret(received, request.headers.has('If-None-Match'), context);
      } catch (error) {
        if (!request.isRepeatable || context.attempts > maxRetries || !isRetryable(error)) throw error;
        const delay = retryDelay(error, context.attempts);
        if (performance.now() + delay >= end) throw error;
        connection.onRetry?.({ operation, attempt: context.attempts, delay, error });
        if (!(await pause(delay, signal))) throw aborted(context, signal);
      }
    }
  };
}

const aborted = (context: CallContext, signal: AbortSignal | undefined): AbortError =>
  new AbortError(`${context.operation}: the caller aborted the call`, context, { cause: signal?.reason });

/** Counts an attempt, calls `onRequest` and adds the API key. @returns the event of the hooks, and the headers to send */
export async function startAttempt(
  { apiKey, onRequest }: Connection,
  { method, url, headers, isAuthorized }: PreparedRequest,
  context: AttemptContext,
): Promise<{ event: RequestEvent; headers: Record<string, string> }> {
  const { operation, idempotencyKey } = context;
  const sent = new Headers(headers);
  const event = { operation, method, url, headers: sent, attempt: ++context.attempts, idempotencyKey };
  onRequest?.(event);
  const all = new Headers(sent);
  if (isAuthorized && apiKey && !all.has('Authorization')) all.set('Authorization', `Bearer ${await apiKey()}`);
  return { event, headers: Object.fromEntries(all) };
}

/**
 * Sends a request once and reads the whole response in the time, whose limit is named in errors. Notes its request id in
 * `context`.
 */
async function sendOnce(
  connection: Connection,
  request: PreparedRequest,
  signal: AbortSignal | undefined,
  time: { milliseconds: number; limit: string },
  context: AttemptContext,
): Promise<Received> {
  const { fetch, onResponse } = connection;
  const { method, url, body, isAuthorized } = request;
  if (signal?.aborted) throw aborted(context, signal);
  const { operation } = context;
  const { event, headers } = await startAttempt(connection, request, context);
  const content = body instanceof Blob ? await body.arrayBuffer() : body;
  const start = performance.now();
  const deadline = startDeadline(time.milliseconds, signal);
  const init: FetchInit = {
    method,
    headers,
    ...(content !== undefined && { body: content }),
    signal: deadline.signal,
    // A redirect of the API is an error in `baseUrl`. Following it would turn a POST into a GET.
    redirect: isAuthorized ? 'manual' : 'follow',
  };
  const exchange = async () => {
    const response = await fetch(url, init);
    const headers = headersOf(response);
    // Before the body, so that the error of an incomplete response has it.
    context.requestId = headers.get('X-Request-Id') ?? context.requestId;
    return receive(response, headers);
  };
  const received = await deadline
    .race(exchange())
    .catch((cause: unknown) => {
      if (signal?.aborted) throw aborted(context, signal);
      const attempts = context.attempts === 1 ? '' : `, attempt ${context.attempts}`;
      if (deadline.isOver()) {
        const message = `${operation}: no complete response within the ${time.limit}${attempts}`;
        throw new TimeoutError(message, context, { cause });
      }
      throw new ConnectionError(`${operation}: the connection failed${reason(cause)}${attempts}`, context, { cause });
    })
    .finally(deadline.end);
  onResponse?.({
    ...event,
    status: received.status,
    responseHeaders: received.headers,
    requestId: context.requestId,
    duration: performance.now() - start,
  });
  return received;
}

/** Why, in words: ` (connect ECONNREFUSED 127.0.0.1:3000)`. The platform hides it in the cause of its error. */
function reason(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof Error && inner.message !== '' ? ` (${inner.message})` : '';
}
