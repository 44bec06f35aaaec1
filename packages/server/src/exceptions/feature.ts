import type { components } from '@waybill/contract/types';
import { type Access, shows } from '../auth/visibility.ts';
import type { Feature } from '../feature.ts';
import { visibleException, visibleExceptionChange } from '../tracking/visible.ts';
import { exceptionHandlers } from './handlers.ts';

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
      // Its photos are upload ids.
      getException: (exception: components['schemas']['ShipmentExceptionWithPhotos'], access: Access) => ({
        ...visibleException(exception, access),
        photos: shows(access, 'proof') ? exception.photos : [],
      }),
    },
    events: {
      'tracking.exception_raised': visibleExceptionChange,
      'tracking.exception_resolved': visibleExceptionChange,
    },
  },
} satisfies Feature;
