import underPressure from '@fastify/under-pressure';
import { maxBodyBytes } from '@waybill/contract/body-limit';
import { maxFileBytes } from '@waybill/contract/limits';
import { operationTable } from '@waybill/contract/operations';
import { type OperationId, pageLimits } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Authenticate, setCaller } from '../auth/authenticate.ts';
import type { Visibility } from '../auth/visibility.ts';
import {
  type Activity,
  type FairQueue,
  type FairQueueOptions,
  type FairShares,
  fairQueue,
  fairShares,
  NoSlot,
  type Release,
} from '../concurrency/fair-queue.ts';
import { andThen } from '../concurrency/time-limit.ts';
import { clientAddress } from '../connections/client-address.ts';
import type { RateLimit } from '../rate-limit/limit.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** The request is a part of a message of an agent, which the rate limit has counted. */
    isCounted?: boolean;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Releases the slots of the request before its response. Null until `waitForSlots` has set it. */
    releaseSlots: Release | null;
    /** Milliseconds that the request has waited (`countWait`), such as for its key and its slots: they are part of the time in which it ends. */
    waited: number;
    /** Milliseconds of the event loop that the request has taken (`measure`). */
    busy: number;
  }
}

/** Does work without a pause, and adds its time to what the account of the request is charged. Time measured within counts once. */
export function measure<Result>(request: Pick<FastifyRequest, 'busy'>, work: () => Result): Result {
  const [before, start] = [request.busy, performance.now()];
  try {
    return work();
  } finally {
    request.busy = before + performance.now() - start;
  }
}

/** Adds the properties of requests that `waitForSlots` sets. */
export const decorateWithSlots = (app: FastifyInstance): void =>
  void app.decorateRequest('releaseSlots', null).decorateRequest('waited', 0).decorateRequest('busy', 0);

interface AdmissionOptions {
  overload: Pick<Overload, 'refuse'>;
  requestSlots: Slots;
  fileSlots: Slots;
  /** The account of a file's signed URL; undefined when it is not valid. */
  accountOfFile(params: object): string | undefined;
  authenticateAndCount: Authenticate;
  limit: RateLimit;
  visibility: Visibility;
}

/** Makes the hook that admits the requests of an operation, or refuses them before their body is read. */
export function admitOperation(id: OperationId, options: AdmissionOptions): onRequestHookHandler {
  const admit = operationTable[id].scope === null ? admitFiles(id, options) : admitCallers(id, options);
  const { overload } = options;
  return (request, reply, done) => {
    overload.refuse();
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
  (id: OperationId, { accountOfFile, limit, fileSlots }: AdmissionOptions): Admit =>
  (request, reply, address) =>
    andThen(limit.count('address', address), (limitHeaders) => {
      reply.headers(limitHeaders);
      return fileSlots.waitForSlots(request, reply, accountOfFile(request.params as object) ?? address, id);
    });

/** Requires a valid key or access token that is within its limit and has the operation's scope. */
function admitCallers(id: OperationId, { authenticateAndCount, requestSlots, visibility }: AdmissionOptions): Admit {
  const entriesOf = listLength(id);
  return (request, reply, address) => {
    const found = authenticateAndCount(request.headers.authorization, address, request.raw.isCounted);
    return andThen(countWait(request, found), ({ key: caller, keyError, limitHeaders }) => {
      reply.headers(limitHeaders);
      if (caller) setCaller(request, caller);
      const problem = visibility.accessProblem(id, keyError ?? caller.scopes, caller?.access);
      // Refusals of its key or scope wait for slots, too: a client that goes on without a pause would occupy the process with them.
      const kind = problem ? 'refused' : `${id} ${entriesOf(request)}`;
      const account = caller?.accountId ?? address;
      return andThen(requestSlots.waitForSlots(request, reply, account, kind, caller?.share), () => {
        if (problem) throw problem;
      });
    });
  };
}

/** Slots of this process: the requests that it handles in one turn of the event loop delay all others. */
const requestLimits = { slots: 96, slotsPerAccount: 64, weightPerTurn: 32 };
/** What an account has of them while others are active. */
const sharedSlotsPerAccount = 32;
/** Transfers of files, which last longer. Each part of a file costs little. Slow clients occupy their slots. */
const transferLimits = { slots: 256, slotsPerAccount: 128, weightPerTurn: 8 };
/**
 * The part of the time of this process that an account may use while others are active, in requests, pages and files. Two busy
 * accounts use it all; beside one alone, those that send little have time left.
 */
const requestShare = { costPerMillisecond: 0.6, period: 8 };
/** Requests of an account that may wait, and of all accounts. */
const maxWaitingPerAccount = 1_000;
const maxWaiting = 20_000;
/** Milliseconds of the event loop that a small request takes, for which it has one slot. */
const smallCost = 0.1;
/** Bytes that cost as much: of a body that is parsed, and others. */
const [parsedBytes, streamedBytes] = [4096, 16_384];

/** The slots of requests or of transfers of files, which accounts share. */
export interface Slots {
  /**
   * Waits until a request may be handled, before its body is read. Its slots are released after its response at the latest. Then
   * its account is charged what the request has cost.
   * @param account its id, or the IP address that a request without a valid key is counted for
   * @param kind requests of one kind cost about the same: those before tell how many slots it needs
   * @param share of its account, in percent; null for the usual one, undefined for the one that it has
   * @throws {Problem} rate_limited when too many requests of the account wait, unavailable when too many of all do or when it
   * has waited too long
   */
  waitForSlots(
    request: FastifyRequest,
    reply: FastifyReply,
    account: string,
    kind: string,
    share?: number | null,
  ): void | Promise<void>;
}

/** Makes the time that accounts share. @param busyTime milliseconds that this process has used */
export const requestSharesOf = (activity: Activity, busyTime: () => number = cpuTime): FairShares =>
  fairShares({ ...requestShare, activity, busyTime });

/** Milliseconds of processors. While other processes have them, nobody is charged. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Makes the slots of requests. @param timeout milliseconds that a request may wait */
export const requestSlotsOf = (shares: FairShares, timeout: number): Slots =>
  slotsOf({
    ...requestLimits,
    shared: { slotsPerAccount: sharedSlotsPerAccount, shares },
    timeout,
    bytesRead: { perCost: parsedBytes, max: maxBodyBytes },
    weightOf: (cost) => Math.round(cost / smallCost),
  });

/** Makes the slots of requests that transfer files. @param timeout milliseconds that a request may wait */
export const fileSlotsOf = (shares: FairShares, timeout: number): Slots =>
  slotsOf({
    ...transferLimits,
    shared: { shares },
    timeout,
    bytesRead: { perCost: streamedBytes, max: maxFileBytes },
    weightOf: () => 1,
  });

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

interface SlotOptions extends Omit<FairQueueOptions, 'maxWaiting' | 'maxWaitingPerAccount'> {
  shared: { slotsPerAccount?: number; shares: FairShares };
  /** How many bytes of a body cost as much as a small request, and how many one may have. */
  bytesRead: { perCost: number; max: number };
  /** The slots of a request that is expected to cost so much. */
  weightOf(cost: number): number;
}

function slotsOf({ bytesRead, weightOf, ...options }: SlotOptions): Slots {
  const queue = fairQueue({ ...options, maxWaiting, maxWaitingPerAccount });
  const { shares } = options.shared;
  const costs = measuredCosts();
  return {
    waitForSlots(request, reply, account, kind, share) {
      if (share !== undefined) shares.setShare(account, share === null ? undefined : share / 100);
      const { socket } = request;
      const before = { read: socket.bytesRead, written: socket.bytesWritten };
      const announced = Math.min(bytesOf(request), bytesRead.max) / bytesRead.perCost;
      const expected = Math.max(costs.expected(account, kind), smallCost * (1 + announced));
      const entered = enterOrThrow(queue, account, weightOf(expected), expected, options.timeout - request.waited);
      const start = (release: Release): void => {
        request.releaseSlots = release;
        const end = (): void => {
          release();
          const read = (socket.bytesRead - before.read) / bytesRead.perCost;
          const written = (socket.bytesWritten - before.written) / streamedBytes;
          const cost = smallCost * (1 + read + written) + request.busy;
          costs.add(account, kind, cost);
          shares.charge(account, cost - expected);
        };
        if (reply.raw.closed) end();
        else reply.raw.once('close', end);
      };
      if (!(entered instanceof Promise)) return start(entered);
      return countWait(request, entered).then(start, throwProblem);
    },
  };
}

/** Kinds of requests of accounts whose costs are known. */
const maxCosts = 10_000;
/** Until its first requests have ended, a kind is expected to be small. The median leaves out what the first of all compile. */
const unknownCosts: readonly number[] = Array(5).fill(smallCost);

/** What requests have cost, by their account and kind, in milliseconds. That of all accounts is expected of a new one. */
function measuredCosts() {
  const last = new LRUCache<string, readonly number[]>({ max: maxCosts });
  const add = (name: string, cost: number): void =>
    void last.set(name, [...(last.get(name) ?? unknownCosts).slice(1), cost]);
  return {
    expected(account: string, kind: string): number {
      const costs = last.get(`${account} ${kind}`) ?? last.get(kind) ?? unknownCosts;
      return median(costs);
    },
    add(account: string, kind: string, cost: number): void {
      add(`${account} ${kind}`, cost);
      add(kind, cost);
    },
  };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? smallCost;

/** Makes the function that returns how many entries of a list a request may read; 0 without a list. */
function listLength(id: OperationId): (request: FastifyRequest) => number {
  const limits = pageLimits(id);
  if (!limits) return () => 0;
  const { maximum = 0, default: usual = maximum } = limits;
  return ({ query }) => {
    const wanted = Math.trunc(Number((query as { limit?: string }).limit ?? usual)); // it is not validated yet
    return wanted > 0 ? Math.min(wanted, maximum) : 0;
  };
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

/** Refuses requests while the event loop is delayed. Health checks do not ask it, because an overloaded service is alive. */
export interface Overload {
  /** Begins to measure. Call it when the routes have compiled their schemas. */
  watch(app: FastifyInstance): Promise<void>;
  /** @throws {Problem} unavailable */
  refuse(): void;
}

/** @param maxDelay of the event loop, in milliseconds */
export function overloadOf(maxDelay: number): Overload {
  let isDelayed = (): boolean => false;
  return {
    async watch(app) {
      // In a scope without routes: its hook would run for each request.
      await app.register(async (scope) => {
        await scope.register(underPressure, { maxEventLoopDelay: maxDelay });
        // The delay is infinite until it has been measured.
        isDelayed = () => scope.isUnderPressure() && Number.isFinite(scope.memoryUsage().eventLoopDelay);
      });
    },
    refuse() {
      if (isDelayed()) throw new Problem('unavailable', 'The service is overloaded.');
    },
  };
}
