import type { Feature } from '../feature.ts';

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
} satisfies Feature;
