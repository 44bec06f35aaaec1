import { isCarried, type Need, needsOf, openExceptions } from '@waybill/contract/needs';
import { dayNumber } from '../../text/times.ts';
import { type End, endedAt, ends, isActive, type Row, type Rows, reachedAt } from './rows.ts';

/** Whether a shipment is late against its plan, or may be. `by` is in milliseconds. */
export type Punctuality = Need | { kind: 'on_time' } | { kind: 'unknown' };

/**
 * The plan is the end of the delivery window, or without one the estimated arrival. A shipment is late if it was delivered
 * after it. An active one is what it most needs attention for (`needsOf`).
 * @param now milliseconds since 1970
 */
export function punctualityOf(row: Row, now: number): Punctuality {
  const { shipment, tracking } = row;
  const planned = shipment.delivery_window && Date.parse(shipment.delivery_window.end);
  const delivered = reachedAt(row, 'delivered');
  if (delivered !== undefined) {
    if (planned === undefined) return { kind: 'unknown' };
    return delivered > planned ? { kind: 'late', by: delivered - planned } : { kind: 'on_time' };
  }
  const [need] = needsOf(row, now);
  if (need) return need;
  return { kind: isActive(row) && (planned !== undefined || tracking.eta !== null) ? 'on_time' : 'unknown' };
}

/** A row as the list shows it at one time. */
export interface Entry {
  row: Row;
  punctuality: Punctuality;
  needsAttention: boolean;
  /** The status in which it has ended; undefined for an active one. */
  end: End | undefined;
  isMoving: boolean;
  arrivesToday: boolean;
  /** Sorts the list: what needs a person first, then the earliest arrival. */
  rank: number;
  /** Or the end, in milliseconds since 1970. */
  arrival: number;
  /** What the search looks through. */
  text: string;
}

/** The time for which entries are made. */
export interface Moment {
  /** Milliseconds since 1970. */
  now: number;
  /** IANA time zone of the days. */
  zone: string;
}

/** Makes the function that returns the entry of a row. As long as neither the row nor the moment changes, it is the same one. */
export function entries(): (row: Row, moment: Moment) => Entry {
  const known = new WeakMap<Row, { moment: Moment; entry: Entry }>();
  return (row, moment) => {
    const found = known.get(row);
    if (found?.moment === moment) return found.entry;
    const entry = entryOf(row, moment);
    known.set(row, { moment, entry });
    return entry;
  };
}

function entryOf(row: Row, { now, zone }: Moment): Entry {
  const { shipment, tracking } = row;
  const { origin, destination, reference = '', references = [], tracking_number } = shipment;
  const punctuality = punctualityOf(row, now);
  const active = isActive(row);
  const needsAttention = active && (punctuality.kind === 'late' || punctuality.kind === 'risk');
  const eta = tracking.eta ?? shipment.delivery_window?.end;
  return {
    row,
    punctuality,
    needsAttention,
    end: active ? undefined : (tracking.status as End),
    isMoving: isCarried(tracking),
    arrivesToday:
      active && tracking.eta !== null && dayNumber(new Date(tracking.eta), zone) === dayNumber(new Date(now), zone),
    rank: needsAttention ? (punctuality.kind === 'late' ? 0 : 1) : active ? 2 : 3,
    arrival: active ? (eta === undefined ? Number.POSITIVE_INFINITY : Date.parse(eta)) : endedAt(row),
    text: [tracking_number, reference, ...references.map(({ value }) => value), origin.city, destination.city]
      .join('\n')
      .toLowerCase(),
  };
}

/** The filters that have a button with their number. */
export type Filter = 'active' | 'attention' | 'moving' | End;
export const filters: Filter[] = ['active', 'attention', 'moving', ...ends];
/** What the list shows: also what only a key figure counts. */
export type Shown = Filter | 'today' | 'exceptions';

function passes(filter: Shown, { end, needsAttention, isMoving, arrivesToday, row }: Entry): boolean {
  if (filter === 'active') return end === undefined;
  if (filter === 'attention') return needsAttention;
  if (filter === 'today') return arrivesToday;
  if (filter === 'exceptions') return end === undefined && openExceptions(row.tracking).length > 0;
  return filter === 'moving' ? isMoving : end === filter;
}

export interface Board {
  /** In the order of the list, after the filter and the search. */
  shown: Entry[];
  /** All active ones. */
  active: Entry[];
  /** How many pass each filter, without the search. */
  counts: Record<Filter, number>;
  arrivingToday: number;
  exceptions: number;
}

/**
 * What the board shows of its rows: the active shipments and those that have ended today.
 * @param options `query` is part of a tracking number, a reference or a city
 */
export function boardOf(
  rows: Rows,
  entryAt: (row: Row) => Entry,
  { filter, query, moment }: { filter: Shown; query: string; moment: Moment },
): Board {
  const today = dayNumber(new Date(moment.now), moment.zone);
  const isOfToday = (row: Row): boolean => dayNumber(new Date(endedAt(row)), moment.zone) === today;
  const all = [...rows.values()].flatMap((row) => (isActive(row) || isOfToday(row) ? entryAt(row) : []));
  const active = all.filter((entry) => passes('active', entry));
  const wanted = query.trim().toLowerCase();
  const count = (passing: (entry: Entry) => boolean): number => all.filter(passing).length;
  return {
    shown: all.filter((entry) => passes(filter, entry) && entry.text.includes(wanted)).sort(inOrder),
    active,
    counts: Object.fromEntries(filters.map((name) => [name, count((entry) => passes(name, entry))])) as Record<
      Filter,
      number
    >,
    arrivingToday: count(({ arrivesToday }) => arrivesToday),
    exceptions: active.reduce((sum, { row }) => sum + openExceptions(row.tracking).length, 0),
  };
}

/** Ended ones come last, the latest first; equal ones are in the order of their numbers. */
function inOrder(a: Entry, b: Entry): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.arrival !== b.arrival) return a.end ? b.arrival - a.arrival : a.arrival - b.arrival;
  return a.row.tracking.tracking_number < b.row.tracking.tracking_number ? -1 : 1;
}
