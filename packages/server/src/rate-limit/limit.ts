import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from '@waybill/http/problems';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { andThen } from '../concurrency/time-limit.ts';
import type { Count } from './redis.ts';

/** Requests with a valid key or access token count for the key or the access, all others for the IP address. */
export type Subject = 'key' | 'access' | 'address';

/** Seconds of a window, for which the limit applies. */
const window = 60;

/**
 * Refusals of a window that are sent at once. Later ones are delayed by so many milliseconds: a client that goes on without
 * a pause would occupy the process with refusals.
 */
const immediateRefusals = 100;
const refusalDelay = 1000;

export interface RateLimit {
  /**
   * Counts a request. @returns the `RateLimit` headers of the response (draft-ietf-httpapi-ratelimit-headers-10), as a
   * promise only with Redis and for a delayed refusal
   * @param points 0 for a part of a request that has counted: it is not refused
   * @throws {Problem} rate_limited, with the same headers and Retry-After
   */
  count(subject: Subject, id: string, points?: 0 | 1): Record<string, string> | Promise<Record<string, string>>;
  /** Subtracts a counted request. It never fails, and callers need not wait for it. */
  refund(subject: Subject, id: string): void;
  close(): void;
}

interface LimitOptions {
  /** Requests per window, of a key and of an IP address. */
  quota: number;
  /** Requests per window of an access. */
  accessQuota: number;
  /** Empty to count in the memory of this process. */
  redisUrl: string;
  /** Milliseconds that a Redis command may take. */
  redisTimeout: number;
  /** Called for each refused request. */
  onRefuse?: (subject: Subject) => void;
}

/**
 * Makes a rate limit: in the memory of this process or, with a Redis, shared by all instances. While Redis is
 * unreachable, each instance counts separately, so that requests are still accepted and limited.
 */
export async function rateLimit(
  { quota: usual, accessQuota, redisUrl, redisTimeout, onRefuse }: LimitOptions,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<RateLimit> {
  // Separate counters, so that many addresses cannot evict the counts of keys.
  const memory = { key: memoryCounter(), access: memoryCounter(), address: memoryCounter() };
  // Imported here, so that a service without Redis does not load its client.
  const redis = redisUrl ? (await import('./redis.ts')).redisCounter(redisUrl, window, redisTimeout, log) : undefined;
  const add = (subject: Subject, id: string, points: number): Count | Promise<Count> => {
    if (!redis) return memory[subject](id, points);
    return redis.add(`${subject}:${id}`, points).then((count) => count ?? memory[subject](id, points));
  };
  const headersOrThrow = (
    subject: Subject,
    points: number,
    { used, milliseconds }: Count,
  ): Record<string, string> | Promise<Record<string, string>> => {
    const quota = subject === 'access' ? accessQuota : usual;
    const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
    const headers = {
      'ratelimit-policy': `"${subject}";q=${quota};w=${window}`,
      ratelimit: `"${subject}";r=${Math.max(0, quota - used)};t=${seconds}`,
    };
    if (used <= quota || points === 0) return headers;
    onRefuse?.(subject);
    const detail = `The limit of ${quota} requests in ${window} seconds is used up.`;
    const problem = new Problem('rate_limited', detail, {}, { ...headers, 'Retry-After': String(seconds) });
    if (used <= quota + immediateRefusals) throw problem;
    return wait(refusalDelay).then(() => {
      throw problem;
    });
  };

  return {
    count: (subject, id, points = 1) =>
      andThen(add(subject, id, points), (count) => headersOrThrow(subject, points, count)),
    refund(subject, id) {
      void add(subject, id, -1);
    },
    close: () => redis?.close(),
  };
}

/** Maximum number of counted names. Beyond it, the least recently used one is removed. */
const maxNames = 100_000;

/** Adds points to a name and returns its count. */
type AddPoints = (name: string, points: number) => Count;

/** Makes a counter in the memory of this process. Its size is limited, because a client may use many IPv6 networks. */
export function memoryCounter(): AddPoints {
  // `max` would reserve the memory of all names at every start.
  const counts = new LRUCache<string, { used: number; ends: number }>({ maxSize: maxNames, sizeCalculation: () => 1 });
  return (name, points) => {
    const now = Math.floor(performance.now()); // sums of fractions are inexact, and 60 s could become 61
    let count = counts.get(name);
    if (!count || count.ends <= now) {
      count = { used: 0, ends: now + window * 1000 };
      counts.set(name, count);
    }
    count.used = Math.max(0, count.used + points); // a refund may belong to a window that has ended
    return { used: count.used, milliseconds: count.ends - now };
  };
}
