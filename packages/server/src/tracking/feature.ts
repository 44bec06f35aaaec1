import type { EventData } from '@waybill/contract/events';
import { type Access, shows } from '../auth/visibility.ts';
import { deleteExpired } from '../database/delete-expired.ts';
import type { Feature } from '../feature.ts';
import { trackingHandlers } from './handlers.ts';
import { mayTrack, visibleStatus, visibleTracking } from './status.ts';

/** The change of a location or of an estimated arrival. */
function visibleChange({ tracking_change: change }: Required<EventData>, access: Access) {
  if (!mayTrack(access)) return undefined;
  return { tracking_change: shows(access, 'location') ? change : { ...change, current_location: null } };
}

/** Where shipments are: statuses, positions and estimated arrivals. */
export const tracking = {
  tables: {
    tracking_events: {
      citus: 'distributed',
      expired: 'stays',
      ofAccount: ['shipment_id', 'version'],
      ofShipment: { secrets: [] },
    },
    positions: {
      citus: 'distributed',
      expired: {
        positions: ({ db, retention, signal }) =>
          deleteExpired(
            db,
            { table: 'positions_default', column: 'updated_at', age: `${retention.positionDays} days` },
            signal,
          ),
        positionDays: { partitionedBy: 'updated_at', days: ({ positionDays }) => positionDays },
      },
      ofAccount: ['shipment_id', 'updated_at'],
      ofShipment: { secrets: [] },
      counted: 'positions',
    },
    current_positions: {
      citus: 'distributed',
      expired: 'stays',
      ofAccount: ['shipment_id'],
      ofShipment: { secrets: [] },
    },
  },
  handlers: trackingHandlers,
  shown: {
    bodies: {
      getTracking: visibleTracking,
      recordTrackingEvent: visibleTracking,
      listPositions: 'location',
      recordPositions: 'status',
    },
    events: {
      'tracking.status_reached': visibleStatus,
      'tracking.location_changed': (data, access) =>
        shows(access, 'location') ? visibleChange(data, access) : undefined,
      'tracking.eta_changed': visibleChange,
    },
  },
} satisfies Feature;
