import type { components } from '@waybill/contract/types';
import type { TrackingView } from '@waybill/pages/tracking/view';

type Schemas = components['schemas'];

/** The time at which the pages of the tests are rendered: 2:05 PM in Portland. */
export const now: Date = new Date('2026-11-23T22:05:00.000Z');

const shipment: Schemas['Shipment'] = {
  id: 'ship_01kjpx8p02fabr24pa3eywnyp2',
  status: 'in_transit',
  tracking_number: 'FRT-2026-000021',
  created_at: '2026-11-22T19:20:00.000Z',
  updated_at: '2026-11-23T17:12:00.000Z',
  type: 'freight',
  origin: {
    address: '9 Quarry Road',
    city: 'Tacoma',
    state: 'WA',
    zip: '98402',
    contact_name: 'Quarry Supply',
    contact_phone: '+1 253 555 0142',
  },
  destination: { address: '310 Mill Lane', city: 'Portland', state: 'OR', zip: '97209', contact_name: 'R. Alvarez' },
  pickup_window: { start: '2026-11-23T16:00:00.000Z', end: '2026-11-23T18:00:00.000Z' },
  delivery_window: { start: '2026-11-23T22:00:00.000Z', end: '2026-11-24T00:00:00.000Z' },
  items: [
    { description: 'Cut stone', pieces: 2, weight_kg: 640, packaging: 'pallet' },
    { description: 'Spacers', pieces: 12, weight_kg: 6.5, packaging: 'box' },
  ],
  totals: { pieces: 14, weight_kg: 646.5 },
  carrier: { name: 'Cascade Haul', scac: 'CSHL' },
};

const history: Schemas['TimelineEntry'][] = [
  { status: 'scheduled', timestamp: '2026-11-22T19:20:00.000Z', description: 'Shipment created' },
  { status: 'dispatched', timestamp: '2026-11-23T01:03:00.000Z', description: 'Driver assigned' },
  { status: 'picked_up', timestamp: '2026-11-23T16:41:00.000Z', description: 'Loaded at door 4' },
  { status: 'in_transit', timestamp: '2026-11-23T17:12:00.000Z', description: 'On the way to the destination' },
];
const deliveredEntry = {
  status: 'delivered',
  timestamp: '2026-11-23T21:58:00.000Z',
  description: 'Delivered',
} as const;

const traffic: Schemas['ShipmentException'] = {
  id: 'exc_01kjwpzbhgf9arrpg0tvmm5q3d',
  code: 'traffic_delay',
  severity: 'low',
  responsible_party: 'nobody',
  next_steps: ['wait'],
  shipment_status: 'in_transit',
  occurred_at: '2026-11-23T20:10:00.000Z',
  description: 'Traffic near Longview added 25 minutes.',
  photo_count: 0,
  resolved_at: '2026-11-23T20:48:00.000Z',
};

const refused: Schemas['ShipmentException'] = {
  id: 'exc_01kjwpzbhgf9arrpg0tvmm5q3e',
  code: 'refused',
  severity: 'high',
  responsible_party: 'consignee',
  next_steps: ['reschedule', 'return'],
  shipment_status: 'in_transit',
  occurred_at: '2026-11-23T21:40:00.000Z',
  description: 'The dock would not take pallets without a delivery order.',
  location: { lat: 45.53, lng: -122.69, address: 'Mill Lane, dock 2' },
  photo_count: 1,
};

const route = [
  { lat: 47.21, lng: -122.51, updated_at: '2026-11-23T19:10:00.000Z' },
  { lat: 47.04, lng: -122.9, updated_at: '2026-11-23T19:50:00.000Z' },
  { lat: 46.72, lng: -122.95, updated_at: '2026-11-23T20:30:00.000Z' },
  { lat: 46.14, lng: -122.93, updated_at: '2026-11-23T21:10:00.000Z' },
  { lat: 45.64, lng: -122.66, updated_at: '2026-11-23T21:58:00.000Z' },
];

const current = { lat: 45.64, lng: -122.66, address: 'Vancouver, WA', updated_at: '2026-11-23T21:58:00.000Z' };

const picture = (colour: string): string =>
  `https://api.example.net/v1/files/${colour}-AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP`;

/** A shipment on its way to Portland. */
export const onTheWay: TrackingView = {
  tracking: {
    tracking_number: 'FRT-2026-000021',
    status: 'in_transit',
    eta: '2026-11-23T22:55:00.000Z',
    current_location: current,
    timeline: history,
    exceptions: [traffic],
  },
  shipment,
  positions: route,
  proof: undefined,
  exceptionPhotos: {},
};

const changed = (tracking: Partial<Schemas['TrackingStatus']>, rest: Partial<TrackingView> = {}): TrackingView => ({
  ...onTheWay,
  tracking: { ...onTheWay.tracking, ...tracking },
  ...rest,
});

/** Every state of the page. */
export const states: Record<string, TrackingView> = {
  'on-the-way': onTheWay,
  'with-handover-code': changed({}, { shipment: { ...shipment, handover_code: '4821' } }),
  'just-created': changed(
    { status: 'scheduled', eta: null, current_location: null, timeline: history.slice(0, 1), exceptions: [] },
    { positions: [] },
  ),
  'empty-timeline': changed(
    { status: 'scheduled', eta: null, current_location: null, timeline: [], exceptions: [] },
    { positions: [], shipment: undefined },
  ),
  late: changed({ eta: '2026-11-24T02:20:00.000Z' }),
  overdue: changed({ eta: '2026-11-23T19:55:00.000Z' }),
  'open-exception': changed(
    { exceptions: [refused, traffic] },
    { exceptionPhotos: { [refused.id]: [picture('dock')] } },
  ),
  delivered: changed(
    { status: 'delivered', eta: null, timeline: [...history, deliveredEntry] },
    {
      proof: {
        tracking_number: 'FRT-2026-000021',
        delivered_at: '2026-11-23T21:58:00.000Z',
        signed_by: 'R. Alvarez',
        signature_url: picture('signature'),
        photos: [picture('one'), picture('two')],
        location: { lat: 45.52, lng: -122.68 },
      },
    },
  ),
  unattended: changed(
    { status: 'delivered', eta: null, timeline: [...history, deliveredEntry] },
    {
      proof: {
        tracking_number: 'FRT-2026-000021',
        delivered_at: '2026-11-23T21:58:00.000Z',
        unattended: true,
        photos: [picture('door')],
        location: { lat: 45.52, lng: -122.68 },
      },
    },
  ),
  cancelled: changed(
    {
      status: 'cancelled',
      eta: null,
      current_location: null,
      timeline: [
        ...history.slice(0, 2),
        { status: 'cancelled', timestamp: '2026-11-23T15:00:00.000Z', description: 'Shipment cancelled' },
      ],
      exceptions: [],
    },
    { positions: [], shipment: { ...shipment, status: 'cancelled', cancellation_reason: 'The order was changed.' } },
  ),
  'status-only': changed({ current_location: null }, { shipment: undefined, positions: [] }),
};
