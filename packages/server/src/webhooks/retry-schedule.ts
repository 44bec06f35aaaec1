import { dayLength } from '@waybill/contract/duration';

/** Seconds between the attempts of a delivery, about three days together. */
const delays = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 43_200, 43_200, 43_200, 28_800];
/** The largest part that is added to a delay, so that deliveries that failed together are not all repeated together. */
const jitter = 0.1;

/** Milliseconds until the next attempt; undefined when no more follows. @param attempts that have failed */
export function retryDelay(attempts: number): number | undefined {
  const delay = delays[attempts - 1];
  return delay === undefined ? undefined : delay * 1000 * (1 + jitter * Math.random());
}

/** Milliseconds after which an endpoint whose attempts all failed is disabled. */
export const failingLimit: number = 7 * dayLength;
