import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from './database/connect.ts';
import { pendingMigrations } from './database/migrate.ts';

/** For whoever runs the service: is it alive, can it work. Not part of the API, so not in the contract. */
export async function operationalRoutes(app: FastifyInstance, { db }: { db: Database }): Promise<void> {
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (_request, reply) => {
    await sql`select 1`.execute(db);
    const pending = await pendingMigrations(db);
    if (pending.length === 0) return { status: 'ok' };
    return reply.code(503).send({ status: 'migrations are missing', pending });
  });
}
