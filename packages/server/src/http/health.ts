import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../database/connect.ts';
import { pendingMigrations } from '../database/migrate.ts';
import { singleFlight } from './single-flight.ts';

/** How long a readiness is good for, in milliseconds. */
const readinessTime = 1_000;

type Readiness = { status: 'ok' } | { status: string; pending?: string[] };

/** For whoever runs the service: is it alive, can it work. Not part of the API, so not in the contract. */
export async function operationalRoutes(
  app: FastifyInstance,
  { db, isClosing }: { db: Database; isClosing: () => boolean },
): Promise<void> {
  const readiness = singleFlight(findReadiness(db), readinessTime);
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (_request, reply) => {
    const found = isClosing() ? { status: 'the service is stopping' } : await readiness();
    return reply.code(found.status === 'ok' ? 200 : 503).send(found);
  });
}

/** A server that was the primary once, or is not yet, can be read; but most of what the service does is writing. */
function findReadiness(db: Database): () => Promise<Readiness> {
  let isMigrated = false;
  return async () => {
    const { rows } = await sql<{ read_only: boolean }>`
      select current_setting('transaction_read_only')::boolean as read_only`.execute(db);
    if (rows[0]?.read_only) return { status: 'the database is read-only' };
    const pending = isMigrated ? [] : await pendingMigrations(db);
    isMigrated = pending.length === 0;
    return isMigrated ? { status: 'ok' } : { status: 'migrations are missing', pending };
  };
}
