import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { ago, interval, now } from '../database/expressions.ts';
import { recordset } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';

/** Seconds after which an instance that does not report is ignored. */
const instanceSeconds = 10;

/** An endpoint of this instance, which changes it while the endpoint's worker runs. */
export interface Assignment {
  readonly accountId: string;
  readonly endpointId: string;
  /** With which the endpoint was listed when the instance looked last. */
  version: string;
  /** Whether the lease lasts for the time of an attempt. */
  mayStartAttempt(): boolean;
}

/** The instance that an endpoint is assigned to. A new instance takes over only a part of the endpoints of each other one. */
export function assignedInstance(endpointId: string, instances: string[]): string | undefined {
  if (instances.length < 2) return instances[0];
  const weighted = instances.map((instance) => ({ instance, weight: hash('sha1', `${instance} ${endpointId}`) }));
  return weighted.reduce((best, each) => (each.weight > best.weight ? each : best)).instance;
}

/** Reports this instance as running. @returns the ids of all that run */
export async function reportInstance(db: Kysely<Tables>, instanceId: string): Promise<string[]> {
  await db
    .insertInto('webhook_workers')
    .values({ id: instanceId, seen_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet((eb) => ({ seen_at: eb.ref('excluded.seen_at') })))
    .execute();
  const instances = db
    .selectFrom('webhook_workers')
    .select('id')
    .where('seen_at', '>', ago(`${instanceSeconds} seconds`));
  return (await instances.orderBy('id').execute()).map(({ id }) => id);
}

/** Removes this instance, and instances that were killed. It still has its leases. */
export async function removeInstance(db: Kysely<Tables>, instanceId: string): Promise<void> {
  await db
    .deleteFrom('webhook_workers')
    .where((eb) => eb.or([eb('id', '=', instanceId), eb('seen_at', '<', ago('1 hour'))]))
    .execute();
}

/**
 * Takes or renews the leases of those of the endpoints that no other instance has, perhaps of none.
 * @returns the ids of these endpoints
 */
export async function takeLeases(
  db: Kysely<Tables>,
  instanceId: string,
  endpointIds: string[],
  milliseconds: number,
): Promise<Set<string>> {
  if (endpointIds.length === 0) return new Set();
  const endpoints = endpointIds.map((id) => ({ id }));
  const rows = await db
    .insertInto('webhook_leases')
    .columns(['endpoint_id', 'worker_id', 'expires_at'])
    .expression((from) =>
      from
        .selectFrom(recordset('e', { id: 'uuid' }, endpoints))
        .select((eb) => [
          'e.id',
          eb.cast<string>(eb.val(instanceId), 'uuid').as('worker_id'),
          eb(now, '+', interval(`${milliseconds} milliseconds`)).as('expires_at'),
        ])
        .orderBy('e.id'),
    )
    .onConflict((conflict) =>
      conflict
        .column('endpoint_id')
        .doUpdateSet((eb) => ({
          worker_id: eb.ref('excluded.worker_id'),
          expires_at: eb.ref('excluded.expires_at'),
        }))
        .where((eb) =>
          eb.or([
            eb('webhook_leases.worker_id', '=', eb.ref('excluded.worker_id')),
            eb('webhook_leases.expires_at', '<', now),
          ]),
        ),
    )
    .returning('endpoint_id')
    .execute();
  return new Set(rows.map(({ endpoint_id }) => endpoint_id));
}

export async function releaseLease(db: Kysely<Tables>, instanceId: string, endpointId: string): Promise<void> {
  await db
    .deleteFrom('webhook_leases')
    .where('endpoint_id', '=', endpointId)
    .where('worker_id', '=', instanceId)
    .execute();
}
