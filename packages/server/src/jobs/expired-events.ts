import type { Expression, Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { type DayTable, updatePartitions } from '../database/day-partitions.ts';
import { ago } from '../database/expressions.ts';
import type { Tables } from '../database/tables.ts';
import { eventDays } from '../event-feed/feed.ts';

/** The last event of each account. */
interface LastEvent {
  account_id: string;
  last_position: string;
}

/** Notes the last event of each account, so that a reader who has not read it learns of the gap. */
async function noteRemoval(trx: Transaction<Tables>, last: Expression<LastEvent>): Promise<void> {
  await trx
    .insertInto('removed_events')
    .columns(['account_id', 'last_position'])
    .expression(last)
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((is) => ({
        last_position: is.fn('greatest', ['removed_events.last_position', 'excluded.last_position']),
      })),
    )
    .execute();
}

const table: DayTable = {
  name: 'events',
  column: 'created_at',
  beforeDrop: (trx, from, to) =>
    noteRemoval(
      trx,
      trx
        .selectFrom('events')
        .select((is) => ['account_id', is.fn.max('position').as('last_position')])
        .where('created_at', '>=', new Date(from))
        .where('created_at', '<', new Date(to))
        .groupBy('account_id'),
    ),
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
  return db.transaction().execute(async (trx) => {
    const events = trx.withTables<{ events_default: Tables['events'] }>();
    const expired = events.selectFrom('events_default').where('created_at', '<=', ago(`${eventDays} days`));
    if (!(await expired.select('position').limit(1).executeTakeFirst())) return 0;
    await noteRemoval(
      trx,
      expired.select((is) => ['account_id', is.fn.max('position').as('last_position')]).groupBy('account_id'),
    );
    const { numDeletedRows } = await events
      .deleteFrom('events_default')
      .where('created_at', '<=', ago(`${eventDays} days`))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
