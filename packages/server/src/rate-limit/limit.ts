import type { FastifyBaseLogger } from 'fastify';
import { Problem } from '../http/problems.ts';
import { type Counted, window } from './count.ts';
import { memoryCounter } from './memory.ts';
import { redisCounter } from './redis.ts';

export interface RateLimit {
  /**
   * Counts a request. @returns the headers that say what is left (draft-ietf-httpapi-ratelimit-headers-10)
   * @throws {Problem} rate_limited, with the same headers and Retry-After
   */
  count(what: Counted, whose: string): Promise<Record<string, string>>;
  /** Takes a request back that has been counted. It never fails and need not be waited for. */
  giveBack(what: Counted, whose: string): Promise<void>;
  close(): void;
}

interface Limits {
  /** Requests per window. */
  quota: number;
  /** Empty to count in the memory of this process. */
  redisUrl: string;
  /** Milliseconds that a Redis command may take. */
  redisTimeout: number;
}

/**
 * Limits in the memory of this process or, with a Redis, shared by all. While Redis is unreachable each process counts
 * for itself: nothing is refused because of it, and nothing is without a limit.
 */
export function rateLimit(
  { quota, redisUrl, redisTimeout }: Limits,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): RateLimit {
  // Counted apart, so that rotating addresses cannot push out the counts of keys.
  const memory = { key: memoryCounter(), address: memoryCounter() };
  const redis = redisUrl ? redisCounter(redisUrl, redisTimeout, log) : undefined;
  const add = async (what: Counted, whose: string, points: number) =>
    (await redis?.add(`${what}:${whose}`, points)) ?? memory[what](whose, points);

  return {
    async count(what, whose) {
      const { used, milliseconds } = await add(what, whose, 1);
      const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
      const headers = {
        'ratelimit-policy': `"${what}";q=${quota};w=${window}`,
        ratelimit: `"${what}";r=${Math.max(0, quota - used)};t=${seconds}`,
      };
      if (used <= quota) return headers;
      const detail = `The limit of ${quota} requests in ${window} seconds is used up.`;
      throw new Problem('rate_limited', detail, {}, { ...headers, 'Retry-After': String(seconds) });
    },
    async giveBack(what, whose) {
      await add(what, whose, -1);
    },
    close: () => redis?.close(),
  };
}
