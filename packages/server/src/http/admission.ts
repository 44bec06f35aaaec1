import { Problem } from '@waybill/http/problems';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FairQueue, type FairQueueOptions, fairQueue, NoSlot, type Release } from '../concurrency/fair-queue.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Releases the slots of the request before its response. Null until `enter` has admitted it. */
    releaseSlots: Release | null;
  }
}

/** Adds the property of requests that `enter` sets. */
export const decorateWithSlots = (app: FastifyInstance): void => void app.decorateRequest('releaseSlots', null);

/** Slots of this process: the requests that it handles in one turn of the event loop delay all others. */
const requestSlots = {
  ...{ slots: 96, slotsPerAccount: 64, weightPerTurn: 32 },
  shared: { slotsPerAccount: 32, weightPerMillisecond: 2 },
};
/** Transfers of files, which last longer. Each part of a file costs little. */
const transferSlots = { slots: 256, slotsPerAccount: 128, weightPerTurn: 8 };
/** Requests of an account that may wait, and of all accounts. */
const maxWaitingPerAccount = 1_000;
const maxWaiting = 20_000;
/** What a request costs whose statements are its own, compared with one that shares them with others (0.1 ms of CPU). */
const ownStatements = 5;
/** Bytes of a body, and entries of a list, that cost as much as a request that shares its statements. */
const bytesPerSlot = 4096;
const entriesPerSlot = 5;

/** Lets requests in when there are free slots for their account. */
export interface Admission {
  /**
   * Waits until a request may be handled, before its body is read. Its slots are released after its response.
   * @param account its id, or the IP address that a request without a valid key is counted for
   * @param weight what the request costs, compared with a small one that shares its statements
   * @throws {Problem} rate_limited when too many requests of the account wait, unavailable when too many of all do
   */
  enter(request: FastifyRequest, reply: FastifyReply, account: string, weight: number): void | Promise<void>;
}

/** Makes the admission of requests. @param timeout milliseconds that a request may wait */
export const admitRequests = (timeout: number): Admission => admission({ ...requestSlots, timeout });

/** Makes the admission of requests that transfer files. @param timeout milliseconds that a request may wait */
export const admitTransfers = (timeout: number): Admission => admission({ ...transferSlots, timeout });

function admission(options: Omit<FairQueueOptions, 'maxWaiting' | 'maxWaitingPerAccount'>): Admission {
  const queue = fairQueue({ ...options, maxWaiting, maxWaitingPerAccount });
  return {
    enter(request, reply, account, weight) {
      const entered = enterOrThrow(queue, account, weight);
      const start = (release: Release): void => {
        request.releaseSlots = release;
        if (reply.raw.closed) release();
        else reply.raw.once('close', release);
      };
      return entered instanceof Promise ? entered.then(start, throwProblem) : start(entered);
    },
  };
}

/**
 * What a request costs before its handler knows: its statements, the bytes that are parsed and the entries that are read.
 * @param sharesStatements whether one statement serves it together with others
 * @param entries of the list that it reads at most; 0 for none
 */
export function requestWeight({ headers }: FastifyRequest, sharesStatements: boolean, entries: number): number {
  const isChunked = headers['transfer-encoding'] !== undefined;
  const bytes = isChunked ? Number.POSITIVE_INFINITY : Number(headers['content-length'] ?? 0);
  const statements = sharesStatements ? 1 : ownStatements;
  const weight = statements + Math.floor(bytes / bytesPerSlot) + Math.floor(entries / entriesPerSlot);
  return Math.min(weight, requestSlots.slotsPerAccount);
}

function enterOrThrow(queue: FairQueue, accountId: string, weight: number): Release | Promise<Release> {
  try {
    return queue.enter(accountId, weight);
  } catch (error) {
    return throwProblem(error);
  }
}

function throwProblem(error: unknown): never {
  if (!(error instanceof NoSlot)) throw error;
  if (error.refusal === 'account_full') {
    const detail = `The account has ${maxWaitingPerAccount} requests that wait for earlier ones.`;
    throw new Problem('rate_limited', detail, {}, { 'Retry-After': '1' });
  }
  throw new Problem('unavailable', 'The service is overloaded.');
}
