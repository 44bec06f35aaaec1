import type { Expression, Transaction } from 'kysely';
import { ago } from '../database/statements/expressions.ts';
import type { Tables } from '../database/tables.ts';
import { eventDays } from '../event-feed/feed.ts';
import type { CleanUp } from '../feature.ts';

/** The last event of each account. */
interface LastEvent {
  account_id: string;
  last_number: number;
}

/** Notes the last event of each account, so that a reader who has not read it learns of the gap. */
async function noteRemoval(trx: Transaction<Tables>, last: Expression<LastEvent>): Promise<void> {
  await trx
    .insertInto('removed_events')
    .columns(['account_id', 'last_number'])
    .expression(last)
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({
        last_number: eb.fn('greatest', ['removed_events.last_number', 'excluded.last_number']),
      })),
    )
    .execute();
}

/** Notes the removal of the events from a time until another one. */
export const noteRemovalOfDay = (trx: Transaction<Tables>, from: string, to: string): Promise<void> =>
  noteRemoval(
    trx,
    trx
      .selectFrom('events')
      .select((eb) => ['account_id', eb.fn.max('number').as('last_number')])
      .where('created_at', '>=', new Date(from))
      .where('created_at', '<', new Date(to))
      .groupBy('account_id'),
  );

/** Removes expired events of days without a partition. There are some only after clean-up has failed for many days. */
export function removeUnpartitioned({ db }: CleanUp): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const events = trx.withTables<{ events_default: Tables['events'] }>();
    const expired = events.selectFrom('events_default').where('created_at', '<=', ago(`${eventDays} days`));
    if (!(await expired.select('number').limit(1).executeTakeFirst())) return 0;
    await noteRemoval(
      trx,
      expired.select((eb) => ['account_id', eb.fn.max('number').as('last_number')]).groupBy('account_id'),
    );
    const { numDeletedRows } = await events
      .deleteFrom('events_default')
      .where('created_at', '<=', ago(`${eventDays} days`))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
