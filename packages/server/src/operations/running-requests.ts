import type { OperationResponse } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import { isStorable, problemResponse } from '@waybill/http/stored-response';
import { withTimeLimit } from '../concurrency/time-limit.ts';
import type { KeyedRequest } from './stored-responses.ts';

/** The requests with a key that this process executes. Equal ones share one response and one connection. */
export type RunningRequests = Map<string, { fingerprint: Buffer; response: Promise<OperationResponse> }>;

type EndRunning = PromiseWithResolvers<OperationResponse>['resolve'];

/**
 * Waits while requests with the same key run, and then adds the request. The last check and the addition are one
 * synchronous step, so that no other request comes between them.
 * @returns the response of an equal request that ran, or `endRunning`: call it with the response of this one, which equal
 * requests that wait get, too, or with a promise that may reject
 * @param onWait called when it waits
 * @throws {Problem} idempotency_in_progress at the deadline, or the error of the equal request
 */
export async function waitOrStart(
  running: RunningRequests,
  request: KeyedRequest,
  deadline: number,
  onWait: () => void,
): Promise<
  | { responseOfEqual: OperationResponse; endRunning?: undefined }
  | { responseOfEqual?: undefined; endRunning: EndRunning }
> {
  const mapKey = `${request.accountId} ${request.key}`;
  for (let other = running.get(mapKey); other; other = running.get(mapKey)) {
    onWait();
    if (!other.fingerprint.equals(request.fingerprint)) {
      await withDeadline(Promise.allSettled([other.response]), deadline);
      continue;
    }
    try {
      return { responseOfEqual: await withDeadline(other.response, deadline) };
    } catch (error) {
      if (isStorable(error)) return { responseOfEqual: problemResponse(error) };
      // The other request has reached its own, earlier deadline and has removed its entry: look again.
      if (isInProgress(error) && performance.now() < deadline) continue;
      throw error;
    }
  }
  const { promise, resolve } = Promise.withResolvers<OperationResponse>();
  running.set(mapKey, { fingerprint: request.fingerprint, response: promise });
  const remove = (): void => void running.delete(mapKey);
  promise.then(remove, remove);
  return { endRunning: resolve };
}

export const inProgress = (): Problem =>
  new Problem(
    'idempotency_in_progress',
    'The first request with this key is still running.',
    {},
    { 'Retry-After': '1' },
  );

const isInProgress = (error: unknown): boolean => error instanceof Problem && error.code === 'idempotency_in_progress';

/** @throws {Problem} idempotency_in_progress at the deadline */
const withDeadline = <Value>(promise: Promise<Value>, deadline: number): Promise<Value> =>
  withTimeLimit(promise, deadline - performance.now(), () => {
    throw inProgress();
  });
