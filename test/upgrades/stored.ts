import type { components } from '@waybill/contract/types';

type Shipment = components['schemas']['Shipment'];
type Status = Shipment['status'];

/** What the SQL files of this folder store, by hand, as the API returns it. */

export const account = '01990000-0000-7000-8000-00000000000a';
export const uploadId = '01990000-0000-7000-8000-0000000000f1';
export const keyOf = (last: string): string => `wbk_upgraded000${last}_${last.repeat(40)}`;
export const shipmentId = (n: number): string => `ship_01kjm6jm00e00800000000000${n}`;

const statuses: Status[] = ['scheduled', 'dispatched', 'picked_up', 'in_transit', 'delivered'];

const shipment = (n: number, status: Status): Shipment => ({
  id: shipmentId(n),
  tracking_number: `FRT-2026-00000${n}`,
  status,
  type: 'freight',
  origin: {
    address: '1420 Harbor Avenue SW',
    city: 'Seattle',
    state: 'WA',
    zip: '98126',
    contact_name: 'Ana',
    contact_phone: '1',
  },
  destination: { address: '77 Foundry Street', city: 'Spokane', state: 'WA', zip: '99201' },
  pickup_window: { start: '2026-03-03T16:00:00.000Z', end: '2026-03-03T20:00:00.000Z' },
  created_at: '2026-03-01T08:00:00.000Z',
  updated_at: '2026-03-05T12:00:00.000Z',
});

/** Newest first. References and cancelling came with the second migration. */
export function expectedShipments(isFirst: boolean): Shipment[] {
  const shipments = statuses
    .map((status, index) => ({ ...shipment(index + 1, status), notes: 'Ring twice.' }))
    .reverse();
  if (isFirst) return shipments;
  return [
    {
      ...shipment(6, 'cancelled'),
      reference: 'PO-6',
      cancellation_reason: 'Ordered twice.',
      updated_at: '2026-03-11T12:00:00.000Z',
    },
    ...shipments.map((one) => (one.id === shipmentId(1) ? { ...one, reference: 'PO-1' } : one)),
  ];
}

const timeline = [
  { status: 'scheduled', timestamp: '2026-03-01T08:00:00.000Z', description: 'Shipment created' },
  { status: 'dispatched', timestamp: '2026-03-02T08:00:00.000Z', description: 'Driver assigned' },
  { status: 'picked_up', timestamp: '2026-03-03T17:00:00.000Z', description: 'Picked up at dock 4' },
  { status: 'in_transit', timestamp: '2026-03-04T08:00:00.000Z', description: 'On the way to the destination' },
  { status: 'delivered', timestamp: '2026-03-05T12:00:00.000Z', description: 'Delivered' },
];

export function expectedTimeline(status: Status): typeof timeline {
  const cancelled = {
    status: 'cancelled',
    timestamp: '2026-03-11T12:00:00.000Z',
    description: 'Shipment cancelled',
  };
  if (status === 'cancelled') return [...timeline.slice(0, 1), cancelled];
  return timeline.slice(0, statuses.indexOf(status) + 1);
}
