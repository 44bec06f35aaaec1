import { shipmentRequest } from '@waybill/sandbox/shipment-request';
import type { Parties } from '../chaos/environment.ts';
import { type RequestTemplate, requestOf } from './request-template.ts';

export type OperationName = 'getTracking' | 'createShipment' | 'createShipment with items' | 'recordPositions';

export interface Operation {
  /** Of each peer: its name, its file in `peers/`, and its arguments. */
  peers: [name: string, file: string, ...args: string[]][];
  /** Fields of the response that differ between two creations. */
  assigned?: string[];
  /** @param values tracking numbers of shipments in transit */
  template(parties: Parties, values: string[]): RequestTemplate;
}

/** With timestamps in the notation of responses: the peer returns them as they are sent. */
const newShipment = {
  ...shipmentRequest,
  pickup_window: { start: '2026-03-03T16:00:00.000Z', end: '2026-03-03T20:00:00.000Z' },
  notes: 'Liftgate required.',
};

const items = Array.from({ length: 10 }, (_, index) => {
  return { description: `Crate ${index + 1}`, pieces: 2, packaging: 'crate', weight_kg: 120, length_cm: 110 };
});

/** Positions within one second. */
const positions = Array.from({ length: 20 }, (_, index) => {
  return { lat: 47 + index / 1000, lng: -122 + index / 1000, updated_at: `@time.${100 + index * 10}Z` };
});

/** Requests about the shipments of tracking numbers. */
const about = (parties: Parties) => ({ ...parties, params: { tracking_number: '@value' } });

export const operations: Record<OperationName, Operation> = {
  getTracking: {
    peers: [
      ['by hand, two queries, unnamed', 'get-tracking-two-queries', 'unnamed'],
      ['by hand, two queries', 'get-tracking-two-queries', 'named'],
      ['by hand, one query', 'get-tracking-one-query'],
    ],
    template: (parties, values) => requestOf('getTracking', about(parties), { values }),
  },
  createShipment: {
    peers: [['by hand, transaction', 'create-shipment']],
    assigned: ['id', 'tracking_number', 'created_at', 'updated_at'],
    template: (parties) => requestOf('createShipment', about(parties), { body: newShipment }),
  },
  'createShipment with items': {
    peers: [['by hand, transaction', 'create-shipment']],
    assigned: ['id', 'tracking_number', 'created_at', 'updated_at'],
    template: (parties) => requestOf('createShipment', about(parties), { body: { ...newShipment, items } }),
  },
  recordPositions: {
    peers: [['by hand, transaction', 'record-positions']],
    template: (parties, values) => requestOf('recordPositions', about(parties), { body: { positions }, values }),
  },
};
