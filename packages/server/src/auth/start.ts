import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import type { RateLimit } from '../rate-limit/limit.ts';
import { type Authenticator, authenticator } from './authenticate.ts';
import { limitReaders, type Readers, watchKeys } from './readers.ts';

interface Options {
  database: Database;
  limit: RateLimit;
  /** Milliseconds that a request waits for its key. */
  keyTimeout: number;
  /** Streams and requests that wait for events: of a key, and of all. */
  readersPerKey: number;
  maxReaders: number;
}

/** Authenticates requests until the app closes. */
export function startAuthentication(
  app: FastifyInstance,
  { database, limit, keyTimeout, readersPerKey, maxReaders }: Options,
): Pick<Authenticator, 'authenticateAndCount'> & { readers: Readers } {
  const warn = (message: string): void => app.log.warn(message);
  const { authenticateAndCount, forget } = authenticator(database, limit, keyTimeout, warn);
  const { watch, close } = watchKeys(database, forget);
  app.addHook('onClose', async () => close());
  return { authenticateAndCount, readers: limitReaders(readersPerKey, maxReaders, watch) };
}
