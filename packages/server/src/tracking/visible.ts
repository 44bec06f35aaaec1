import type { EventData } from '@waybill/contract/events';
import { transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import { type Access, shows } from '../auth/visibility.ts';

type Schemas = components['schemas'];
type Data = Required<EventData>;

const mayTrack = ({ scopes }: Access): boolean => scopes.includes('tracking:read');

/** The tracking status, as far as an access shows it. */
export function visibleTracking(tracking: Schemas['TrackingStatus'], access: Access): Schemas['TrackingStatus'] {
  if (shows(access, 'location')) return tracking;
  const { tracking_number, status, eta, timeline, exceptions, current_location: _, ...others } = tracking;
  others satisfies Record<string, never>; // each new member is shown or left out
  return {
    tracking_number,
    status,
    eta,
    current_location: null,
    timeline: timeline.map((entry) => ({
      status: entry.status,
      timestamp: entry.timestamp,
      description: transitions.find(({ to }) => to === entry.status)?.description ?? entry.status,
    })),
    ...(exceptions && { exceptions: exceptions.map((exception) => visibleException(exception, access)) }),
  };
}

/** An exception, as far as an access shows it. */
export function visibleException(
  exception: Schemas['ShipmentException'],
  access: Access,
): Schemas['ShipmentException'] {
  if (shows(access, 'location')) return exception;
  const { location: _, description: __, resolution: ___, ...shown } = exception;
  const { id, code, severity, responsible_party, next_steps, shipment_status, occurred_at, ...more } = shown;
  const { photo_count, eta, resolved_at, ...others } = more;
  others satisfies Record<string, never>; // each new member is shown or left out
  return shown;
}

/** The tracking status of an event. */
export const visibleStatus = ({ tracking }: Data, access: Access) =>
  mayTrack(access) ? { tracking: visibleTracking(tracking, access) } : undefined;

/** The change of a location or of an estimated arrival. */
export function visibleTrackingChange({ tracking_change: change }: Data, access: Access) {
  if (!mayTrack(access)) return undefined;
  return { tracking_change: shows(access, 'location') ? change : { ...change, current_location: null } };
}

/** The exception of an event. */
export function visibleExceptionChange({ exception_change: change }: Data, access: Access) {
  if (!mayTrack(access)) return undefined;
  return { exception_change: { ...change, exception: visibleException(change.exception, access) } };
}
