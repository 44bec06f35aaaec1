import { operationTable } from '@waybill/contract/operations';
import { permissionProblem } from '@waybill/http/access';
import { pageLimits } from '@waybill/http/document';
import type { OperationId } from '@waybill/http/operations';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Authenticate, type Authenticated, setCaller } from '../auth/authenticate.ts';
import { andThen } from '../concurrency/time-limit.ts';
import { type Admission, countWait, type FileAdmission, requestCost, requestWeight } from '../http/admission.ts';
import { clientAddress } from '../http/client-address.ts';
import type { RateLimit } from '../rate-limit/limit.ts';
import type { Handlers } from './route-handlers.ts';

interface AdmissionOptions {
  handlers: Handlers;
  requests: Admission;
  /** Requests that transfer files. */
  transfers: FileAdmission;
  /** The account of a file's signed URL; undefined when it is not valid. */
  accountOfFile(params: object): string | undefined;
  authenticate: Authenticate;
  limit: RateLimit;
}

/** Reads of which one statement serves the requests that arrive together. */
const sharedReads: ReadonlySet<OperationId> = new Set(['getShipment', 'getTracking']);

/**
 * Requires a valid key or access token that is within its limit and has the operation's scope. A file operation has a signed
 * URL instead, and its IP address is counted. The request then waits for slots of its account (http/admission.ts).
 */
export function admitOperation(
  id: OperationId,
  { accountOfFile, authenticate, handlers, limit, requests, transfers }: AdmissionOptions,
): onRequestHookHandler {
  const { scope } = operationTable[id];
  const entriesOf = listLength(id);
  const isSharedWrite = 'executeInGroup' in handlers[id];
  const sharesStatements = isSharedWrite || sharedReads.has(id);
  const admitFile = (request: FastifyRequest, reply: FastifyReply, address: string): void | Promise<void> =>
    andThen(limit.count('address', address), (headers) => {
      reply.headers(headers);
      return transfers.enter(request, reply, accountOfFile(request.params as object) ?? address);
    });
  const admitKey = (
    request: FastifyRequest,
    reply: FastifyReply,
    address: string,
    { key, keyError, limitHeaders }: Authenticated,
  ): void | Promise<void> => {
    reply.headers(limitHeaders);
    const problem = permissionProblem(id, keyError ?? key.scopes, key?.access);
    if (key) setCaller(request, key);
    // Refusals wait for slots, too: a client that goes on without a pause would occupy the process with them.
    const weight = problem ? 1 : requestWeight(request, sharesStatements, entriesOf(request));
    const cost = requestCost(weight, isSharedWrite);
    return andThen(requests.enter(request, reply, key?.accountId ?? address, weight, cost), () => {
      if (problem) throw problem;
    });
  };
  // Resolves at once, without a promise, unless a limit is counted by Redis, a key is looked up or the request waits.
  const admit = (request: FastifyRequest, reply: FastifyReply): void | Promise<void> => {
    const address = clientAddress(request);
    if (scope === null) return admitFile(request, reply, address);
    const found = authenticate(request.headers.authorization, address);
    return andThen(countWait(request, found), (authenticated) => admitKey(request, reply, address, authenticated));
  };
  return (request, reply, done) => {
    const waiting = admit(request, reply); // Fastify catches what it throws
    if (waiting instanceof Promise) waiting.then(() => done(), done);
    else done();
  };
}

/** Makes the function that returns how many entries of a list a request may read; 0 without a list. */
function listLength(id: OperationId): (request: FastifyRequest) => number {
  const limits = pageLimits(id);
  if (!limits) return () => 0;
  const { maximum = 0, default: usual = maximum } = limits;
  return ({ query }) => Math.min(Number((query as { limit?: string }).limit ?? usual) || 0, maximum);
}
