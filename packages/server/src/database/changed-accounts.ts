import type { Database } from './database.ts';
import { interval } from './expressions.ts';
import { type RowStatement, rowStatement, rowsOf } from './row-statement.ts';

/** The last event of an account that a reader knows. */
export interface KnownEvent {
  account_id: string;
  /** A bigint as text. */
  position: string;
  /** Null when it is not known. */
  created_at: Date | null;
}

const selectChanged: RowStatement<{ known: KnownEvent }, { account_id: string }> = rowStatement(
  { known: rowsOf<KnownEvent>({ account_id: 'uuid', position: 'bigint', created_at: 'timestamptz' }) },
  (db, { known }) =>
    db
      .selectFrom(known.as('k'))
      .select('k.account_id')
      .where((is) => {
        // With `exists` PostgreSQL may read the events of all accounts.
        const event = is.selectFrom('events as e').select('e.position').whereRef('e.account_id', '=', 'k.account_id');
        const later = event.whereRef('e.position', '>', 'k.position').limit(is.lit(1));
        const same = event
          .whereRef('e.position', '=', 'k.position')
          .whereRef('e.created_at', '>=', 'k.created_at')
          .where('e.created_at', '<', is('k.created_at', '+', interval('1 millisecond')))
          .limit(is.lit(1));
        const isLost = is.and([is('k.created_at', 'is not', null), is(same, 'is', null)]);
        return is.or([is(later, 'is not', null), isLost]);
      }),
);

/**
 * Selects the accounts that have later events, or that have lost the event that is known. On Citus it returns all: a
 * statement is about one account there.
 */
export async function changedAccounts(database: Database, known: KnownEvent[]): Promise<string[]> {
  const accounts = (await database.isCitus()) ? known : await selectChanged(database, { known });
  return accounts.map(({ account_id }) => account_id);
}
