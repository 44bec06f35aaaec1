import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import type { Faults } from './proxy.ts';
import type { Answer } from './runner.ts';

/**
 * Something that a client must survive. It is data, so that it means the same for each language. Arazzo can say the calls, but
 * neither a fault nor what the caller sees of one. `$name` is the result of an earlier step, `$name.id` a member of it.
 */
export interface Scenario {
  name: string;
  faults?: Faults;
  /** Default: that of the account. */
  key?: string;
  /** Seconds of one attempt. */
  timeout?: number;
  /** Seconds without a byte after which a stream is opened again. */
  idle?: number;
  steps: Step[];
  /** How many requests of an operation the proxy saw. All attempts of a call have the same idempotency key. */
  requests?: Record<string, number>;
  /** Least milliseconds between two requests of an operation. */
  pause?: Record<string, number>;
}

interface Outcome {
  as?: string;
  /** A part of the result, or the number of its items. */
  gives?: unknown;
  /** A member that the result does not have. */
  lacks?: string;
  /** The names of the types of its events. */
  types?: string[];
  fails?: Partial<NonNullable<Answer['error']>>;
}
type Values = Record<string, unknown>;

export type Step = Outcome &
  (
    | { call: string; path?: Record<string, string>; query?: Values; body?: unknown; idempotency_key?: string }
    | { list: string; query?: Values }
    | { follow: number; after?: string; types_only?: string[] }
    | { stream: number; after?: string }
    | { upload: string; kind: 'signature' | 'photo' }
    | { download: string }
    /** Verifies an event that was signed with a secret `age` seconds ago, after a change of the body. */
    | {
        verify: Values;
        secrets: string | string[];
        signed_by?: string;
        age?: number;
        changed?: boolean;
        without?: string;
      }
  );

const { ShipmentRequestMinimal, ShipmentRequestWithItems, EventListPage } = contract.components.examples;
const { items } = ShipmentRequestWithItems.value;
const shipment = { ...ShipmentRequestMinimal.value, items };
const create: Step = { call: 'createShipment', body: shipment, as: 'shipment', gives: { status: 'scheduled' } };
const ofShipment = { shipment_id: '$shipment.id' };
const ofTracking = { tracking_number: '$shipment.tracking_number' };
const record = (status: string): Step => {
  const body = { status, timestamp: '$now' };
  return { call: 'recordTrackingEvent', path: ofTracking, body, gives: { status } };
};
const created = (count: number): Step => ({ list: 'listShipments', gives: count });
const problem = (status: number, code: string, headers: Record<string, string> = {}) => {
  const body = { type: 'about:blank', title: 'No', status, detail: 'No.', instance: '/v1', code, request_id: 'r1' };
  return { status, headers, body };
};
const limited = problem(429, 'rate_limited', { 'Retry-After': '1' });
const page = '<html><body>Bad gateway</body></html>';
const badGateway = { status: 502, body: page };
const unknown = { shipment_id: 'ship_01kjpx8p02fabr24pa3eywnyp2' };
const several = (count: number): Step[] => Array.from({ length: count }, () => create);

/** Creates a shipment that has a reference. */
const ofOrder = (idempotency_key?: string) => ({
  ...{ call: 'createShipment', body: { ...shipment, reference: 'PO-1' } },
  ...(idempotency_key && { idempotency_key }),
});

const writes: Scenario[] = [
  {
    name: 'a created shipment is read as it was sent',
    steps: [
      create,
      { call: 'getShipment', path: ofShipment, gives: { id: '$shipment.id', origin: shipment.origin, items } },
      created(1),
    ],
    requests: { createShipment: 1 },
  },
  ...(['refused', 'lost', 'half'] as const).map((fault) => ({
    name: `a create whose connection is ${fault} is repeated with its key and done once`,
    faults: { createShipment: [fault] },
    steps: [create, created(1)],
    requests: { createShipment: 2 },
  })),
  {
    name: 'a create whose response stalls is repeated with its key and done once',
    faults: { createShipment: ['stalled'] },
    timeout: 1,
    steps: [create, created(1)],
  },
  {
    name: 'a create whose connection is lost three times is done once',
    faults: { createShipment: ['lost', 'lost', 'lost'] },
    steps: [created(0), create, created(1)],
    requests: { createShipment: 4 },
  },
  {
    name: 'a request whose first one is still running waits and is repeated',
    faults: { createShipment: [problem(409, 'idempotency_in_progress', { 'Retry-After': '1' })] },
    steps: [create],
    requests: { createShipment: 2 },
    pause: { createShipment: 1_000 },
  },
  {
    name: 'another conflict is not repeated',
    steps: [ofOrder(), { ...ofOrder(), fails: { status: 409, code: 'reference_taken' } }],
    requests: { createShipment: 2 },
  },
  {
    name: 'a key with the same request returns the same shipment',
    steps: [{ ...ofOrder('k'), as: 'first' }, { ...ofOrder('k'), gives: { id: '$first.id' } }, created(1)],
  },
  {
    name: 'a key with another request fails',
    steps: [ofOrder('k'), { ...ofOrder('k'), body: shipment, fails: { status: 422, code: 'idempotency_key_reused' } }],
  },
  {
    name: 'a change, which has no key, is not repeated when its response is lost',
    faults: { updateShipment: ['lost'] },
    steps: [
      create,
      { call: 'updateShipment', path: ofShipment, body: { notes: 'Dock 4.' }, fails: {} },
      { call: 'getShipment', path: ofShipment, gives: { notes: 'Dock 4.' } },
    ],
    requests: { updateShipment: 1 },
  },
  {
    name: 'a change removes a field',
    steps: [
      { ...create, body: { ...shipment, handover_code: '4821' }, gives: { handover_code_required: true } },
      { call: 'updateShipment', path: ofShipment, body: { handover_code: null }, lacks: 'handover_code_required' },
    ],
  },
  {
    name: 'a cancellation whose response is lost succeeds',
    faults: { cancelShipment: ['lost'] },
    steps: [
      create,
      { call: 'cancelShipment', path: ofShipment, body: { reason: 'No truck.' }, gives: { status: 'cancelled' } },
    ],
    requests: { cancelShipment: 2 },
  },
  {
    name: 'an invalid request fails with the fields, and is not repeated',
    steps: [
      {
        call: 'createShipment',
        body: { ...shipment, pickup_window: { start: shipment.pickup_window.end, end: shipment.pickup_window.start } },
        fails: { status: 400, code: 'invalid_request', errors: [{ pointer: '/pickup_window/end' }] },
      },
    ],
    requests: { createShipment: 1 },
  },
  {
    name: 'an unknown shipment fails with 404',
    steps: [{ call: 'getShipment', path: unknown, fails: { status: 404, code: 'not_found' } }],
    requests: { getShipment: 1 },
  },
  {
    name: 'a file is uploaded and downloaded with the same bytes',
    steps: [create, record('dispatched'), record('picked_up'), record('in_transit'), ...proof()],
  },
  {
    name: 'a file whose upload is lost is sent again',
    faults: { putProofFile: ['lost'] },
    steps: [create, record('dispatched'), record('picked_up'), record('in_transit'), ...proof()],
    requests: { putProofFile: 2 },
  },
];

function proof(): Step[] {
  const signed = { signed_by: 'Owen Castillo', location: { lat: 47.65, lng: -117.4 } };
  const body = { ...signed, delivered_at: '$now', signature: '$signature' };
  return [
    { upload: '$shipment.tracking_number', kind: 'signature', as: 'signature' },
    { call: 'submitProofOfDelivery', path: ofTracking, body },
    { call: 'getProofOfDelivery', path: ofTracking, as: 'proof', gives: signed },
    { download: '$proof.signature_url', gives: '$file' },
  ];
}

const overload: Scenario[] = [
  {
    name: '429 is repeated after its Retry-After',
    faults: { listShipments: [limited] },
    steps: [created(0)],
    requests: { listShipments: 2 },
    pause: { listShipments: 1_000 },
  },
  {
    name: 'a Retry-After of an hour is not waited for',
    faults: { listShipments: [problem(503, 'service_unavailable', { 'Retry-After': '3600' })] },
    steps: [{ call: 'listShipments', fails: { status: 503, code: 'service_unavailable' } }],
    requests: { listShipments: 1 },
  },
  {
    name: 'an internal error is repeated',
    faults: { createShipment: [problem(500, 'internal_error')] },
    steps: [create, created(1)],
    requests: { createShipment: 2 },
  },
  {
    name: "a proxy's 502 in HTML is repeated",
    faults: { createShipment: [badGateway, badGateway] },
    steps: [create, created(1)],
    requests: { createShipment: 3 },
  },
  ...[302, 403].map((status) => ({
    name: `a proxy's page with ${status} fails with that status`,
    faults: { getTracking: [{ status, body: page }] },
    steps: [create, { call: 'getTracking', path: ofTracking, fails: { status } }],
    requests: { getTracking: 1 },
  })),
  {
    name: "a portal's page with 200 is no result",
    faults: { getTracking: [{ status: 200, body: page }] },
    steps: [create, { call: 'getTracking', path: ofTracking, fails: {} }],
  },
  ...['{}', 'null', '', '[]', '"ok"', '{"status":"ok"}'].map((body) => ({
    name: `a 200 with ${body || 'no body'} is no shipment, no list and no page of the feed`,
    faults: Object.fromEntries(
      ['createShipment', 'getShipment', 'listShipments', 'listEvents'].map((operation) => [
        operation,
        Array(2).fill({ status: 200, headers: { 'content-type': 'application/json' }, body }),
      ]),
    ),
    steps: [
      { call: 'createShipment', body: shipment, fails: { status: 200 } },
      { call: 'getShipment', path: unknown, fails: { status: 200 } },
      { call: 'listShipments', fails: { status: 200 } },
      { list: 'listShipments', fails: { status: 200 } },
      { follow: 1, fails: { status: 200 } },
    ],
  })),
  {
    name: "a portal's page with 200 is no file",
    faults: { getProofFile: [{ status: 200, body: page }] },
    steps: [create, record('dispatched'), ...proof().slice(0, -1), { download: '$proof.signature_url', fails: {} }],
  },
  {
    name: 'a key with a line break is not sent, and the error does not show it',
    key: 'wbk_secret\nX',
    steps: [{ call: 'listShipments', fails: {} }],
    requests: { listShipments: 0 },
  },
  {
    name: 'a problem with an unknown code fails with that code',
    faults: { listShipments: [problem(418, 'moon_phase')] },
    steps: [{ call: 'listShipments', fails: { status: 418, code: 'moon_phase' } }],
    requests: { listShipments: 1 },
  },
];

const growth: Scenario[] = [
  {
    name: 'a status of a later version is read as it is',
    faults: { getShipment: [{ set: { '/status': 'held' } }] },
    steps: [create, { call: 'getShipment', path: ofShipment, gives: { id: '$shipment.id', status: 'held' } }],
  },
  {
    name: 'a value of a later version in a list is read as it is',
    faults: { listShipments: [{ set: { '/data/0/items/0/packaging': 'cage', '/data/0/type': 'parcel' } }] },
    steps: [create, { list: 'listShipments', gives: [{ type: 'parcel', items: [{ packaging: 'cage' }, {}] }] }],
  },
  ...Object.entries({
    'new fields are no errors': { '/insurance': { amount: 5 }, '/origin/dock': 4, '/tags': ['a'] },
    'new fields that are null are no errors': { '/insurance': null, '/origin/dock': null },
    'a field that is null instead of absent is no error': { '/notes': null, '/carrier': null, '/items': null },
  }).map(([name, set]) => ({
    name,
    faults: { getShipment: [{ set }] },
    steps: [create, { call: 'getShipment', path: ofShipment, gives: { id: '$shipment.id', status: 'scheduled' } }],
  })),
  {
    name: 'an event of a later version is raw data between others',
    faults: { listEvents: [{ set: { '/data/1/type': 'shipment.held', '/data/1/data/reason': 'customs' } }] },
    steps: [
      create,
      record('dispatched'),
      record('picked_up'),
      {
        call: 'listEvents',
        gives: {
          data: [
            { type: 'shipment.created' },
            { type: 'shipment.held', data: { reason: 'customs', tracking: { status: 'dispatched' } } },
            { type: 'tracking.status_reached' },
          ],
        },
        types: ['ShipmentCreatedEvent', 'raw', 'StatusReachedEvent'],
      },
    ],
  },
];

const feed: Scenario[] = [
  {
    name: 'every kind of event has its type',
    steps: [
      create,
      { call: 'updateShipment', path: ofShipment, body: { notes: 'Dock 4.' } },
      record('dispatched'),
      record('picked_up'),
      record('in_transit'),
      { call: 'recordPositions', path: ofTracking, body: { positions: [{ lat: 47, lng: -117, updated_at: '$now' }] } },
      { call: 'raiseException', path: ofTracking, body: { code: 'closed', occurred_at: '$now' }, as: 'exception' },
      {
        call: 'resolveException',
        path: { ...ofTracking, exception_id: '$exception.id' },
        body: { resolved_at: '$now', resolution: 'Open.' },
      },
      ...proof(),
      {
        follow: 10,
        gives: [
          { type: 'shipment.created', data: { shipment: { id: '$shipment.id' } } },
          { type: 'shipment.updated', data: { shipment: { notes: 'Dock 4.' } } },
          ...['dispatched', 'picked_up', 'in_transit'].map((status) => ({
            type: 'tracking.status_reached',
            data: { tracking: { status } },
          })),
          { type: 'tracking.location_changed' },
          { type: 'tracking.exception_raised', data: { exception_change: { exception: { id: '$exception.id' } } } },
          { type: 'tracking.exception_resolved', data: { exception_change: { exception: { id: '$exception.id' } } } },
          { type: 'tracking.status_reached', data: { tracking: { status: 'delivered' } } },
          { type: 'proof_of_delivery.submitted' },
        ],
        types: [
          'ShipmentCreatedEvent',
          'ShipmentUpdatedEvent',
          ...Array(3).fill('StatusReachedEvent'),
          'LocationChangedEvent',
          'ExceptionRaisedEvent',
          'ExceptionResolvedEvent',
          'StatusReachedEvent',
          'ProofSubmittedEvent',
        ],
      },
    ],
  },
  {
    name: 'the feed continues after an event',
    steps: [
      ...several(3),
      { follow: 3, as: 'events' },
      { follow: 2, after: '$events.0.id', gives: [{ id: '$events.1.id' }, { id: '$events.2.id' }] },
    ],
  },
  {
    name: 'the feed continues after a page of 25 events',
    steps: [
      ...several(26),
      { follow: 26, as: 'events' },
      { follow: 1, after: '$events.24.id', gives: [{ id: '$events.25.id' }] },
    ],
    requests: { listEvents: 3 },
  },
  {
    name: 'the feed survives failures without losing or repeating an event',
    faults: { listEvents: [null, 'lost', badGateway, 'half', limited] },
    steps: [
      ...several(3),
      { follow: 3, as: 'events' },
      { follow: 3, gives: [{ id: '$events.0.id' }, { id: '$events.1.id' }, { id: '$events.2.id' }] },
    ],
    requests: { listEvents: 6 },
  },
  {
    name: 'the feed survives an outage that is longer than other calls wait',
    faults: { listEvents: Array(6).fill('lost') },
    steps: [create, { follow: 1, gives: [{ type: 'shipment.created' }] }],
    requests: { listEvents: 7 },
  },
  {
    name: 'the feed has only events of the asked types',
    steps: [
      create,
      record('dispatched'),
      { call: 'updateShipment', path: ofShipment, body: { notes: 'Dock 4.' } },
      record('picked_up'),
      {
        follow: 2,
        types_only: ['shipment.updated', 'tracking.status_reached'],
        types: ['StatusReachedEvent', 'ShipmentUpdatedEvent'],
      },
    ],
  },
];

const stream: Scenario[] = [
  ...(['ended', 'half', 'stalled'] as const).map((fault) => ({
    name: `a stream that is ${fault} after each event is opened again without losing or repeating one`,
    faults: { streamEvents: [fault, fault] },
    idle: fault === 'stalled' ? 1 : 30,
    steps: [
      ...several(4),
      { follow: 4, as: 'events' },
      { stream: 3, after: '$events.0.id', gives: [1, 2, 3].map((at) => ({ id: `$events.${at}.id` })) },
    ],
    requests: { streamEvents: 3 },
  })),
  {
    name: 'a stream that does not open is opened again, after a Retry-After',
    faults: { streamEvents: [limited, 'refused', badGateway] },
    steps: [create, { stream: 1, gives: [{ type: 'shipment.created' }] }],
    requests: { streamEvents: 4 },
    pause: { streamEvents: 1_000 },
  },
  ...[problem(410, 'events_expired'), { status: 200, body: page }].map((fault) => ({
    name: `a stream that a retry cannot open fails with ${fault.status}`,
    faults: { streamEvents: [fault] },
    steps: [{ stream: 1, fails: { status: fault.status } }],
    requests: { streamEvents: 1 },
  })),
];

const lists: Scenario[] = [
  { name: 'an empty list has no item', steps: [created(0)], requests: { listShipments: 1 } },
  {
    name: 'a list is read to its end, each item once',
    steps: [...several(7), { list: 'listShipments', query: { limit: 3 }, gives: 7, as: 'all' }],
    requests: { listShipments: 3 },
  },
  {
    name: 'a list is read to its end when a page is lost',
    faults: { listShipments: [null, 'lost', 'half'] },
    steps: [...several(7), { list: 'listShipments', query: { limit: 3 }, gives: 7 }],
    requests: { listShipments: 5 },
  },
  {
    name: 'a filter has several values',
    steps: [
      create,
      create,
      record('dispatched'),
      create,
      { call: 'cancelShipment', path: ofShipment, body: { reason: 'No truck.' } },
      {
        list: 'listShipments',
        query: { status: ['dispatched', 'cancelled'] },
        gives: [{ status: 'cancelled' }, { status: 'dispatched' }],
      },
      { call: 'listShipments', query: { status: ['dispatched', 'cancelled'], limit: 1 }, gives: { has_more: true } },
    ],
  },
];

const event = EventListPage.value.data[0] as { id: string };
const later = { ...event, type: 'shipment.held' };
/** Signs the webhooks. */
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const refusal = (name: string, sent: Partial<Extract<Step, { verify: unknown }>>): Scenario => ({
  name,
  steps: [{ verify: event, secrets: secret, ...sent, fails: {} }],
});
const webhooks: Scenario[] = [
  {
    name: 'a webhook is verified and typed',
    steps: [{ verify: event, secrets: secret, gives: event, types: ['ShipmentCreatedEvent'] }],
  },
  {
    name: 'a webhook is verified by either secret of a rotation',
    steps: [{ verify: event, secrets: [other, secret], gives: { id: event.id } }],
  },
  // Who forgot to set the secret must not accept what anybody can sign.
  ...['', 'whsec_', 'whsec_c2hvcnQ='].map((weak) =>
    refusal(`a webhook is refused with the secret '${weak}'`, { signed_by: weak, secrets: weak }),
  ),
  refusal('a webhook is refused without a secret', { secrets: [] }),
  refusal('a webhook of another secret is refused', { secrets: other }),
  refusal('a webhook that was changed is refused', { changed: true }),
  refusal('a webhook of ten minutes ago is refused', { age: 600 }),
  refusal('a webhook of the future is refused', { age: -600 }),
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((without) =>
    refusal(`a webhook without ${without} is refused`, { without }),
  ),
  {
    name: 'a webhook of a later version is raw data',
    steps: [{ verify: later, secrets: secret, gives: later, types: ['raw'] }],
  },
];

export const scenarios: Scenario[] = [...writes, ...overload, ...growth, ...feed, ...stream, ...lists, ...webhooks];
