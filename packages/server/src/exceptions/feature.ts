import type { EventData } from '@waybill/contract/events';
import type { components } from '@waybill/contract/types';
import type { Access } from '../auth/visibility.ts';
import type { Feature } from '../feature.ts';
import { mayTrack } from '../tracking/status.ts';
import { showsPhotos, visibleException } from '../tracking/stored-exceptions.ts';
import { exceptionHandlers } from './handlers.ts';

/** The exception of an event. */
const visibleChange = ({ exception_change: change }: Required<EventData>, access: Access) =>
  mayTrack(access)
    ? { exception_change: { ...change, exception: visibleException(change.exception, access) } }
    : undefined;

/** What goes wrong with shipments, beside their status. */
export const exceptions = {
  tables: {
    exceptions: {
      citus: 'distributed',
      expired: 'stays',
      ofAccount: ['shipment_id', 'id'],
      ofShipment: { secrets: [] },
    },
  },
  handlers: exceptionHandlers,
  shown: {
    bodies: {
      raiseException: visibleException,
      resolveException: visibleException,
      voidException: visibleException,
      // Its photos are upload ids.
      getException: (exception: components['schemas']['ShipmentExceptionWithPhotos'], access: Access) => ({
        ...visibleException(exception, access),
        photos: showsPhotos(access) ? exception.photos : [],
      }),
    },
    events: {
      'tracking.exception_raised': visibleChange,
      'tracking.exception_resolved': visibleChange,
      'tracking.exception_voided': visibleChange,
    },
  },
} satisfies Feature;
