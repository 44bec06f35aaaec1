import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { ago, interval } from '../database/statements/expressions.ts';
import { type RowStatement, rowStatement, rowsOf } from '../database/statements/row-statement.ts';
import type { Tables } from '../database/tables.ts';

type EventType = Tables['events']['type'];

/** An event of a known account. */
export type StoredEvent = Omit<Selectable<Tables['events']>, 'account_id'>;

/** An event with its forms in streams. */
export interface EventRow extends StoredEvent {
  /** Its form in streams, which those of an account share; set when the first one sends it. */
  text?: Buffer;
  /** The same for the streams of accesses: what they show → the text; undefined when they do not show the event. */
  accessTexts?: Map<string, Buffer | undefined>;
}

/** An event. A reader that knows it is after it in the list of the account's events. */
export interface EventRef {
  number: number;
  /** When the event was created, in milliseconds; undefined when it is not known. */
  createdAt?: Date;
}

/** Refers to an event. */
export const refOf = ({ number, created_at }: Pick<StoredEvent, 'number' | 'created_at'>): Required<EventRef> => ({
  number,
  createdAt: created_at,
});

/** The same after the last of some events; undefined without any. */
export function refOfLast(rows: EventRow[]): Required<EventRef> | undefined {
  const last = rows.at(-1);
  return last && refOf(last);
}

/** Later events may be this much older by their timestamps, because the clock may have been set back. */
const clockMargin = '1 day';

/** Events from a timestamp on are in few of the partitions of days. */
const createdSince = (createdAt: Date | undefined) =>
  sql<boolean>`created_at >= coalesce(${createdAt ?? null}::timestamptz - ${sql.lit(clockMargin)}::interval, '-infinity')`;

/** The events of an account from one on, which is included, at most `limit`. */
export async function selectEventsFrom(
  db: Kysely<Tables>,
  accountId: string,
  { number, createdAt }: EventRef,
  limit: number,
): Promise<EventRow[]> {
  return await db
    .selectFrom('events')
    .select(['number', 'created_at', 'type', 'shipment_id', 'data'])
    .where('account_id', '=', accountId)
    .where('number', '>=', number)
    .where(createdSince(createdAt))
    .orderBy('number')
    .limit(limit)
    .execute();
}

/** The events of some types after one and up to another one, at most `limit`. */
export async function selectEventsOfTypes(
  db: Kysely<Tables>,
  accountId: string,
  { after, upTo, types }: { after: EventRef; upTo: number; types: EventType[] },
  limit: number,
): Promise<EventRow[]> {
  // One look-up for each type in the index of types, instead of a search through all events. No other index has the order of
  // pairs: PostgreSQL would choose that of numbers when it expects most events to have the type.
  const ofType = (type: EventType) =>
    db
      .selectFrom(
        db
          .selectFrom('events')
          .select(['number', 'created_at', 'type', 'shipment_id', 'data'])
          .where('account_id', '=', accountId)
          .where(({ eb, refTuple, tuple }) => eb(refTuple('type', 'number'), '>', tuple(type, after.number)))
          .where(({ eb, refTuple, tuple }) => eb(refTuple('type', 'number'), '<=', tuple(type, upTo)))
          .where(createdSince(after.createdAt))
          .orderBy('type')
          .orderBy('number')
          .limit(limit)
          .as('e'),
      )
      .selectAll();
  const [first, ...others] = types.map(ofType);
  if (!first) return [];
  return await others
    .reduce((all, each) => all.unionAll(each), first)
    .orderBy('number')
    .limit(limit)
    .execute();
}

/** The last event of an account; undefined without events. */
export async function selectLast(db: Kysely<Tables>, accountId: string): Promise<Required<EventRef> | undefined> {
  const row = await db
    .selectFrom('events')
    .select(['number', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && refOf(row);
}

/** Whether an event is the last one of an account that clean-up has removed. */
export async function isLastRemoved(db: Kysely<Tables>, accountId: string, number: number): Promise<boolean> {
  const row = await db
    .selectFrom('removed_events')
    .select('last_number')
    .where('account_id', '=', accountId)
    .where('last_number', '=', number)
    .executeTakeFirst();
  return row !== undefined;
}

/** The last number that a transaction has taken, of any account. Its event may not be visible yet. */
export async function lastTakenNumber(db: Kysely<Tables>): Promise<number> {
  const { last_value, is_called } = await db
    .withTables<{ event_numbers: { last_value: number; is_called: boolean } }>()
    .selectFrom('event_numbers')
    .select(['last_value', 'is_called'])
    .executeTakeFirstOrThrow();
  return is_called ? last_value : 0;
}

/** The last events after a number, of all accounts that have any. On Citus all nodes respond. */
export async function selectNewest(db: Kysely<Tables>, after: number): Promise<{ accountId: string; last: number }[]> {
  const rows = await db
    .selectFrom('events')
    .select(['account_id', ({ fn }) => fn.max('number').as('last')])
    .where(sql<boolean>`number + 0 > ${after}::bigint`) // the expression of its index
    .where('created_at', '>', ago(clockMargin)) // few partitions
    .groupBy('account_id')
    .execute();
  return rows.map(({ account_id, last }) => ({ accountId: account_id, last }));
}

/** The last event of an account that a reader knows. */
interface KnownEvent {
  account_id: string;
  number: number;
  /** Null when it is not known. */
  created_at: Date | null;
}

const selectChanged: RowStatement<{ known: KnownEvent }, { account_id: string }> = rowStatement(
  { known: rowsOf<KnownEvent>({ account_id: 'uuid', number: 'bigint', created_at: 'timestamptz' }) },
  (db, { known }) =>
    db
      .selectFrom(known.as('k'))
      .select('k.account_id')
      .where((eb) => {
        // With `exists` PostgreSQL may read the events of all accounts.
        const event = eb.selectFrom('events as e').select('e.number').whereRef('e.account_id', '=', 'k.account_id');
        const later = event.whereRef('e.number', '>', 'k.number').orderBy('e.number').limit(eb.lit(1));
        const same = event
          .whereRef('e.number', '=', 'k.number')
          .whereRef('e.created_at', '>=', 'k.created_at')
          .where('e.created_at', '<', eb('k.created_at', '+', interval('1 millisecond')))
          .limit(eb.lit(1));
        const isLost = eb.and([eb('k.created_at', 'is not', null), eb(same, 'is', null)]);
        return eb.or([eb(later, 'is not', null), isLost]);
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
