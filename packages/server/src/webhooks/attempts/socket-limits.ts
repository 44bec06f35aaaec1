import { maxEndpoints } from '@waybill/contract/limits';
import { fairQueue, NoSlot, type Release } from '../../concurrency/fair-queue.ts';
import { pause } from '../../concurrency/time-limit.ts';

/** Attempts of an endpoint at a time while its receiver responds to most requests: at first and at least, and at most. */
export const [initialAttempts, maxAttempts] = [16, 64];
/** Requests of this instance at a time. */
const maxSockets = 1024;
/** Those of one account, so that none of its endpoints delays another. */
const maxSocketsPerAccount = initialAttempts * maxEndpoints;
/** Those of one account to one host. */
const maxSocketsPerHost = maxAttempts;
/**
 * Attempts that wait for a socket: each endpoint of an account may have some, and an abandoned one counts until it gets its
 * slot.
 */
const maxWaitingPerAccount = 1024;
/** Milliseconds for which an attempt waits for its share of the host, and then of the instance. */
const maxWait = 5000;

/** Limits the requests to receivers, so that slow receivers of one account delay no other account. */
export interface SocketLimits {
  /**
   * Waits until the account may send a request to the host of a URL.
   * @param signal ends the wait
   * @returns the function to call at the end of the request; undefined when the wait has ended without a socket
   */
  enter(accountId: string, url: string, signal: AbortSignal): Promise<Release | undefined>;
}

interface SocketLimitOptions {
  slots?: number;
  slotsPerAccount?: number;
  slotsPerHost?: number;
  maxWaiting?: number;
  waitTimeout?: number;
}

/** @param limits other ones for tests */
export function socketLimits(limits: SocketLimitOptions = {}): SocketLimits {
  const { slots = maxSockets, slotsPerAccount = maxSocketsPerAccount, slotsPerHost = maxSocketsPerHost } = limits;
  const { maxWaiting = maxWaitingPerAccount, waitTimeout = maxWait } = limits;
  const queue = { maxWaiting: Number.POSITIVE_INFINITY, maxWaitingPerAccount: maxWaiting, timeout: waitTimeout };
  const ofInstance = fairQueue({ slots, slotsPerAccount, ...queue });
  const ofHosts = fairQueue({ slots: Number.POSITIVE_INFINITY, slotsPerAccount: slotsPerHost, ...queue });
  return {
    async enter(accountId, url, signal) {
      const accountAndHost = `${accountId} ${new URL(url).host}`;
      const releaseHost = await enterUntil(() => ofHosts.enter(accountAndHost), signal, waitTimeout);
      if (!releaseHost) return undefined;
      const release = await enterUntil(() => ofInstance.enter(accountId), signal, waitTimeout);
      if (!release) {
        releaseHost();
        return undefined;
      }
      return () => {
        release();
        releaseHost();
      };
    },
  };
}

/**
 * Waits for a slot until a signal aborts or the queue refuses it. A slot that is free later is released at once.
 * @param milliseconds to wait when the queue is full, so that the caller does not try again at once
 */
async function enterUntil(
  enter: () => Release | Promise<Release>,
  signal: AbortSignal,
  milliseconds: number,
): Promise<Release | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const stop = (): void => aborted.resolve(undefined);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const entering = enter();
    if (typeof entering === 'function') return entering;
    const release = await Promise.race([entering, aborted.promise]);
    if (!release)
      entering.then(
        (late) => late(),
        () => {},
      );
    return release;
  } catch (error) {
    if (!(error instanceof NoSlot)) throw error;
    if (error.refusal !== 'timeout') await pause(milliseconds, signal);
    return undefined;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
