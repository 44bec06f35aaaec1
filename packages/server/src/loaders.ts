import type { Database } from './database/connect.ts';
import { shipmentReader } from './shipments/queries.ts';
import { trackingReader } from './tracking/queries.ts';

/** The point reads that are batched across requests; each answers undefined for what the account does not have. */
export interface Loaders {
  shipment: ReturnType<typeof shipmentReader>;
  tracking: ReturnType<typeof trackingReader>;
}

export const loaders = (db: Database): Loaders => ({ shipment: shipmentReader(db), tracking: trackingReader(db) });
