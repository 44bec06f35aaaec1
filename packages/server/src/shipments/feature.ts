import type { Feature } from '../feature.ts';
import { expireShipments } from './expire.ts';
import { shipmentHandlers } from './handlers.ts';
import { visibleChange, visibleShipment, visibleTransport } from './shipment.ts';

/** Shipments: creation, changes, lists and their end. */
export const shipments = {
  tables: {
    shipments: {
      citus: 'distributed',
      expired: { shipments: expireShipments },
      ofAccount: ['id'],
      counted: 'shipments',
    },
    shipment_references: {
      citus: 'distributed',
      expired: 'stays',
      ofAccount: ['shipment_id', 'value'],
      ofShipment: { secrets: [] },
    },
  },
  handlers: shipmentHandlers,
  shown: {
    bodies: { getShipment: visibleShipment, updateTracking: visibleTransport }, // the scope shows the other fields
    events: {
      'shipment.created': visibleChange,
      'shipment.updated': visibleChange,
      'shipment.destination_changed': visibleChange,
      'shipment.cancelled': visibleChange,
    },
  },
} satisfies Feature;
