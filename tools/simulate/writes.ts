import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type CallOptions, ConnectionError, ProblemError } from '@waybill/client';
import type { Random } from './random.ts';
import type { Tally } from './tally.ts';

/** What a call of the client resolves with, as far as it matters here. */
export interface Reply<Data> {
  status: number;
  data: Data;
  headers?: Headers;
}

/** How a write ended for good: what two answers to the same request must have in common. */
export interface Outcome {
  status: number;
  /** Without what is made anew for every answer: signed URLs with their expiry, and the request's id. */
  body: unknown;
}

/** A write with the key that makes it safe to repeat. */
export interface Write<Data = unknown> {
  /** The operation's id, or the client's method of several operations. */
  operation: string;
  /** The reference of the shipment that it is about. */
  subject: string;
  path?: object;
  body: Record<string, unknown>;
  key: string;
  /** Sends it once; repeated it is the same request with the same key. */
  send(options?: CallOptions): Promise<Reply<Data>>;
}

/** Who wants to know what is sent and what became of it. */
export interface Journal {
  /** Before a write is sent for the first time; the write waits for it. */
  sending(write: Write): Promise<void> | void;
  /** A send had no answer that says what became of it. @returns whether to send it again */
  unanswered(write: Write): boolean;
  /** The first answer that is final; `replayed` when it says that the write had been done before. */
  answered(write: Write, outcome: Outcome, replayed: boolean | undefined): void;
  /** No answer will come any more: whether the write had its effect is not known. */
  left(write: Write): void;
}

/** A write without an answer, which is not sent again: whether it had its effect is not known. */
export class Abandoned extends Error {}

type Settled<Data> = { outcome: Outcome; replayed: boolean | undefined } & ({ data: Data } | { problem: ProblemError });

/**
 * Sends a write once. @returns how it ended: an answer or a refusal for good
 * @throws what says nothing about the next attempt: no connection, overload, a fault of the service
 */
export async function settle<Data>(write: Write<Data>, options: CallOptions = {}): Promise<Settled<Data>> {
  try {
    const { status, data, headers } = await write.send(options);
    const replayed = headers && headers.get('Idempotent-Replayed') === 'true';
    return { outcome: { status, body: unsigned(data) }, replayed, data };
  } catch (error) {
    if (!(error instanceof ProblemError) || isTransient(error)) throw error;
    const { request_id: _, ...body } = error.problem;
    return { outcome: { status: error.status, body }, replayed: undefined, problem: error };
  }
}

/** Whether the same request may end otherwise a little later. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof ProblemError &&
    (error.status >= 500 || error.status === 429 || error.code === 'idempotency_in_progress'));

/** Pauses between attempts, in milliseconds. */
const [shortest, longest] = [50, 1000];
/** How many writes are sent once more than needed, some of them at the same time. */
const repeated = 0.06;

/** Sends writes until they are answered. */
export type Perform = <Data>(write: Write<Data>) => Promise<Data>;

/**
 * @returns what sends a write until it is answered, and sometimes once more, which must change nothing. It resolves
 * with the answer's body and rejects with a refusal (`ProblemError`), `Abandoned`, or the signal's reason.
 */
export function performer(random: Random, tally: Tally, signal: AbortSignal, journal?: Journal): Perform {
  const persist = async <Data>(write: Write<Data>): Promise<Settled<Data>> => {
    for (let pause = shortest; ; pause = Math.min(pause * 2, longest)) {
      try {
        return await settle(write, { signal, retries: 0 });
      } catch (error) {
        signal.throwIfAborted();
        if (!isTransient(error)) throw error;
        tally.unanswered++;
        if (error instanceof ProblemError && error.status === 500) tally.fault(`${write.operation}: ${error.code}`);
        if (journal?.unanswered(write) === false) throw new Abandoned(write.operation, { cause: error });
        await setTimeout(pause * (0.5 + Math.random() / 2), undefined, { signal });
      }
    }
  };
  const often = async <Data>(write: Write<Data>): Promise<Settled<Data>> => {
    const [again, beside] = [random.chance(repeated), random.chance(0.5)];
    const sent = [persist(write), ...(again && beside ? [persist(write)] : [])];
    await Promise.allSettled(sent); // nothing is under way any more when this ends
    const [first, second] = await Promise.all(sent);
    if (!first) throw new Error('Nothing was sent.');
    const other = again && !beside ? await persist(write) : second;
    if (other && !isDeepStrictEqual(first.outcome, other.outcome)) tally.fault(`${write.operation}: another answer`);
    if (first.replayed === false && other?.replayed === false) tally.fault(`${write.operation}: done twice`);
    return first;
  };
  return async (write) => {
    await journal?.sending(write);
    const result = await often(write).catch((error: unknown) => {
      journal?.left(write);
      throw error;
    });
    journal?.answered(write, result.outcome, result.replayed);
    if ('problem' in result) throw result.problem;
    return result.data;
  };
}

const signed = new Set(['upload_url', 'expires_at', 'signature_url']);

/** A copy without what signing adds; of photos their number is left. */
export function unsigned(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value) => {
      if (signed.has(name)) return undefined;
      return name === 'photos' && Array.isArray(value) ? value.length : value;
    }),
  );
}
