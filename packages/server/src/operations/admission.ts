import underPressure from '@fastify/under-pressure';
import { maxFileBytes } from '@waybill/contract/limits';
import { operationTable } from '@waybill/contract/operations';
import { accessProblem } from '@waybill/http/access';
import { type OperationId, pageLimits } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Authenticate, setCaller } from '../auth/authenticate.ts';
import {
  type Activity,
  type FairQueue,
  type FairQueueOptions,
  fairQueue,
  fairShares,
  NoSlot,
  type Release,
} from '../concurrency/fair-queue.ts';
import { andThen } from '../concurrency/time-limit.ts';
import { clientAddress } from '../http/client-address.ts';
import type { RateLimit } from '../rate-limit/limit.ts';
import type { Handlers } from './route-handlers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Releases the slots of the request before its response. Null until `waitForSlots` has set it. */
    releaseSlots: Release | null;
    /** Milliseconds that the request has waited for its key and its slots: they are part of the time in which it ends. */
    waited: number;
  }
}

/** Adds the properties of requests that `waitForSlots` sets. */
export const decorateWithSlots = (app: FastifyInstance): void =>
  void app.decorateRequest('releaseSlots', null).decorateRequest('waited', 0);

interface AdmissionOptions {
  handlers: Handlers;
  requestSlots: RequestSlots;
  fileSlots: FileSlots;
  /** The account of a file's signed URL; undefined when it is not valid. */
  accountOfFile(params: object): string | undefined;
  authenticateAndCount: Authenticate;
  limit: RateLimit;
}

/** Reads of which one statement serves the requests that arrive together. */
const sharedReads: ReadonlySet<OperationId> = new Set(['getShipment', 'getTracking']);

/** Makes the hook that admits the requests of an operation, or refuses them before their body is read. */
export function admitOperation(id: OperationId, options: AdmissionOptions): onRequestHookHandler {
  const admit = operationTable[id].scope === null ? admitFiles(options) : admitCallers(id, options);
  return (request, reply, done) => {
    const address = clientAddress(request);
    const waiting = admit(request, reply, address); // Fastify catches what it throws
    if (waiting instanceof Promise) waiting.then(() => done(), done);
    else done();
  };
}

/**
 * Returns a promise only when Redis counts the request, it has no key in the cache, it has had 100 refusals in a window of
 * its rate limit, of which further ones are delayed, or it waits for slots.
 */
type Admit = (request: FastifyRequest, reply: FastifyReply, address: string) => void | Promise<void>;

/** A file operation has a signed URL instead of a key, and its IP address is counted. */
const admitFiles =
  ({ accountOfFile, limit, fileSlots }: AdmissionOptions): Admit =>
  (request, reply, address) =>
    andThen(limit.count('address', address), (limitHeaders) => {
      reply.headers(limitHeaders);
      return fileSlots.waitForSlots(request, reply, accountOfFile(request.params as object) ?? address);
    });

/** Requires a valid key or access token that is within its limit and has the operation's scope. */
function admitCallers(id: OperationId, { authenticateAndCount, handlers, requestSlots }: AdmissionOptions): Admit {
  const entriesOf = listLength(id);
  const isGrouped = 'planForGroup' in handlers[id]; // also on Citus, where it costs as much alone
  const sharesStatements = isGrouped || sharedReads.has(id);
  return (request, reply, address) => {
    const found = authenticateAndCount(request.headers.authorization, address);
    return andThen(countWait(request, found), ({ key: caller, keyError, limitHeaders }) => {
      reply.headers(limitHeaders);
      if (caller) setCaller(request, caller);
      const problem = accessProblem(id, keyError ?? caller.scopes, caller?.access);
      // Refusals of its key or scope wait for slots, too: a client that goes on without a pause would occupy the process with them.
      const weight = problem ? 1 : requestWeight(request, sharesStatements, entriesOf(request));
      const cost = requestCost(weight, isGrouped);
      return andThen(requestSlots.waitForSlots(request, reply, caller?.accountId ?? address, weight, cost), () => {
        if (problem) throw problem;
      });
    });
  };
}

/** Slots of this process: the requests that it handles in one turn of the event loop delay all others. */
const requestLimits = { slots: 96, slotsPerAccount: 64, weightPerTurn: 32 };
/** What an account has of them, and of the time, while others are active. */
const sharedSlotsPerAccount = 32;
const requestShare = { costPerMillisecond: 1, ofAllInstances: true, period: 8 };
/** Transfers of files, which last longer. Each part of a file costs little. Slow clients occupy their slots. */
const transferLimits = { slots: 256, slotsPerAccount: 128, weightPerTurn: 8 };
const transferShare = { costPerMillisecond: 1, ofAllInstances: true, period: 4 };
/** Requests of an account that may wait, and of all accounts. */
const maxWaitingPerAccount = 1_000;
const maxWaiting = 20_000;
/** What a request costs whose statements are its own, compared with a read that shares them with others (0.1 ms of CPU). */
const ownStatements = 5;
/** The same for a write in a group: groups are smaller when an account has only its share of the time. */
const groupedWriteCost = 5;
/** Bytes of a body, and entries of a list, that cost as much as a request that shares its statements. */
const bytesPerSlot = 4096;
const entriesPerSlot = 5;
/** Bytes of a file that cost as much. They are not parsed. */
const fileBytesPerCost = 16_384;

/** The slots of requests, which accounts share. */
export interface RequestSlots {
  /**
   * Waits until a request may be handled, before its body is read. Its slots are released after its response at the latest.
   * @param account its id, or the IP address that a request without a valid key is counted for
   * @param weight its slots
   * @param cost what it costs, compared with a small read that shares its statements; by default its weight. A small
   * createShipment has the weight 1 and the cost 5
   * @throws {Problem} rate_limited when too many requests of the account wait, unavailable when too many of all do or when it
   * has waited too long
   */
  waitForSlots(
    request: FastifyRequest,
    reply: FastifyReply,
    account: string,
    weight: number,
    cost?: number,
  ): void | Promise<void>;
}

/** The slots of requests that transfer files. */
export interface FileSlots {
  /** As `RequestSlots` does. The cost is of the bytes: those that are sent are charged when the response has ended. */
  waitForSlots(request: FastifyRequest, reply: FastifyReply, account: string): void | Promise<void>;
}

/** Makes the slots of requests. @param timeout milliseconds that a request may wait */
export const requestSlotsOf = (activity: Activity, timeout: number): RequestSlots =>
  slotsOf({
    ...requestLimits,
    shared: { slotsPerAccount: sharedSlotsPerAccount, shares: fairShares({ ...requestShare, activity }) },
    timeout,
  });

/** Makes the slots of requests that transfer files. @param timeout milliseconds that a request may wait */
export function fileSlotsOf(activity: Activity, timeout: number): FileSlots {
  const shares = fairShares({ ...transferShare, activity });
  const { waitForSlots } = slotsOf({ ...transferLimits, shared: { shares }, timeout });
  return {
    waitForSlots(request, reply, account) {
      const { socket } = request;
      const sentBefore = socket.bytesWritten;
      reply.raw.once('close', () => shares.charge(account, (socket.bytesWritten - sentBefore) / fileBytesPerCost));
      // A request that announces more is refused without its bytes.
      const bytes = Math.min(bytesOf(request), maxFileBytes);
      return waitForSlots(request, reply, account, 1, ownStatements + bytes / fileBytesPerCost);
    },
  };
}

/** Waits for a promise. Its time is part of that in which the request ends. A value that needs no promise takes none. */
export function countWait<Value>(request: FastifyRequest, promise: Promise<Value>): Promise<Value>;
export function countWait<Value>(request: FastifyRequest, value: Value | Promise<Value>): Value | Promise<Value>;
export function countWait<Value>(request: FastifyRequest, value: Value | Promise<Value>): Value | Promise<Value> {
  if (!(value instanceof Promise)) return value;
  const start = performance.now();
  return value.then((result) => {
    request.waited += performance.now() - start;
    return result;
  });
}

function slotsOf(options: Omit<FairQueueOptions, 'maxWaiting' | 'maxWaitingPerAccount'>): RequestSlots {
  const queue = fairQueue({ ...options, maxWaiting, maxWaitingPerAccount });
  return {
    waitForSlots(request, reply, account, weight, cost = weight) {
      const entered = enterOrThrow(queue, account, weight, cost, options.timeout - request.waited);
      const start = (release: Release): void => {
        request.releaseSlots = release;
        if (reply.raw.closed) release();
        else reply.raw.once('close', release);
      };
      if (!(entered instanceof Promise)) return start(entered);
      return countWait(request, entered).then(start, throwProblem);
    },
  };
}

/**
 * The slots of a request before its handler knows: for its statements, the bytes that are parsed and the entries that are read.
 * @param sharesStatements whether one statement serves it together with others
 * @param entries of the list that it reads at most; 0 for none
 */
export function requestWeight(request: FastifyRequest, sharesStatements: boolean, entries: number): number {
  const statements = sharesStatements ? 1 : ownStatements;
  const bytes = Math.floor(bytesOf(request) / bytesPerSlot);
  return Math.min(statements + bytes + Math.floor(entries / entriesPerSlot), requestLimits.slotsPerAccount);
}

/** What a request costs that has these slots. */
export const requestCost = (weight: number, isGrouped: boolean): number =>
  isGrouped ? weight + groupedWriteCost - 1 : weight;

/** Makes the function that returns how many entries of a list a request may read; 0 without a list. */
function listLength(id: OperationId): (request: FastifyRequest) => number {
  const limits = pageLimits(id);
  if (!limits) return () => 0;
  const { maximum = 0, default: usual = maximum } = limits;
  return ({ query }) => Math.min(Number((query as { limit?: string }).limit ?? usual) || 0, maximum);
}

const bytesOf = ({ headers }: FastifyRequest): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY;

function enterOrThrow(queue: FairQueue, ...work: Parameters<FairQueue['enter']>): Release | Promise<Release> {
  try {
    return queue.enter(...work);
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

/**
 * Rejects requests to the routes of this scope with 503 while the event loop is delayed. Health checks are not in the
 * scope, because an overloaded service is alive.
 * @param maxEventLoopDelay in milliseconds
 */
export async function shedLoad(routes: FastifyInstance, maxEventLoopDelay: number): Promise<void> {
  await routes.register(underPressure, {
    maxEventLoopDelay,
    pressureHandler: (_request, _reply, _type, delay) => {
      // The delay is infinite until it has been measured.
      if (Number.isFinite(delay)) throw new Problem('unavailable', 'The service is overloaded.');
    },
  });
}
