import type { Feature } from '../feature.ts';
import { accessHandlers } from './handlers.ts';

/** Accesses to one shipment. On Citus, the coordinator authenticates every request. */
export const access = {
  tables: {
    accesses: {
      citus: 'local',
      // A day later, so that until then a request learns that its token has expired.
      expired: { accesses: { column: 'expires_at', age: '1 day' } },
      ofAccount: ['shipment_id', 'id'],
      ofShipment: { secrets: ['secret_hash'] },
    },
  },
  handlers: accessHandlers,
} satisfies Feature;
