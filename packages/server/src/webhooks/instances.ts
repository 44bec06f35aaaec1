import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { ago, interval, now } from '../database/expressions.ts';
import { recordset } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import { attemptTimeout } from './send.ts';

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

/**
 * Milliseconds for which an instance has the leases of its endpoints after it has reported. One statement for all: an endpoint
 * that nothing happens to costs no more.
 */
export const leaseDuration = attemptTimeout + 10_000;

/** Reports this instance as running, which renews its leases. @returns the ids of all that run */
export async function reportInstance(db: Kysely<Tables>, instanceId: string): Promise<string[]> {
  await db
    .insertInto('instances')
    .values({ id: instanceId, seen_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet((eb) => ({ seen_at: eb.ref('excluded.seen_at') })))
    .execute();
  const instances = db
    .selectFrom('instances')
    .select('id')
    .where('seen_at', '>', ago(`${instanceSeconds} seconds`));
  return (await instances.orderBy('id').execute()).map(({ id }) => id);
}

/**
 * Removes this instance, and instances that were killed, with its leases.
 * @param working the ids of the endpoints whose leases it still needs: they end by themselves
 */
export async function removeInstance(db: Kysely<Tables>, instanceId: string, working: string[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('webhook_leases')
      .where('instance_id', '=', instanceId)
      .where('endpoint_id', '<>', sql<string>`all(${working}::uuid[])`)
      .execute();
    await trx
      .updateTable('webhook_leases')
      .set({ expires_at: sql<Date>`${now} + ${interval(`${leaseDuration} milliseconds`)}` })
      .where('instance_id', '=', instanceId)
      .execute();
    await trx
      .deleteFrom('instances')
      .where((eb) => eb.or([eb('id', '=', instanceId), eb('seen_at', '<', ago('1 hour'))]))
      .execute();
  });
}

/**
 * Whether an instance may take the lease `l`: it has expired, or has no end and the instance that has it does not report. Those
 * that a closing instance still needs have an end.
 */
const isFree = sql<boolean>`(l.expires_at < ${now} or l.expires_at = 'infinity' and not exists (
  select from instances i
  where i.id = l.instance_id and i.seen_at > ${ago(`${leaseDuration} milliseconds`)}))`;

/**
 * Takes the leases of those of the endpoints that no other instance has, perhaps of none. They last while the instance reports.
 * @returns the ids of these endpoints
 */
export async function takeLeases(db: Kysely<Tables>, instanceId: string, endpointIds: string[]): Promise<string[]> {
  const endpoints = endpointIds.map((id) => ({ id }));
  const { rows } = await sql<{ endpoint_id: string }>`
    insert into webhook_leases as l (endpoint_id, instance_id, expires_at)
    select e.id, ${instanceId}::uuid, 'infinity' from ${recordset('e', { id: 'uuid' }, endpoints)} order by e.id
    on conflict (endpoint_id) do update set instance_id = excluded.instance_id, expires_at = excluded.expires_at
    where l.instance_id = excluded.instance_id or ${isFree}
    returning l.endpoint_id`.execute(db);
  return rows.map(({ endpoint_id }) => endpoint_id);
}

export async function releaseLeases(db: Kysely<Tables>, instanceId: string, endpointIds: string[]): Promise<void> {
  await db
    .deleteFrom('webhook_leases')
    .where('endpoint_id', '=', sql<string>`any(${endpointIds}::uuid[])`)
    .where('instance_id', '=', instanceId)
    .execute();
}
