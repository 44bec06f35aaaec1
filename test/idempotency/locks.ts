import type { Database } from '@waybill/server/database/connect';
import type { Tables } from '@waybill/server/database/tables';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { TestAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

/**
 * Blocks every write of an account that creates a shipment or stores a response: both refer to the account's row.
 * Authentication only reads the row and does not wait.
 */
export const holdAccount = (db: Database, { id }: Pick<TestAccount, 'id'>) =>
  hold(db, sql`select from accounts where account_id = ${id} for update`);

/** Holds every write to one shipment. */
export const holdShipment = (db: Database, trackingNumber: string) =>
  hold(db, sql`select from shipments where tracking_number = ${trackingNumber} for no key update`);

/** Holds every request with one key, as another process does that is about to store the key's outcome. */
export const holdKey = (db: Database, { id }: Pick<TestAccount, 'id'>, key: string) =>
  hold(
    db,
    sql`insert into idempotency_keys (account_id, key, fingerprint, status, headers, body, created_at)
        values (${id}, ${key}, '', 201, '{}', '{}', now())`,
  );

/** Blocks every write to one shipment by a transition that commits on release. */
export const holdStep = (db: Database, trackingNumber: string, to: Tables['shipments']['status']) =>
  hold(db, sql`update shipments set status = ${to} where tracking_number = ${trackingNumber}`, 'commit');

/** Blocks every batch with a certain position's timestamp. */
export const holdPosition = (db: Database, trackingNumber: string, updatedAt: string) =>
  hold(
    db,
    sql`insert into positions (account_id, shipment_id, updated_at, lat, lng)
        select account_id, id, ${updatedAt}::timestamptz, 0, 0 from shipments where tracking_number = ${trackingNumber}`,
  );

/** Holds what waits for an advisory lock. */
export const holdLock = (db: Database, id: number) => hold(db, sql`select pg_advisory_xact_lock(${id})`);

/** Locks rows in a transaction of the test until release, so that requests wait without a sleep. */
async function hold(db: Database, lock: ReturnType<typeof sql>, end: 'commit' | 'rollback' = 'rollback') {
  const trx = await db.startTransaction().execute();
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
  await lock.execute(trx);
  const release = async (): Promise<void> => {
    if (!trx.isRolledBack && !trx.isCommitted) await trx[end]().execute();
  };
  const queue = async (): Promise<number> => {
    const { rows: waiting } = await sql`
      with recursive edge as (
        select pid, unnest(pg_blocking_pids(pid)) as by from pg_stat_activity where wait_event_type = 'Lock'
      ), queue as (
        select pid from edge where by = ${rows[0]?.pid}::int
        union
        select edge.pid from edge join queue on edge.by = queue.pid
      )
      select pid from queue`.execute(db);
    return waiting.length;
  };
  return {
    /** Resolves when so many connections wait, in one queue or in several. */
    waiting: (count: number) => vi.waitFor(async () => expect(await queue()).toBe(count), waitTimeout),
    release,
    [Symbol.asyncDispose]: release,
  };
}
