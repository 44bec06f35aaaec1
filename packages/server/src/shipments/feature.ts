import type { Feature } from '../feature.ts';
import { expireShipments } from './expire.ts';

/** Shipments: creation, changes, lists and their end. */
export const shipments = {
  tables: {
    shipments: {
      citus: 'distributed',
      expired: { shipments: expireShipments },
      ofAccount: ['id'],
      counted: 'shipments',
    },
  },
} satisfies Feature;
