import type { FastifyBaseLogger } from 'fastify';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { type Count, window } from './count.ts';

/** Milliseconds between two attempts to connect. */
const reconnectDelay = 1000;

export interface RedisCounter {
  /** Adds points to a name. Undefined when Redis cannot count now; after the first failure that costs no time. */
  add(name: string, points: number): Promise<Count | undefined>;
  close(): void;
}

/**
 * Counts in Redis for all instances. From the first command that fails, nothing is sent until a new connection has
 * counted successfully: a frozen Redis delays only the requests that wait for it when it freezes. Each change of state
 * is one line in the log.
 * @param timeout milliseconds that a command may take
 */
export function redisCounter(
  url: string,
  timeout: number,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): RedisCounter {
  const redis = new Redis(url, {
    commandTimeout: timeout,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => reconnectDelay,
  });
  const limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix: 'waybill', points: 0, duration: window });
  let state: 'connecting' | 'reachable' | 'unreachable' = 'connecting';
  let reason = 'the connection was closed';

  const lose = (why: string): void => {
    if (state !== 'unreachable') log.warn({ reason: why }, 'Redis unreachable: each instance counts for itself');
    state = 'unreachable';
  };
  /** Reconnecting is how a new attempt starts, also when Redis responds but cannot write. */
  const reconnect = (error: unknown): void => {
    lose(messageOf(error));
    redis.disconnect(true);
  };
  redis.on('error', (error) => {
    reason = messageOf(error);
  });
  redis.on('close', () => lose(reason));
  redis.on('ready', () => {
    limiter.penalty('probe', 0).then(() => {
      if (state === 'unreachable') log.info('Redis reachable again');
      state = 'reachable';
    }, reconnect);
  });

  return {
    async add(name, points) {
      if (state !== 'reachable') return undefined;
      try {
        // Unlike `consume`, the library's `penalty` also returns the count when it is over the limit.
        const { consumedPoints, msBeforeNext } = await limiter.penalty(name, points);
        return { used: consumedPoints, milliseconds: msBeforeNext };
      } catch (error) {
        if (state === 'reachable') reconnect(error);
        return undefined;
      }
    },
    close() {
      redis.removeAllListeners('close');
      redis.disconnect();
    },
  };
}

/** Of several addresses tried, Node has the messages in `errors` and leaves its own empty. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
