import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { ago, interval, now } from '../../database/statements/expressions.ts';
import { recordset } from '../../database/statements/row-statement.ts';
import type { Tables } from '../../database/tables.ts';
import { attemptTimeout } from '../attempts/send.ts';

/*
 * A lease lets one instance send the events of an endpoint:
 *
 * 1. An instance takes it when no other one has it (`takeLeases`).
 * 2. It reports each second (`reportInstance`), which renews all its leases for `leaseDuration`: an endpoint that nothing happens
 *    to needs no statement.
 * 3. Attempts start only in the first `attemptsDuration`. When it cannot report, its last attempt has ended before its leases.
 * 4. When it reports after their end, another instance may have taken some before the report. So it takes all again, as in 1. A
 *    worker whose lease another instance has starts no attempt until it is free.
 * 5. When it leaves an endpoint, it deletes the lease after the attempts (`releaseLeases`). When it closes, it stops to report, and
 *    the leases that it still needs get an end (`removeInstance`).
 * 6. When it is killed, its endpoints are assigned to others after `instanceDuration`. These try to take the leases each second,
 *    and can when `leaseDuration` is over (`isFree`). Then they examine the endpoints, of which they have missed the wakes.
 */

/** Milliseconds after a report in which attempts may start. */
export const attemptsDuration = 9000;
/** Milliseconds after which an instance that does not report gets no endpoints any more: it starts no attempt. */
const instanceDuration = attemptsDuration + 1000;

/** The instance that an endpoint is assigned to. A new instance takes over only a part of the endpoints of each other one. */
export function assignedInstance(endpointId: string, instances: string[]): string | undefined {
  if (instances.length < 2) return instances[0];
  const weighted = instances.map((instance) => ({ instance, weight: hash('sha1', `${instance} ${endpointId}`) }));
  return weighted.reduce((best, each) => (each.weight > best.weight ? each : best)).instance;
}

/** Milliseconds between the end of the last attempt and that of the lease: the clock of PostgreSQL may be faster. */
const leaseMargin = 1000;
/** Milliseconds after a report for which an instance has its leases. */
export const leaseDuration = attemptsDuration + attemptTimeout + leaseMargin;

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
    .where('seen_at', '>', ago(`${instanceDuration} milliseconds`));
  return (await instances.orderBy('id').execute()).map(({ id }) => id);
}

/**
 * Removes this instance, and instances that were killed, with their leases. Those that this one still needs get an end instead.
 * @param working the ids of the endpoints whose leases it still needs
 */
export async function removeInstance(db: Kysely<Tables>, instanceId: string, working: string[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('webhook_leases')
      .where('instance_id', '=', instanceId)
      .where('endpoint_id', '<>', sql<string>`all(${working}::uuid[])`)
      .execute();
    await sql`delete from webhook_leases where endpoint_id in
      (select l.endpoint_id from webhook_leases l where ${isFree} for update skip locked)`.execute(trx);
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

/** Whether an instance may take the lease `l`: it has expired, or has no end and the instance that has it does not report. */
const isFree = sql<boolean>`(l.expires_at < ${now} or l.expires_at = 'infinity' and not exists (
  select from instances i
  where i.id = l.instance_id and i.seen_at > ${ago(`${leaseDuration} milliseconds`)}))`;

/** Takes the leases that no other instance has. @returns the ids of their endpoints */
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
