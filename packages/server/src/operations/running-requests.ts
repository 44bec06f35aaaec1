import type { OperationResponse } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import { beforeDeadline } from '../concurrency/time-limit.ts';
import type { KeyedRequest } from './stored-responses.ts';

/** The requests with a key that this process executes. Equal ones share one response and one connection. */
export type RunningRequests = Map<string, RunningRequest>;

interface RunningRequest {
  fingerprint: Buffer;
  /** Undefined when the request has ended, and is no longer in the map: only for the garbage collection. */
  response: Promise<OperationResponse> | undefined;
}

/** A request beside which no other one with its key runs in this process. */
interface Turn {
  /** The turn ends when this promise of the response settles. Equal requests that wait get the response, too. */
  endWith: PromiseWithResolvers<OperationResponse>['resolve'];
}

/**
 * Waits while requests with the same key run, and then adds the request. The last check and the addition are one
 * synchronous step, so that no other request comes between them.
 * @param releaseSlots called when it waits: other requests of the account may start meanwhile. It takes none again, because it
 * then waits for a connection, which accounts share, too.
 * @returns the response of an equal request that ran, or the turn of this one
 * @throws {Problem} idempotency_in_progress at the deadline, or the error of the equal request
 */
export async function waitOrStart(
  running: RunningRequests,
  keyedRequest: KeyedRequest,
  deadline: number,
  releaseSlots: () => void,
): Promise<{ responseOfEqual: OperationResponse } | Turn> {
  const mapKey = `${keyedRequest.accountId} ${keyedRequest.key}`;
  for (let other = running.get(mapKey); other?.response; other = running.get(mapKey)) {
    releaseSlots();
    if (other.fingerprint.equals(keyedRequest.fingerprint)) {
      return { responseOfEqual: await beforeDeadline(other.response, deadline, inProgress) };
    }
    // Then the key may be free: a failed request may have stored no response. An ended one is no longer in the map, because
    // `remove` below runs before this goes on.
    await beforeDeadline(Promise.allSettled([other.response]), deadline, inProgress);
  }
  const { promise, resolve } = Promise.withResolvers<OperationResponse>();
  const added: RunningRequest = { fingerprint: keyedRequest.fingerprint, response: promise };
  running.set(mapKey, added);
  const remove = (): void => {
    running.delete(mapKey);
    added.response = undefined; // V8 keeps removed entries of a map until its next full collection (decision 0033)
  };
  promise.then(remove, remove);
  return { endWith: resolve };
}

export const inProgress = (): Problem =>
  new Problem(
    'idempotency_in_progress',
    'The first request with this key is still running.',
    {},
    { 'Retry-After': '1' },
  );
