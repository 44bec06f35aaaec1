import type { Kysely } from 'kysely';
import { ago, interval, now } from '../database/expressions.ts';
import { recordset } from '../database/recordset.ts';
import type { Tables } from '../database/tables.ts';
import { attemptTimeout } from './send.ts';

/** Seconds for which an instance may send the events of an endpoint without renewing its lease: longer than an attempt. */
export const leaseSeconds: number = attemptTimeout / 1000 + 10;
/** Seconds after which an instance that does not report is ignored. */
const workerSeconds = 10;

/** Reports this instance as running. @returns the ids of all that run */
export async function reportWorker(db: Kysely<Tables>, workerId: string): Promise<string[]> {
  await db
    .insertInto('webhook_workers')
    .values({ id: workerId, seen_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet((is) => ({ seen_at: is.ref('excluded.seen_at') })))
    .execute();
  const running = db
    .selectFrom('webhook_workers')
    .select('id')
    .where('seen_at', '>', ago(`${workerSeconds} seconds`));
  return (await running.orderBy('id').execute()).map(({ id }) => id);
}

/** Removes this instance with its leases, and instances that were killed. */
export async function removeWorker(db: Kysely<Tables>, workerId: string): Promise<void> {
  await db.deleteFrom('webhook_leases').where('worker_id', '=', workerId).execute();
  await db
    .deleteFrom('webhook_workers')
    .where((is) => is.or([is('id', '=', workerId), is('seen_at', '<', ago('1 hour'))]))
    .execute();
}

/** Takes or renews the leases of endpoints that no other instance has. @returns the ids of these endpoints */
export async function takeLeases(db: Kysely<Tables>, workerId: string, endpointIds: string[]): Promise<Set<string>> {
  const endpoints = endpointIds.map((id) => ({ id }));
  const rows = await db
    .insertInto('webhook_leases')
    .columns(['endpoint_id', 'worker_id', 'expires_at'])
    .expression((from) =>
      from
        .selectFrom(recordset('e', { id: 'uuid' }, endpoints))
        .select((is) => [
          'e.id',
          is.cast<string>(is.val(workerId), 'uuid').as('worker_id'),
          is(now, '+', interval(`${leaseSeconds} seconds`)).as('expires_at'),
        ])
        .orderBy('e.id'),
    )
    .onConflict((conflict) =>
      conflict
        .column('endpoint_id')
        .doUpdateSet((is) => ({
          worker_id: is.ref('excluded.worker_id'),
          expires_at: is.ref('excluded.expires_at'),
        }))
        .where((is) =>
          is.or([
            is('webhook_leases.worker_id', '=', is.ref('excluded.worker_id')),
            is('webhook_leases.expires_at', '<', now),
          ]),
        ),
    )
    .returning('endpoint_id')
    .execute();
  return new Set(rows.map(({ endpoint_id }) => endpoint_id));
}

export async function releaseLease(db: Kysely<Tables>, workerId: string, endpointId: string): Promise<void> {
  await db
    .deleteFrom('webhook_leases')
    .where('endpoint_id', '=', endpointId)
    .where('worker_id', '=', workerId)
    .execute();
}
