import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../problems.ts';

/** What is counted: the requests of a key, or those of an address that show no good key. */
export type Counted = 'key' | 'address';

/** Seconds that a limit is for. */
const window = 60;

export interface RateLimit {
  /**
   * Counts a request. @returns the headers that tell what is left (draft-ietf-httpapi-ratelimit-headers-10)
   * @throws {Problem} rate_limited, with the same headers and Retry-After
   */
  count(what: Counted, whose: string): Promise<Record<string, string>>;
  close(): void;
}

/**
 * Limits in the memory of this process or, with a Redis, shared by all. While Redis is down each process counts for
 * itself: nobody is refused because of it.
 * @param quota requests in a minute
 */
export function rateLimit(quota: number, redisUrl: string, warn: (error: Error) => void): RateLimit {
  const memory = limiters((keyPrefix) => new RateLimiterMemory({ keyPrefix, points: quota, duration: window }));
  const redis = redisUrl ? connect(redisUrl, warn) : undefined;
  const shared =
    redis &&
    limiters((keyPrefix) => new RateLimiterRedis({ storeClient: redis, keyPrefix, points: quota, duration: window }));

  return {
    async count(what, whose) {
      let result: RateLimiterRes;
      try {
        result = await consume((shared ?? memory)[what], whose);
      } catch (error) {
        warn(error instanceof Error ? error : new Error(String(error)));
        result = await consume(memory[what], whose);
      }
      const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
      const used = result.consumedPoints > quota;
      const headers = {
        'ratelimit-policy': `"${what}";q=${quota};w=${window}`,
        ratelimit: `"${what}";r=${used ? 0 : result.remainingPoints};t=${seconds}`,
      };
      if (!used) return headers;
      const detail = `The limit of ${quota} requests in ${window} seconds is used up.`;
      throw new Problem('rate_limited', detail, {}, { ...headers, 'Retry-After': String(seconds) });
    },
    close: () => redis?.disconnect(),
  };
}

type Limiter = Pick<RateLimiterMemory, 'consume'>;

const limiters = (make: (prefix: string) => Limiter): Record<Counted, Limiter> => ({
  key: make('waybill-key'),
  address: make('waybill-address'),
});

/** The library rejects with the result when the limit is used up; any other rejection is a fault. */
async function consume(limiter: Limiter, whose: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(whose);
  } catch (result) {
    if (result instanceof RateLimiterRes) return result;
    throw result;
  }
}

/** Without queues and retries: a request must not wait for a Redis that is away. */
function connect(url: string, warn: (error: Error) => void): Redis {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 250 });
  redis.on('error', warn);
  return redis;
}
