import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { attemptTimeout } from './send.ts';

/** Seconds for which an instance may send the events of an endpoint without renewing its lease: longer than an attempt. */
export const leaseSeconds: number = attemptTimeout / 1000 + 10;
/** Seconds after which an instance that does not report is ignored. */
const workerSeconds = 10;

/** Reports this instance as running. @returns the ids of all that run */
export async function reportWorker(db: Kysely<Tables>, workerId: string): Promise<string[]> {
  await sql`
    insert into webhook_workers (id, seen_at) values (${workerId}, now())
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(db);
  const { rows } = await sql<{ id: string }>`
    select id from webhook_workers where seen_at > now() - make_interval(secs => ${workerSeconds})
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Removes this instance with its leases, and instances that were killed. */
export async function removeWorker(db: Kysely<Tables>, workerId: string): Promise<void> {
  await sql`delete from webhook_leases where worker_id = ${workerId}`.execute(db);
  await sql`
    delete from webhook_workers where id = ${workerId} or seen_at < now() - interval '1 hour'`.execute(db);
}

/** Takes or renews the leases of endpoints that no other instance has. @returns the ids of these endpoints */
export async function takeLeases(db: Kysely<Tables>, workerId: string, endpointIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ endpoint_id: string }>`
    insert into webhook_leases as l (endpoint_id, worker_id, expires_at)
    select id, ${workerId}, now() + make_interval(secs => ${leaseSeconds}) from unnest(${endpointIds}::uuid[]) id order by id
    on conflict (endpoint_id) do update set worker_id = excluded.worker_id, expires_at = excluded.expires_at
      where l.worker_id = excluded.worker_id or l.expires_at < now()
    returning endpoint_id`.execute(db);
  return new Set(rows.map(({ endpoint_id }) => endpoint_id));
}

export async function releaseLease(db: Kysely<Tables>, workerId: string, endpointId: string): Promise<void> {
  await sql`delete from webhook_leases where endpoint_id = ${endpointId} and worker_id = ${workerId}`.execute(db);
}
