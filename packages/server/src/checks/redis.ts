import type { Config } from '../config.ts';
import { type Finding, failed, messageOf, passed } from './finding.ts';

/** Checks Redis if it is set. The service runs without it, but then each instance limits requests separately. */
export async function checkRedis({ REDIS_URL, REDIS_TIMEOUT_MS }: Config): Promise<Finding> {
  const name = 'REDIS_URL';
  if (!REDIS_URL) return passed(name, 'is not set: each instance counts requests separately');
  try {
    const { writeToRedis } = await import('../rate-limit/redis-check.ts');
    await writeToRedis(REDIS_URL, REDIS_TIMEOUT_MS);
    return passed(name, 'is a Redis that accepts writes');
  } catch (error) {
    return failed(name, `cannot be used (${reasonOf(error)})`, 'Start Redis as a primary, or correct REDIS_URL.');
  }
}

/** After attempts to several IP addresses, Node lists the messages in `errors`. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : messageOf(error);
