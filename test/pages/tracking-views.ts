import type { components } from '@waybill/contract/types';
import type { TrackingView } from '@waybill/pages/tracking/view';

type Schemas = components['schemas'];

/** A time of the day of the tests. */
const at = (time: string): string => `2026-11-23T${time}:00.000Z`;

/** The time at which the pages of the tests are rendered: 2:05 PM in Portland. */
export const now: Date = new Date(at('22:05'));

const portland = { address: '310 Mill Lane', city: 'Portland', state: 'OR', zip: '97209', contact_name: 'R. Alvarez' };
const tacoma = { address: '9 Quarry Road', city: 'Tacoma', state: 'WA', zip: '98402', contact_name: 'Quarry Supply' };

const shipment: Schemas['Shipment'] = {
  id: 'ship_01kjpx8p02fabr24pa3eywnyp2',
  status: 'in_transit',
  tracking_number: 'FRT-2026-000021',
  created_at: '2026-11-22T19:20:00.000Z',
  updated_at: at('17:12'),
  type: 'freight',
  origin: { ...tacoma, contact_phone: '+1 253 555 0142' },
  destination: portland,
  pickup_window: { start: at('16:00'), end: at('18:00') },
  delivery_window: { start: at('22:00'), end: '2026-11-24T00:00:00.000Z' },
  items: [
    { description: 'Cut stone', pieces: 2, weight: { value: 640, unit: 'kg' }, packaging: 'pallet' },
    { description: 'Spacers', pieces: 12, weight: { value: 6.5, unit: 'kg' }, packaging: 'box' },
  ],
  totals: { pieces: 14, weight: { value: 646.5, unit: 'kg' }, weight_kg: 646.5, weight_lb: 1425.289 },
  carrier: { name: 'Cascade Haul', scac: 'CSHL' },
};

const entry = (status: Schemas['ShipmentStatus'], timestamp: string, description: string) => ({
  id: `tev_01kjpx8p02fabr24pa3eywn${status.slice(0, 3).replaceAll(/[ilou]/g, 'x')}`,
  status,
  timestamp,
  description,
  recorded_at: timestamp,
});
const history = [
  entry('scheduled', '2026-11-22T19:20:00.000Z', 'Shipment created'),
  entry('dispatched', at('01:03'), 'Driver assigned'),
  entry('picked_up', at('16:41'), 'Loaded at door 4'),
  entry('in_transit', at('17:12'), 'On the way to the destination'),
];

export const traffic: Schemas['ShipmentException'] = {
  id: 'exc_01kjwpzbhgf9arrpg0tvmm5q3d',
  code: 'traffic_delay',
  severity: 'low',
  responsible_party: 'nobody',
  next_steps: ['wait'],
  shipment_status: 'in_transit',
  occurred_at: at('20:10'),
  description: 'Traffic near Longview added 25 minutes.',
  photo_count: 0,
  resolved_at: at('20:48'),
};

const { resolved_at: _, ...open } = traffic;
export const refused: Schemas['ShipmentException'] = {
  ...open,
  id: 'exc_01kjwpzbhgf9arrpg0tvmm5q3e',
  code: 'refused',
  severity: 'high',
  next_steps: ['reschedule', 'return'],
  occurred_at: at('21:40'),
  description: 'The dock would not take pallets without a delivery order.',
  location: { lat: 45.53, lng: -122.69, address: 'Mill Lane, dock 2' },
  photo_count: 1,
};

const picture = (colour: string): string =>
  `https://api.example.net/v1/files/${colour}-AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP`;

/** A shipment on its way to Portland. */
export const onTheWay = {
  tracking: {
    tracking_number: 'FRT-2026-000021',
    status: 'in_transit',
    eta: at('22:55'),
    current_location: { lat: 45.64, lng: -122.66, address: 'Vancouver, WA', updated_at: at('21:58') },
    timeline: history,
    exceptions: [traffic],
  },
  shipment,
  positions: [
    { lat: 47.21, lng: -122.51, updated_at: at('19:10') },
    { lat: 47.04, lng: -122.9, updated_at: at('19:50') },
    { lat: 46.72, lng: -122.95, updated_at: at('20:30') },
    { lat: 46.14, lng: -122.93, updated_at: at('21:10') },
    { lat: 45.64, lng: -122.66, updated_at: at('21:58') },
  ],
  proof: undefined,
  documents: [],
  exceptionPhotos: {},
} satisfies TrackingView;

/** The same shipment, but for these fields. */
export const changed = (
  tracking: Partial<Schemas['TrackingStatus']>,
  rest: Partial<TrackingView> = {},
  more: Partial<TrackingView['shipment']> = {},
): TrackingView => ({
  ...onTheWay,
  tracking: { ...onTheWay.tracking, ...tracking },
  shipment: { ...shipment, ...more },
  ...rest,
});

const unknown: Partial<Schemas['TrackingStatus']> = {
  status: 'scheduled',
  eta: null,
  current_location: null,
  exceptions: [],
};
const delivery = {
  status: 'delivered' as const,
  tracking_number: 'FRT-2026-000021',
  delivered_at: at('21:58'),
  photos: [picture('door')],
  location: { lat: 45.52, lng: -122.68 },
};
const signed = { ...delivery, signed_by: 'R. Alvarez', signature_url: picture('signature') };
const counted = {
  remarks: 'One stone is chipped.',
  items: [
    { index: 0, pieces_expected: 2, pieces_delivered: 2 },
    { index: 1, pieces_expected: 12, pieces_delivered: 11 },
  ],
};
const paper = (type: Schemas['DocumentType'], size: number, description?: string): Schemas['DocumentWithUrl'] => ({
  id: 'doc_01kjwpc4a0fay8t7hf795nrvby',
  type,
  content_type: 'application/pdf',
  size,
  added_at: at('21:59'),
  url: picture(type),
  ...(description !== undefined && { description }),
});
const untilDelivery = [...history, entry('delivered', at('21:58'), 'Delivered')];
const isDelivered = { status: 'delivered', eta: null, timeline: untilDelivery } as const;
const returned = entry('returned', at('21:58'), 'Returned to the shipper');
const lost = entry('lost', at('21:58'), 'Lost');
const untilEnd = [...history.slice(0, 2), entry('cancelled', at('15:00'), 'Shipment cancelled')];

/** Every state of the page. */
export const states = {
  'on-the-way': onTheWay as TrackingView,
  'with-handover-code': changed({}, {}, { handover_code: '4821' }),
  'just-created': changed({ ...unknown, timeline: history.slice(0, 1) }, { positions: [] }),
  'empty-timeline': changed({ ...unknown, timeline: [] }, { positions: [], shipment: undefined }),
  late: changed({ eta: '2026-11-24T02:20:00.000Z' }),
  overdue: changed({ eta: at('19:55') }),
  'open-exception': changed(
    { exceptions: [refused, traffic] },
    { exceptionPhotos: { [refused.id]: [picture('dock')] } },
  ),
  delivered: changed(isDelivered, {
    proof: { ...signed, ...counted, photos: [picture('one'), picture('two')] },
    documents: [paper('bill_of_lading', 214_006, 'Signed by the shipper'), paper('weight_ticket', 1_900_000)],
  }),
  unattended: changed(isDelivered, { proof: { ...delivery, unattended: true } }),
  cancelled: changed(
    { ...unknown, status: 'cancelled', timeline: untilEnd },
    { positions: [] },
    { status: 'cancelled', cancellation_reason: 'The order was changed.' },
  ),
  returned: changed(
    { status: 'returned', eta: null, timeline: [...history, returned] },
    { proof: { ...signed, status: 'returned', signed_by: 'Q. Stone' } },
    { status: 'returned' },
  ),
  lost: changed({ status: 'lost', eta: null, timeline: [...history, lost] }, {}, { status: 'lost' }),
  'status-only': changed({ current_location: null }, { shipment: undefined, positions: [] }),
};
