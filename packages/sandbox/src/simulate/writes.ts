import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type CallOptions, ConnectionError, WaybillError } from '@waybill/client';
import type { Random } from './random.ts';
import type { Tally } from './tally.ts';

/** The parts of a client's response that the simulation needs. */
export interface ClientResponse<Data> {
  status: number;
  data: Data;
  headers?: Headers;
}

/** The final response to a write: what two responses to the same request have in common. */
interface WriteResult {
  status: number;
  /** Without the parts that differ in every response: signed URLs, their expiry, and the request id. */
  body: unknown;
}

/** A write with its idempotency key. */
export interface Write<Data = unknown> {
  /** The operation id, or the client method that combines several operations. */
  operation: string;
  /** The reference of its shipment. */
  reference: string;
  body: Record<string, unknown>;
  key: string;
  /** Sends the request once. Every call sends the same request with the same key. */
  send(options?: CallOptions): Promise<ClientResponse<Data>>;
}

/** Creates a write with a new idempotency key. @param call sends a request; the client's method of the operation */
export function newWrite<Path extends object, Body extends object, Data>(
  reference: string,
  operation: string,
  { path, body }: { path?: Path; body: Body },
  call: (params: Path & Body, options: CallOptions) => { withResponse(): Promise<ClientResponse<Data>> },
): Write<Data> {
  const key = randomUUID();
  const headers = { 'Idempotency-Key': key };
  const params = { ...path, ...body } as Path & Body;
  const send = (options?: CallOptions) => call(params, { ...options, headers }).withResponse();
  return { operation, reference, body: body as Record<string, unknown>, key, send };
}

/** What is known about a write of a simulation. */
export interface Entry {
  write: Write;
  /** The first final response. Without one, the write may have had its effect or not. */
  result?: WriteResult;
  /** A request for it had no final response, so only a retry could show whether it had its effect. */
  interrupted: boolean;
  /** It was interrupted, and a retry showed that the effect had happened. */
  applied: boolean;
}

/** Observes what is sent and how it ends. */
export interface WriteObserver {
  /** Called before a write is sent for the first time. */
  begin(entry: Entry): void;
  /** A request had no final response. @returns whether the write is abandoned, that is not sent again */
  abandons(): boolean;
}

/** A write had no final response and is not sent again. Whether it had its effect is unknown. */
export class AbandonedError extends Error {}

type Completed<Data> = { result: WriteResult; replayed: boolean | undefined } & (
  | { data: Data }
  | { problem: WaybillError }
);

/**
 * Sends a write once. @returns its final response: a success or a permanent error
 * @throws an error that a retry may resolve: no connection, overload, an error of the service
 */
export async function sendOnce<Data>(write: Write<Data>, options: CallOptions = {}): Promise<Completed<Data>> {
  try {
    const { status, data, headers } = await write.send(options);
    const replayed = headers && headers.get('Idempotent-Replayed') === 'true';
    return { result: { status, body: withoutSignedFields(data) }, replayed, data };
  } catch (error) {
    if (!(error instanceof WaybillError) || isRetryable(error)) throw error;
    const { request_id: _, ...body } = error.problem;
    return { result: { status: error.status, body }, replayed: undefined, problem: error };
  }
}

/** Whether the same request may succeed later. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof WaybillError &&
    (error.status >= 500 || error.status === 429 || error.code === 'idempotency_in_progress'));

/** Pauses between attempts, in milliseconds. */
const [minPause, maxPause] = [50, 1000];
/** The share of writes that are sent twice, half of them concurrently. */
const duplicateShare = 0.06;

/** Sends a write until it has a final response. */
export type Perform = <Data>(write: Write<Data>) => Promise<Data>;

/**
 * Returns a function that sends a write until it has a final response, and sometimes once more, which must change nothing.
 * The function resolves with the response body, and rejects with a `WaybillError`, an `AbandonedError` or the signal's reason.
 */
export function createPerform(random: Random, tally: Tally, signal: AbortSignal, observer?: WriteObserver): Perform {
  const sendWithRetries = async <Data>(write: Write<Data>, entry: Entry): Promise<Completed<Data>> => {
    for (let pause = minPause; ; pause = Math.min(pause * 2, maxPause)) {
      try {
        return await sendOnce(write, { signal, maxRetries: 0 });
      } catch (error) {
        signal.throwIfAborted();
        if (!isRetryable(error)) throw error;
        tally.failedAttempts++;
        if (error instanceof WaybillError && error.status === 500) tally.addError(`${write.operation}: ${error.code}`);
        entry.interrupted = true;
        if (observer?.abandons()) throw new AbandonedError(write.operation, { cause: error });
        await setTimeout(pause * (0.5 + Math.random() / 2), undefined, { signal });
      }
    }
  };
  const sendWithDuplicates = async <Data>(write: Write<Data>, entry: Entry): Promise<Completed<Data>> => {
    const [twice, concurrently] = [random.chance(duplicateShare), random.chance(0.5)];
    const send = () => sendWithRetries(write, entry);
    const sent = [send(), ...(twice && concurrently ? [send()] : [])];
    await Promise.allSettled(sent); // both requests must have ended before this returns
    const [first, second] = await Promise.all(sent);
    if (!first) throw new Error('No request was sent.');
    const other = twice && !concurrently ? await send() : second;
    if (other && !isDeepStrictEqual(first.result, other.result)) tally.addError(`${write.operation}: responses differ`);
    if (first.replayed === false && other?.replayed === false) tally.addError(`${write.operation}: executed twice`);
    return first;
  };
  return async (write) => {
    const entry: Entry = { write, interrupted: false, applied: false };
    observer?.begin(entry);
    const completed = await sendWithDuplicates(write, entry);
    entry.result = completed.result;
    entry.applied = entry.interrupted && completed.replayed === true;
    if ('problem' in completed) throw completed.problem;
    return completed.data;
  };
}

const signedFields = new Set(['upload_url', 'expires_at', 'signature_url']);

/** A copy without the fields that signing adds, and with the number of photos instead of their URLs. */
export function withoutSignedFields(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value) => {
      if (signedFields.has(name)) return undefined;
      return name === 'photos' && Array.isArray(value) ? value.length : value;
    }),
  );
}
