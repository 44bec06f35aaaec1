import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';

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
