import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ended, run } from '../fixtures/process.ts';
import {
  changedTo,
  type Edit,
  newRepositoryCopy,
  type RepositoryCopy,
  removed,
  renamedKey,
  withAdded,
  without,
} from './repository-copy.ts';

const cancel = 'paths /shipments/{shipment_id}/cancel post';
const schemas = 'components schemas';
const problems = `${schemas} ProblemCode x-problems`;

/** Breaking change → its edits, and the line that reports it. */
const breaking: Record<string, [...Edit[], string]> = {
  'an operation is removed': [
    ['paths /tracking/{tracking_number}/pod get', removed],
    'Removed: `getProofOfDelivery`, `GET /tracking/{tracking_number}/pod`: Read the proof of delivery.',
  ],
  'a path is removed': [
    ['paths /files/{file_token}', removed],
    'Removed: `getProofFile`, `GET /files/{file_token}`: Download a file.',
  ],
  'an operation is renamed': [
    ['paths /shipments get operationId', changedTo('listAllShipments')],
    '`operationId` is `listAllShipments`; it was `listShipments`.',
  ],
  'a path parameter is renamed': [
    ['paths', renamedKey('/tracking/{tracking_number}/pod/uploads', '/tracking/{number}/pod/uploads')],
    'The path `/tracking/{tracking_number}/pod/uploads` is now `/tracking/{number}/pod/uploads`.',
  ],
  'a required request field is added': [
    [`${schemas} CancelRequest properties by`, changedTo({ type: 'string' })],
    [`${schemas} CancelRequest required`, withAdded('by')],
    '`CancelRequest.by` is now required.',
  ],
  'a request field becomes required': [
    [`${schemas} ShipmentRequest required`, withAdded('notes')],
    '`ShipmentRequest.notes` is now required.',
  ],
  'a request field is removed': [
    [`${schemas} ShipmentRequest properties reference`, removed],
    'Removed: `ShipmentRequest.reference`.',
  ],
  'a response field is removed': [
    [`${schemas} Shipment properties cancellation_reason`, removed],
    'Removed: `Shipment.cancellation_reason`.',
  ],
  'a response field has another type': [
    [`${schemas} Shipment properties notes type`, changedTo('integer')],
    '`Shipment.notes` is `integer`; it was `string`.',
  ],
  'a response field may be null': [
    [`${schemas} ProofOfDelivery properties signed_by type`, changedTo(['string', 'null'])],
    '`ProofOfDelivery.signed_by` is `string` or `null`; it was `string`.',
  ],
  'a response field becomes optional': [
    [`${schemas} Shipment required`, without('updated_at')],
    '`Shipment.updated_at` is no longer required.',
  ],
  'a response field has another format': [
    [`${schemas} Shipment properties created_at format`, changedTo('date')],
    '`Shipment.created_at`: `format` is `date`; it was `date-time`.',
  ],
  'a value is added to a closed enumeration of a response': [
    [`${schemas} ProofUpload properties kind enum`, withAdded('document')],
    'Added: The value `document` of `ProofUpload.kind`.',
  ],
  'a closed enumeration of a response is opened': [
    [`${schemas} ProofUpload properties speed x-open-enum`, changedTo(true)],
    '`ProofUpload.speed`: `x-open-enum` is `true`.',
  ],
  'a value is removed from a response': [
    [`${schemas} FieldErrorCode enum`, without('duplicate')],
    'Removed: The value `duplicate` of `FieldErrorCode`.',
  ],
  'a value is removed from a request': [
    [`${schemas} EventStatus enum`, without('picked_up')],
    'Removed: The value `picked_up` of `EventStatus`.',
  ],
  'a response is removed': [[`${cancel} responses 422`, removed], 'Removed: The response 422 of `cancelShipment`.'],
  'a success is added': [
    [`${cancel} responses 202`, changedTo({ description: 'Later.' })],
    'Added: The response 202 of `cancelShipment`.',
  ],
  'the schema of a response is removed': [
    ['paths /shipments post responses 201 content application/json schema', removed],
    'Removed: The body of the response 201 of `createShipment`.',
  ],
  'a response header is removed': [
    ['paths /shipments post responses 201 headers Location', removed],
    'Removed: The header `Location` in the response 201 of `createShipment`.',
  ],
  'a response header becomes optional': [
    ['components headers Retry-After required', changedTo(false)],
    'The header `Retry-After` is no longer required.',
  ],
  'a parameter is made required': [
    ['components parameters Idempotency-Key required', changedTo(true)],
    'The header parameter `Idempotency-Key` is now required.',
  ],
  'a parameter is removed': [
    ['paths /shipments get parameters', (list: unknown[]) => list.slice(1)],
    'Removed: The query parameter `status` of `listShipments`.',
  ],
  'a default is changed': [
    ['components parameters limit schema default', changedTo(10)],
    'The query parameter `limit`: `default` is `10`; it was `25`.',
  ],
  'a length is tightened': [
    [`${schemas} CancelRequest properties reason maxLength`, changedTo(100)],
    '`CancelRequest.reason`: `maxLength` is `100`; it was `500`.',
  ],
  'a number is limited': [
    [`${schemas} Latitude maximum`, changedTo(80)],
    '`Latitude`: `maximum` is `80`; it was `90`.',
  ],
  'a pattern is changed': [
    [`${schemas} ProofUploadRequest properties sha256 pattern`, changedTo('^[0-9A-F]{64}$')],
    '`ProofUploadRequest.sha256`: `pattern` is `^[0-9A-F]{64}$`; it was `^[0-9a-f]{64}$`.',
  ],
  'a rule across fields is added': [
    [`${schemas} PositionsRequest properties eta x-after`, changedTo('positions')],
    '`PositionsRequest.eta`: `x-after` is `positions`.',
  ],
  'x-max-ahead is tightened': [
    [`${schemas} TrackingEventRequest properties timestamp x-max-ahead`, changedTo('PT1M30S')],
    '`TrackingEventRequest.timestamp`: `x-max-ahead` is `PT1M30S`; it was `PT5M`.',
  ],
  'a key becomes required': [
    ['paths /uploads/{upload_token} put security', changedTo([{ apiKey: ['tracking:write'] }])],
    '`putProofFile` needs a key.',
  ],
  'another scope becomes required': [
    ['paths /shipments/{shipment_id} get security', changedTo([{ apiKey: ['shipments:write'] }])],
    '`getShipment` needs the scope `shipments:write`; it needed `shipments:read`.',
  ],
  'an additional scope becomes required': [
    [`${cancel} security 0 apiKey`, withAdded('tracking:write')],
    '`cancelShipment` needs the scope `shipments:write` and `tracking:write`; it needed `shipments:write`.',
  ],
  'a request media type is removed': [
    ['paths /uploads/{upload_token} put requestBody content image/webp', removed],
    'Removed: `image/webp` in the request of `putProofFile`.',
  ],
  'a response media type is changed': [
    [
      'components responses Forbidden content',
      ({ 'application/problem+json': media }) => ({ 'application/json': media }),
    ],
    '`application/problem+json` in the response `Forbidden` is now `application/json`.',
  ],
  'a transition is removed': [
    [`${schemas} ShipmentStatus x-transitions`, (steps: unknown[]) => steps.slice(0, -1)],
    'Removed: The transition from `dispatched` to `cancelled` by `cancelShipment`.',
  ],
  'positions of a status are refused': [
    [`${schemas} ShipmentStatus x-positions delivered`, removed],
    'Removed: Positions of a shipment that is `delivered`.',
  ],
  'a problem has another status': [
    [`${problems} not_delivered status`, changedTo(404)],
    'The problem `not_delivered`: status 404; it was status 409.',
  ],
  'an unknown table changes': [
    [`${schemas} Address x-postal`, changedTo({ US: 5 })],
    '`x-postal`; describe its rows in tools/release/extension-tables.ts.',
  ],
  'a scope is removed': [
    ['components securitySchemes apiKey x-scopes tracking:read', removed],
    'Removed: The scope `tracking:read`.',
  ],
  'the largest body size is reduced': [
    ['x-max-body', changedTo(1024)],
    'The bytes of a JSON body: `x-max-body` is `1024`; it was `1048576`.',
  ],
  'an unknown keyword changes': [
    ['paths /shipments get x-max-seconds', changedTo(3)],
    '`x-max-seconds`; describe it in tools/release/extensions.ts.',
  ],
  'the server URL changes': [
    ['servers 0 url', changedTo('http://localhost:8080/v1')],
    'The server: `url` is `http://localhost:8080/v1`; it was `http://localhost:3000/v1`.',
  ],
};

let copy: RepositoryCopy;
let checked: Ended;

// One comparison for all of them, because starting Redocly takes longer than comparing.
beforeAll(async () => {
  copy = await newRepositoryCopy();
  const edits = Object.values(breaking).flatMap((change) => change.slice(0, -1) as Edit[]);
  await copy.write('revision', ...edits);
  checked = await copy.release('--check');
});
afterAll(() => copy[Symbol.asyncDispose]());

test('the contract has no breaking change since the last release', async () => {
  const { code, stderr } = await run(new URL('../../tools/release/main.ts', import.meta.url), ['--check']);
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

test.for(Object.entries(breaking))('release --check reports a breaking change: %s', ([, change]) => {
  expect(checked.code).toBe(1);
  expect(checked.stderr).toContain(change.at(-1));
});

test('release --check reports the place, rule and fix of each breaking change, and no other changes', () => {
  const named = checked.stderr.split('\n').filter((line) => /^ {2}(Added|Changed|Removed): /.test(line));
  const expected = Object.values(breaking).map((change) => String(change.at(-1)));
  expect(named.filter((line) => !expected.some((text) => line.includes(text)))).toEqual([]);
  expect(checked.stderr).toContain(`  Removed: \`Shipment.cancellation_reason\`.
    property-removed: Property \`cancellation_reason\` of \`Shipment\` was removed.
    #/components/schemas/Shipment/properties/cancellation_reason`);
  expect(checked.stderr).toMatch(/it needs a new major version: set info\.version to \d+\.0\.0/);
});

test('each rule of tools/release/redocly.yaml reports a breaking change', async () => {
  const rules = (await copy.read('tools/release/redocly.yaml')).match(/(?<=waybill\/)[a-z-]+/g) ?? [];
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.filter((rule) => !checked.stderr.includes(`    ${rule}: `))).toEqual([]);
});
