/** A small contract for the compatibility tests, independent of the real one. */

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });
const forbidden = { 403: { $ref: '#/components/responses/Forbidden' } };
const json = (name: string) => ({ content: { 'application/json': { schema: schema(name) } } });
const images = { content: { 'image/png': {}, 'image/webp': {} } };
const answer = (content: object) => ({ 200: { description: 'Done.', ...content }, ...forbidden });
const operation = (operationId: string, summary: string, scope: string | null, rest: object) => ({
  operationId,
  summary,
  security: scope ? [{ apiKey: [scope] }] : [],
  ...rest,
});
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const time = { type: 'string', format: 'date-time' };
const object = (required: string[], properties: object) => ({ type: 'object', required, properties });

const paths = {
  '/shipments': {
    get: operation('listShipments', 'List shipments', 'shipments:read', {
      parameters: [parameter('status'), parameter('reference'), parameter('limit')],
      responses: answer({ headers: {}, ...json('Shipment') }),
    }),
    post: operation('createShipment', 'Create a shipment', 'shipments:write', {
      parameters: [parameter('Idempotency-Key')],
      requestBody: json('ShipmentRequest'),
      responses: {
        201: { description: 'Created.', headers: { Location: { schema: text(100) } }, ...json('Shipment') },
        429: { description: 'Later.', headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } },
      },
    }),
  },
  '/shipments/{shipment_id}': {
    get: operation('getShipment', 'Read a shipment', 'shipments:read', {
      parameters: [parameter('shipment_id')],
      responses: { ...answer(json('Shipment')), 400: { description: 'Bad.', ...json('FieldError') } },
    }),
  },
  '/shipments/{shipment_id}/cancel': {
    post: operation('cancelShipment', 'Cancel a shipment', 'shipments:write', {
      parameters: [parameter('shipment_id')],
      requestBody: json('CancelRequest'),
      responses: { ...answer(json('Shipment')), 422: { description: 'Another request.' } },
    }),
  },
  '/tracking/{tracking_number}/events': {
    post: operation('recordTrackingEvent', 'Record an event', 'tracking:write', {
      parameters: [parameter('tracking_number')],
      requestBody: json('TrackingEventRequest'),
      responses: answer(json('TimelineEntry')),
    }),
  },
  '/tracking/{tracking_number}/positions': {
    post: operation('recordPositions', 'Record positions', 'tracking:write', {
      parameters: [parameter('tracking_number')],
      requestBody: json('PositionsRequest'),
      responses: answer(json('TimelineEntry')),
    }),
  },
  '/tracking/{tracking_number}/pod': {
    post: operation('submitProofOfDelivery', 'Submit the proof of delivery', 'tracking:write', {
      parameters: [parameter('tracking_number')],
      responses: answer(json('ProofOfDelivery')),
    }),
    get: operation('getProofOfDelivery', 'Read the proof of delivery', 'tracking:read', {
      parameters: [parameter('tracking_number')],
      responses: answer(json('ProofOfDelivery')),
    }),
  },
  '/tracking/{tracking_number}/pod/uploads': {
    post: operation('createProofUpload', 'Declare a file', 'tracking:write', {
      parameters: [parameter('tracking_number')],
      requestBody: json('ProofUploadRequest'),
      responses: answer(json('ProofUpload')),
    }),
  },
  '/uploads/{upload_token}': {
    put: operation('putProofFile', 'Upload a file', null, {
      parameters: [parameter('upload_token')],
      requestBody: images,
      responses: { 204: { description: 'Stored.' }, ...forbidden },
    }),
  },
  '/files/{file_token}': {
    get: operation('getProofFile', 'Download a file', null, {
      parameters: [parameter('file_token')],
      responses: answer(images),
    }),
  },
};

const step = (from: string | null, to: string, by: string) => ({ from, to, operation: by });

const schemas = {
  Address: object(['city'], { city: text(100) }),
  CancelRequest: object([], { reason: text(500) }),
  EventStatus: { type: 'string', enum: ['dispatched', 'picked_up', 'in_transit'] },
  FieldError: object(['code'], { code: schema('FieldErrorCode') }),
  FieldErrorCode: {
    type: 'string',
    enum: ['too_long', 'duplicate'],
    'x-open-enum': true,
  },
  PickupWindow: object(['start', 'end'], { start: time, end: { ...time, 'x-after': 'start' } }),
  PositionReport: object(['lat', 'updated_at'], {
    lat: { type: 'number', minimum: -90, maximum: 90 },
    updated_at: { ...time, 'x-max-ahead': 'PT5M' },
  }),
  PositionsRequest: object(['positions'], {
    positions: { type: 'array', maxItems: 100, items: schema('PositionReport') },
    eta: time,
  }),
  ProblemCode: {
    type: 'string',
    enum: ['not_delivered'],
    'x-open-enum': true,
    'x-problems': { not_delivered: { status: 409, title: 'Not delivered yet' } },
  },
  Problem: object(['code'], { code: schema('ProblemCode') }),
  ProofOfDelivery: object(['signed_by'], { signed_by: text(100) }),
  ProofUpload: object(['kind', 'speed'], {
    kind: { type: 'string', enum: ['signature', 'photo'] },
    speed: { type: 'string', enum: ['slow', 'fast'] },
  }),
  ProofUploadRequest: object(['kind', 'size', 'sha256'], {
    kind: { type: 'string', enum: ['signature', 'photo'] },
    size: { type: 'integer', minimum: 1, maximum: 10_485_760 },
    sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  }),
  Shipment: object(['status', 'created_at', 'updated_at'], {
    status: schema('ShipmentStatus'),
    origin: schema('Address'),
    reference: text(100),
    notes: text(2000),
    cancellation_reason: text(500),
    created_at: time,
    updated_at: time,
  }),
  ShipmentRequest: {
    ...object(['type'], {
      type: schema('ShipmentType'),
      pickup_window: schema('PickupWindow'),
      reference: text(100),
      notes: text(2000),
    }),
    additionalProperties: false,
  },
  ShipmentStatus: {
    type: 'string',
    enum: ['scheduled', 'dispatched', 'in_transit', 'delivered', 'cancelled'],
    'x-open-enum': true,
    'x-enumDescriptions': { scheduled: 'Created.' },
    'x-transitions': [
      step(null, 'scheduled', 'createShipment'),
      step('scheduled', 'dispatched', 'recordTrackingEvent'),
      step('dispatched', 'in_transit', 'recordTrackingEvent'),
      step('dispatched', 'cancelled', 'cancelShipment'),
    ],
    'x-positions': { in_transit: 'move', delivered: 'keep' },
  },
  ShipmentType: { type: 'string', enum: ['freight'], 'x-open-enum': true },
  TimelineEntry: object(['status'], { status: schema('ShipmentStatus') }),
  TrackingEventRequest: object(['status', 'timestamp'], {
    status: schema('EventStatus'),
    timestamp: { ...time, 'x-max-ahead': 'PT5M' },
  }),
};

const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text(100) });
const inQuery = (name: string, schema: object) => ({ name, in: 'query', schema });

export const fixture: object = {
  openapi: '3.1.1',
  info: { title: 'Parcels', version: '1.0.0', description: 'A small contract.' },
  servers: [{ url: 'http://localhost:3000/v1' }],
  'x-max-body': 1_048_576,
  paths,
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        'x-scopes': {
          'shipments:read': 'Read.',
          'shipments:write': 'Create and cancel.',
          'tracking:read': 'Read where it is.',
          'tracking:write': 'Record where it is.',
        },
      },
    },
    headers: { 'Retry-After': { required: true, schema: { type: 'integer' } } },
    parameters: {
      'Idempotency-Key': { name: 'Idempotency-Key', in: 'header', schema: text(255) },
      status: inQuery('status', schema('ShipmentStatus')),
      reference: inQuery('reference', text(100)),
      limit: inQuery('limit', { type: 'integer', minimum: 1, maximum: 100, default: 25 }),
      shipment_id: inPath('shipment_id'),
      tracking_number: inPath('tracking_number'),
      upload_token: inPath('upload_token'),
      file_token: inPath('file_token'),
    },
    responses: {
      Forbidden: { description: 'No.', content: { 'application/problem+json': { schema: schema('Problem') } } },
    },
    schemas,
  },
};
