import { statuses } from '@waybill/contract/lifecycle';
import type { components, operations } from '@waybill/contract/types';
import { dateOf, endOf } from '@waybill/contract/validation/timestamps';
import { scopeProblem } from '@waybill/http/authorization';
import { fieldProblem, type Problem } from '@waybill/http/problems';

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
  /** Earliest creation, inclusive. */
  from: Date | undefined;
  /** Latest creation, exclusive. */
  to: Date | undefined;
  /** Earliest change, inclusive. The list is in the order of the changes. */
  updatedSince: Date | undefined;
  /** Latest end of the pickup window, exclusive, of shipments that are not picked up. The list is in the order of these ends. */
  pickupBefore: Date | undefined;
}

export const everyStatus: Status[] = Object.keys(statuses) as Status[];

/**
 * Reads the filters of a valid query.
 * @throws {Problem} invalid_request when `updated_since` is combined with a date or `has_exception`, or `pickup_before` with
 * any filter: no index has the order of the one and the rows of the other
 */
export function shipmentFilters(query: Omit<Query, 'limit' | 'cursor' | 'include' | 'total_count'>): ShipmentFilters {
  const { status, reference, tracking_number, has_exception, from_date, to_date, updated_since, ...more } = query;
  const { pickup_before, ...others } = more;
  others satisfies Record<string, never>; // every filter is read
  if (updated_since && (from_date || to_date || has_exception))
    throw notTogether('updated_since', 'from_date, to_date and has_exception');
  if (pickup_before && Object.keys(query).length > 1) throw notTogether('pickup_before', 'other filters');
  const named = everyStatus.filter((each) => status?.includes(each));
  return {
    statuses: status && named.length < everyStatus.length ? named : undefined,
    reference,
    trackingNumber: tracking_number,
    hasException: has_exception === true,
    from: from_date ? dateOf(from_date) : undefined,
    to: to_date ? endOf(to_date) : undefined,
    updatedSince: updated_since ? dateOf(updated_since) : undefined,
    pickupBefore: pickup_before ? dateOf(pickup_before) : undefined,
  };
}

const notTogether = (name: string, others: string): Problem =>
  fieldProblem('invalid_request', [
    { in: 'query', pointer: `/${name}`, code: 'not_allowed', detail: `cannot be combined with ${others}` },
  ]);

/** Requires the scope of what a list includes. @throws {Problem} insufficient_scope */
export function requireIncludeScope(include: Query['include'], scopes: string[]): void {
  const problem = include && scopeProblem(scopes, 'tracking:read');
  if (problem) throw problem;
}
