import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { type DayTable, updatePartitions } from '../database/day-partitions.ts';
import type { Tables } from '../database/tables.ts';
import { eventDays } from '../event-feed/retention.ts';

/** Notes the last event of each account, so that a reader who has not read it learns of the gap. */
async function noteRemoval(trx: Transaction<Tables>, events: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into removed_events as old (account_id, last_position)
    select account_id, max(position) from ${events} group by account_id
    on conflict (account_id) do update set last_position = greatest(old.last_position, excluded.last_position)
  `.execute(trx);
}

const table: DayTable = {
  name: 'events',
  column: 'created_at',
  beforeDrop: (trx, from, to) => noteRemoval(trx, sql`events where created_at >= ${from} and created_at < ${to}`),
};

/** The number of items that a run removed. */
interface RemovedEvents {
  /** Partitions of one day each. */
  eventDays: number;
  /** Events of days without a partition. */
  events: number;
}

/** Removes events when their whole UTC day has expired, and creates the partitions of the coming days. */
export async function removeExpiredEvents(db: Database, signal?: AbortSignal): Promise<RemovedEvents> {
  const events = await removeUnpartitioned(db);
  const { dropped } = await updatePartitions(db, table, eventDays, signal);
  return { eventDays: dropped, events };
}

/** There are such events only after clean-up has failed for many days. */
function removeUnpartitioned(db: Database): Promise<number> {
  const expired = sql`events_default where created_at <= now() - make_interval(days => ${sql.lit(eventDays)})`;
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql`select 1 from ${expired} limit 1`.execute(trx);
    if (rows.length === 0) return 0;
    await noteRemoval(trx, expired);
    const { numAffectedRows = 0n } = await sql`delete from ${expired}`.execute(trx);
    return Number(numAffectedRows);
  });
}
