import { positionRules } from '@waybill/contract/lifecycle';
import type { TrackingRow } from './queries.ts';

export interface NewPosition {
  lat: number;
  lng: number;
  address?: string;
  /** `updated_at` of the API and the table. */
  occurredAt: Date;
}

/** What a request reports. */
export interface Report {
  positions: NewPosition[];
  eta: Date | null;
  /** When `eta` was estimated, in a report without positions. */
  estimatedAt?: Date;
}

/** What a report changes in the tracking status of a shipment. */
export interface Changed {
  location: boolean;
  eta: boolean;
}

/** The position with the newest timestamp; of equal timestamps the last one. */
export const newestOf = (positions: NewPosition[]): NewPosition | undefined =>
  positions.reduce<NewPosition | undefined>(
    (newest, position) => (newest && newest.occurredAt > position.occurredAt ? newest : position),
    undefined,
  );

/**
 * Computes the tracking status after a report, as insertPositions and updateEta store it. A report changes the current
 * location and `eta` if the status has the rule `move` and no newer position is known. Of equal timestamps the last one
 * received wins.
 * @param row the tracking status before the report, read while the shipment is locked
 */
export function applyReport(
  row: TrackingRow,
  { positions, eta, estimatedAt }: Report,
): { tracking: TrackingRow; changed: Changed } {
  const newest = newestOf(positions);
  const at = newest?.occurredAt ?? estimatedAt;
  const applies = positionRules[row.status] === 'move' && at && !(row.updated_at && row.updated_at > at);
  if (!applies) return { tracking: row, changed: { location: false, eta: false } };
  const tracking = { ...row, eta: eta ?? row.eta, ...(newest && locationOf(newest)) };
  const changed = {
    location:
      tracking.lat !== row.lat ||
      tracking.lng !== row.lng ||
      tracking.address !== row.address ||
      tracking.updated_at?.getTime() !== row.updated_at?.getTime(),
    eta: tracking.eta?.getTime() !== row.eta?.getTime(),
  };
  return { tracking, changed };
}

const locationOf = ({
  lat,
  lng,
  address,
  occurredAt,
}: NewPosition): Pick<TrackingRow, 'lat' | 'lng' | 'address' | 'updated_at'> => ({
  lat,
  lng,
  address: address ?? null,
  updated_at: occurredAt,
});
