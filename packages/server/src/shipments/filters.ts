import { statuses } from '@waybill/contract/lifecycle';
import type { components, operations } from '@waybill/contract/types';
import { dateOf, endOf } from '@waybill/contract/validation/timestamps';
import { scopeProblem } from '@waybill/http/authorization';
import { fieldProblem } from '@waybill/http/problems';

type Status = components['schemas']['ShipmentStatus'];
type Query = NonNullable<operations['listShipments']['parameters']['query']>;

/** What a list of shipments selects. */
export interface ShipmentFilters {
  /** At least one, each once. Undefined for all. */
  statuses: Status[] | undefined;
  reference: string | undefined;
  trackingNumber: string | undefined;
  /** Whether an exception must be open. */
  hasException: boolean;
  carrierScac: string | undefined;
  /** In capital or small letters. */
  destinationCity: string | undefined;
  /** Earliest creation, inclusive. */
  from: Date | undefined;
  /** Latest creation, exclusive. */
  to: Date | undefined;
  /** Another time, in whose order the list is. With `pickup_end`, only those that are not picked up. */
  range: ({ by: OrderTime } & TimeRange) | undefined;
}

/** The times that a list can be ordered by. `delivery_start` is no column. */
export type OrderTime = 'updated_at' | 'pickup_start' | 'pickup_end' | 'delivery_start';

/** The earliest time, inclusive, and the latest, exclusive. */
interface TimeRange {
  from?: Date | undefined;
  to?: Date | undefined;
}

export const everyStatus: Status[] = Object.keys(statuses) as Status[];

type Name = keyof Query;
/** Filters by a time in whose order the list is. */
const timeFilters: Name[][] = [
  ['updated_since'],
  ['pickup_before'],
  ['pickup_from', 'pickup_to'],
  ['delivery_from', 'delivery_to'],
];
/** Filters that have an index in the order of ids. */
const idFilters: Name[] = ['has_exception', 'carrier_scac', 'destination_city'];

/** Requires that one index has the rows and the order of a list. @throws {Problem} invalid_request */
function requireOneIndex(query: Query): void {
  const sent = Object.keys(query) as Name[];
  const isSent = (name: Name): boolean => sent.includes(name);
  const byTime = timeFilters.find((names) => names.some(isSent));
  const selected = byTime ?? [idFilters.find(isSent) ?? []].flat();
  const others = byTime ? [...timeFilters.flat(), ...idFilters, 'from_date', 'to_date'] : idFilters;
  const [first] = selected.filter(isSent);
  const refused = sent.filter(
    (name) => !selected.includes(name) && (first === 'pickup_before' || others.includes(name)),
  );
  if (first && refused.length > 0)
    throw fieldProblem('invalid_request', [
      {
        in: 'query',
        pointer: `/${first}`,
        code: 'not_allowed',
        detail: `cannot be combined with ${refused.join(', ')}`,
      },
    ]);
}

/**
 * Reads the filters of a valid query.
 * @throws {Problem} invalid_request for filters that cannot be combined
 */
export function shipmentFilters(query: Omit<Query, 'limit' | 'cursor' | 'include' | 'total_count'>): ShipmentFilters {
  requireOneIndex(query);
  const { status, reference, tracking_number, has_exception, from_date, to_date, ...more } = query;
  const { carrier_scac, destination_city, updated_since, pickup_before, ...ranges } = more;
  const { pickup_from, pickup_to, delivery_from, delivery_to, ...others } = ranges;
  others satisfies Record<string, never>; // every filter is read
  const named = everyStatus.filter((each) => status?.includes(each));
  const times: [OrderTime, TimeRange][] = [
    ['updated_at', rangeOf(updated_since, undefined)],
    ['pickup_end', rangeOf(undefined, pickup_before)],
    ['pickup_start', rangeOf(pickup_from, pickup_to)],
    ['delivery_start', rangeOf(delivery_from, delivery_to)],
  ];
  const [range] = times.flatMap(([by, { from, to }]) => (from || to ? { by, from, to } : []));
  return {
    statuses: status && named.length < everyStatus.length ? named : undefined,
    reference,
    trackingNumber: tracking_number,
    hasException: has_exception === true,
    carrierScac: carrier_scac,
    destinationCity: destination_city,
    ...rangeOf(from_date, to_date),
    range,
  };
}

/** A range whose dates are whole days. */
const rangeOf = (from: string | undefined, to: string | undefined): Required<TimeRange> => ({
  from: from === undefined ? undefined : dateOf(from),
  to: to === undefined ? undefined : endOf(to),
});

/** Requires the scope of what a list includes. @throws {Problem} insufficient_scope */
export function requireIncludeScope(include: Query['include'], scopes: string[]): void {
  const problem = include && scopeProblem(scopes, 'tracking:read');
  if (problem) throw problem;
}
