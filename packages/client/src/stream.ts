import { checkKeys } from './arguments.ts';
import type { CallOptions } from './calls.ts';
import { pause, startDeadline } from './deadline.ts';
import { AbortError, type CallContext, ConnectionError, TimeoutError, UnexpectedResponseError } from './errors.ts';
import type { WaybillEvent } from './event-feed.ts';
import type { EventId } from './generated/schemas.ts';
import { prepareRequest } from './request.ts';
import { headersOf, interpret, receive } from './responses.ts';
import { isRetryable, retryDelay } from './retries.ts';
import { type AttemptContext, type Connection, startAttempt } from './send.ts';
import { type Block, blockParser } from './server-sent-events.ts';

/** Where `stream` starts, and what it yields. */
export interface StreamQuery<Type = WaybillEvent['type']> {
  /** The `id` of the last event that was processed. Default, or null: start with the oldest event that is retained. */
  after?: EventId | null | undefined;
  /** Only events of these types. Default: all types. */
  types?: readonly Type[] | undefined;
}

/** Options of `stream`. */
export type StreamOptions = Pick<CallOptions, 'signal' | 'headers'>;

/** Milliseconds without a byte after which the connection is lost. The service sends some every 15 s. */
const silence = 45_000;

/** See `Client.stream`. @param timeout milliseconds until a stream must have opened */
export async function* streamEvents<Type extends WaybillEvent['type']>(
  connection: Connection,
  timeout: number,
  query: StreamQuery<Type> = {},
  options: StreamOptions = {},
): AsyncGenerator<Extract<WaybillEvent, { type: Type }>, void, undefined> {
  checkKeys('stream query', query, ['after', 'types']);
  checkKeys('stream options', options, ['signal', 'headers']);
  const { signal } = options;
  const { onRetry } = connection;
  const parameters = { after: query.after ?? undefined, types: query.types?.join() };
  const context: AttemptContext = { operation: 'streamEvents', idempotencyKey: null, attempts: 0, requestId: null };
  let lastId: string | undefined;
  let retry = 0;
  let failures = 0;
  for (;;) {
    let delay: number;
    try {
      const headers = { ...options.headers, ...(lastId !== undefined && { 'Last-Event-ID': lastId }) };
      for await (const block of readStream(connection, { query: parameters, headers, signal }, timeout, context)) {
        failures = 0;
        retry = block.retry ?? retry;
        // Before the id: a caller that ends the iteration has this event.
        if (block.data !== undefined) yield JSON.parse(block.data) as Extract<WaybillEvent, { type: Type }>;
        lastId = block.id ?? lastId;
        if (signal?.aborted) throw aborted(context, signal);
      }
      delay = retry;
    } catch (error) {
      if (!isRetryable(error)) throw error;
      failures++;
      delay = Math.max(retry, retryDelay(error, failures));
      onRetry?.({ operation: 'streamEvents', attempt: context.attempts, delay, error });
    }
    if (!(await pause(delay, signal))) throw aborted(context, signal);
  }
}

const aborted = (context: CallContext, signal: AbortSignal | undefined): AbortError =>
  new AbortError('streamEvents: the caller aborted the stream', context, { cause: signal?.reason });

/** Sends a request and yields the blocks of its stream, until it ends. Cancels the stream when the caller wants no more. */
async function* readStream(
  connection: Connection,
  call: { query: Record<string, unknown>; headers: Record<string, string>; signal: AbortSignal | undefined },
  timeout: number,
  context: AttemptContext,
): AsyncGenerator<Block, void, undefined> {
  /** Waits for the network. */
  const within = async <T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const deadline = startDeadline(milliseconds, call.signal);
    try {
      return await deadline.race(work(deadline.signal));
    } catch (cause) {
      if (call.signal?.aborted) throw aborted(context, call.signal);
      const failure = deadline.isOver() ? `nothing arrived in ${milliseconds} ms` : 'the connection failed';
      const ErrorClass = deadline.isOver() ? TimeoutError : ConnectionError;
      throw new ErrorClass(`streamEvents: ${failure}`, context, { cause });
    } finally {
      deadline.end();
    }
  };
  const response = await within(timeout, (signal) => open(connection, call, signal, context));
  const headers = headersOf(response);
  if (response.status !== 200 || !headers.get('Content-Type')?.startsWith('text/event-stream')) {
    const received = await within(timeout, () => receive(response, headers));
    await interpret(received, false, context);
    throw new UnexpectedResponseError(received, undefined, context);
  }
  const reader = (response.body as ReadableStream<Uint8Array> | undefined)?.getReader?.();
  if (!reader) throw new TypeError('stream needs a fetch whose responses have a ReadableStream as their body');
  try {
    const decoder = new TextDecoder();
    const parse = blockParser();
    for (;;) {
      const { done, value } = await within(silence, () => reader.read());
      if (done) return;
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    reader.cancel().catch(() => {}); // it may have failed already
  }
}

/** Sends the request and resolves with the response as soon as its headers have arrived. */
async function open(
  connection: Connection,
  call: { query: Record<string, unknown>; headers: Record<string, string> },
  signal: AbortSignal,
  context: AttemptContext,
) {
  const { fetch, onResponse } = connection;
  const request = prepareRequest('streamEvents', call, connection);
  const { event, headers } = await startAttempt(connection, request, context);
  const { method, url } = request;
  const start = performance.now();
  const response = await fetch(url, { method, headers, signal, redirect: 'manual' });
  const responseHeaders = headersOf(response);
  context.requestId = responseHeaders.get('X-Request-Id') ?? context.requestId;
  const { requestId } = context;
  const duration = performance.now() - start;
  onResponse?.({ ...event, status: response.status, responseHeaders, requestId, duration });
  return response;
}
