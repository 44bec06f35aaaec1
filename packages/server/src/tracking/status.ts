import type { components } from '@waybill/contract/types';
import { isoTime } from '../database/iso-time.ts';
import { exceptionFrom, type StoredException } from './exceptions.ts';

type Schemas = components['schemas'];

/** The tracking status of a shipment, as it is stored. */
export interface StoredTracking {
  tracking_number: string;
  status: Schemas['ShipmentStatus'];
  eta: Date | null;
  lat: number | null;
  lng: number | null;
  address: string | null;
  /** Time of the current position; null without one. */
  updated_at: Date | null;
  timeline: { status: Schemas['ShipmentStatus']; timestamp: string; description: string }[];
  /** In the order of the list; null if there is none. Their times may be PostgreSQL's JSON text. */
  exceptions: StoredException<Date | string>[] | null;
}

/** What a change of the location or the estimated arrival shows of a tracking status. */
export function changeFrom(
  row: Omit<StoredTracking, 'timeline' | 'exceptions'>,
): Omit<Schemas['TrackingStatus'], 'timeline' | 'exceptions'> {
  const { lat, lng, address, updated_at } = row;
  const hasLocation = lat !== null && lng !== null && updated_at !== null;
  return {
    tracking_number: row.tracking_number,
    status: row.status,
    eta: row.eta?.toISOString() ?? null,
    current_location: hasLocation ? { lat, lng, address, updated_at: updated_at.toISOString() } : null,
  };
}

/** The tracking status as callers see it. */
export function trackingFrom(row: StoredTracking): Schemas['TrackingStatus'] {
  return {
    ...changeFrom(row),
    timeline: row.timeline.map(({ status, timestamp, description }) => ({
      status,
      timestamp: isoTime(timestamp),
      description,
    })),
    ...(row.exceptions && { exceptions: row.exceptions.map(exceptionFrom) }),
  };
}
