import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

/** Milliseconds between two attempts to connect. */
const reconnectDelay = 1000;

/** The requests counted in a window, and the milliseconds until it ends. */
export interface Count {
  used: number;
  milliseconds: number;
}

interface RedisCounter {
  /** Adds points to a name. Resolves to undefined while Redis cannot count: after the first failure, without delay. */
  add(name: string, points: number): Promise<Count | undefined>;
  close(): void;
}

/**
 * Makes a counter in Redis, shared by all instances. After a failed command, nothing is sent until a new connection has
 * counted successfully: a frozen Redis delays only the requests that are waiting for it. Each change of state is logged.
 * @param window seconds for which requests are counted
 * @param timeout milliseconds that a command may take
 */
export function redisCounter(
  url: string,
  window: number,
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

  const markUnreachable = (cause: string): void => {
    if (state !== 'unreachable')
      log.warn({ reason: cause }, 'Redis is unreachable: each instance counts requests separately');
    state = 'unreachable';
  };
  /** A new connection starts a new attempt, also when Redis responds but cannot write. */
  const reconnect = (error: unknown): void => {
    markUnreachable(messageOf(error));
    redis.disconnect(true);
  };
  redis.on('error', (error) => {
    reason = messageOf(error);
  });
  redis.on('close', () => markUnreachable(reason));
  redis.on('ready', () => {
    limiter.penalty('probe', 0).then(() => {
      if (state === 'unreachable') log.info('Redis is reachable again');
      state = 'reachable';
    }, reconnect);
  });

  return {
    async add(name, points) {
      if (state !== 'reachable') return undefined;
      try {
        // Unlike `consume`, `penalty` also returns the count when it is over the limit.
        const { consumedPoints, msBeforeNext } = await limiter.penalty(name, points);
        // A refund may belong to a count that has expired, or that Redis has lost in a restart.
        return { used: Math.max(0, consumedPoints), milliseconds: msBeforeNext };
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

/** After attempts to several IP addresses, Node lists the messages in `errors` and leaves its own empty. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

/** Milliseconds to connect. */
const connectTimeout = 5_000;

/**
 * Writes to Redis and removes it again, because a replica or a full Redis only responds to reads.
 * @param timeout milliseconds that a command may take
 * @throws when Redis is unreachable, does not respond in time or rejects a command
 */
export async function writeToRedis(url: string, timeout: number): Promise<void> {
  const options = { lazyConnect: true, connectTimeout, retryStrategy: () => null, maxRetriesPerRequest: 0 };
  const redis = new Redis(url, { ...options, commandTimeout: timeout });
  let cause: unknown;
  redis.on('error', (error) => {
    cause ??= error;
  });
  const key = `waybill:check-${randomUUID()}`;
  try {
    await redis.connect();
    await redis.set(key, '', 'EX', 60);
    await redis.del(key);
  } catch (error) {
    throw cause ?? error; // ioredis itself only reports that the connection is closed
  } finally {
    redis.disconnect();
  }
}
