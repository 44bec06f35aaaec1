import { createClient } from '@waybill/client';
import { shipmentRequest } from '@waybill/sandbox/shipment-request';
import type { Parties } from '../chaos/environment.ts';
import { type RequestTemplate, requestOf } from './request-template.ts';

export interface Operation {
  /** Of each peer: its name, and the arguments of peer.ts. */
  peers: [name: string, ...args: string[]][];
  /** Fields of the response that differ between two creations. Leave it out for a page, whose text differs. */
  assigned?: string[];
  /** @param values tracking numbers of shipments in transit */
  template(parties: Parties, values: string[]): RequestTemplate | Promise<RequestTemplate>;
}

/** With timestamps in the notation of responses: the peer returns them as they are sent. */
const newShipment = {
  ...shipmentRequest,
  pickup_window: { start: '2026-03-03T16:00:00.000Z', end: '2026-03-03T20:00:00.000Z' },
  notes: 'Liftgate required.',
};

const items = Array.from({ length: 10 }, (_, index) => {
  return {
    description: `Crate ${index + 1}`,
    pieces: 2,
    packaging: 'crate',
    weight: { value: 120, unit: 'kg' },
    length: 110,
    dimension_unit: 'cm',
  };
});

/** Positions within one second. */
const positions = Array.from({ length: 20 }, (_, index) => {
  return { lat: 47 + index / 1000, lng: -122 + index / 1000, updated_at: `@time.${100 + index * 10}Z` };
});

/** Requests about the shipments of tracking numbers. */
const about = (parties: Parties) => ({ ...parties, params: { tracking_number: '@value' } });

/** Shipments whose pages are shown. */
const pageCount = 20;

/** Links to tracking pages. The server written by hand reads the tracking number. */
async function pagesOf({ shipper }: Parties, values: string[]): Promise<RequestTemplate> {
  const client = createClient(shipper);
  const links = values.slice(0, pageCount).map(async (tracking_number) => {
    const { data } = await client.listShipments({ tracking_number });
    const expires_at = new Date(Date.now() + 86_400_000);
    const { token } = await client.createAccess({ shipment_id: data[0]?.id ?? '', kind: 'track', expires_at });
    return `${token}?number=${tracking_number}`;
  });
  return { method: 'GET', path: '/t/@value', headers: {}, values: await Promise.all(links) };
}

const creation = (body: object): Operation => ({
  peers: [['by hand, transaction']],
  assigned: ['id', 'tracking_number', 'created_at', 'updated_at'],
  template: (parties) => requestOf('createShipment', about(parties), { body }),
});

export const operations = {
  getTracking: {
    peers: [['by hand, two queries, unnamed', 'unnamed'], ['by hand, two queries'], ['by hand, one query', 'one']],
    assigned: ['id', 'recorded_at'], // of the entries: made of the rows in another way
    template: (parties, values) => requestOf('getTracking', about(parties), { values }),
  },
  'listShipments of 25': {
    peers: [['by hand']],
    assigned: ['id', 'next_cursor', 'created_at'], // of the id, and made of it
    template: (parties) => requestOf('listShipments', about(parties), { query: '?limit=25' }),
  },
  'listEvents of 100': {
    peers: [['by hand']],
    assigned: ['id', 'next_after'], // made of the number
    template: (parties) => requestOf('listEvents', about(parties), { query: '?limit=100' }),
  },
  createShipment: creation(newShipment),
  'createShipment with items': creation({ ...newShipment, items }),
  recordPositions: {
    peers: [['by hand, transaction'], ['by hand, one statement for many', 'grouped']],
    assigned: [],
    template: (parties, values) => requestOf('recordPositions', about(parties), { body: { positions }, values }),
  },
  'tracking page': { peers: [['by hand, one query', 'one']], template: pagesOf },
} satisfies Record<string, Operation>;
