import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ended } from '../fixtures/process.ts';
import { changedTo, type Edit, newRepositoryCopy, type RepositoryCopy, removed, withAdded } from './repository-copy.ts';

const schemas = 'components schemas';
const statuses = `${schemas} ShipmentStatus`;

/** Compatible change → its edits, and its line in the changelog. */
const compatible: Record<string, [...Edit[], string]> = {
  'an operation': [
    ['paths /shipments/{shipment_id}/notes', changedTo({ get: operation('getNotes', 'Read the notes') })],
    '- `getNotes`, `GET /shipments/{shipment_id}/notes`: Read the notes.',
  ],
  'a method of a path': [
    ['paths /shipments/{shipment_id} delete', changedTo(operation('deleteShipment', 'Forget a shipment'))],
    '- `deleteShipment`, `DELETE /shipments/{shipment_id}`: Forget a shipment.',
  ],
  'an optional request field': [
    [`${schemas} ShipmentRequest properties weight`, changedTo({ type: 'number' })],
    '- `ShipmentRequest.weight`.',
  ],
  'a response field': [
    [`${schemas} TimelineEntry properties reported_by`, changedTo({ type: 'string' })],
    [`${schemas} TimelineEntry required`, withAdded('reported_by')],
    '- `TimelineEntry.reported_by`.',
  ],
  'a value of an open enumeration': [
    [`${schemas} ShipmentType enum`, withAdded('parcel')],
    '- The value `parcel` of `ShipmentType`.',
  ],
  'a status with its transition': [
    [`${statuses} enum`, withAdded('lost')],
    [`${statuses} x-transitions`, withAdded({ from: 'in_transit', to: 'lost', operation: 'recordTrackingEvent' })],
    '- The transition from `in_transit` to `lost` by `recordTrackingEvent`.',
  ],
  'a transition between existing statuses': [
    [`${statuses} x-transitions`, withAdded({ from: 'in_transit', to: 'cancelled', operation: 'cancelShipment' })],
    '- The transition from `in_transit` to `cancelled` by `cancelShipment`.',
  ],
  'an optional query parameter': [
    ['paths /shipments get parameters', withAdded({ name: 'city', in: 'query', schema: { type: 'string' } })],
    '- The query parameter `city` of `listShipments`.',
  ],
  'an error response': [
    ['paths /shipments get responses 410', changedTo({ description: 'Too old.' })],
    '- The response 410 of `listShipments`.',
  ],
  'a response header': [
    ['paths /shipments get responses 200 headers Link', changedTo({ schema: { type: 'string' } })],
    '- The header `Link` in the response 200 of `listShipments`.',
  ],
  'a media type of a request': [
    ['paths /uploads/{upload_token} put requestBody content image/avif', changedTo({})],
    '- `image/avif` in the request of `putProofFile`.',
  ],
  'a larger maxLength in requests and responses': [
    [`${schemas} ShipmentRequest properties notes maxLength`, changedTo(20_000)],
    [`${schemas} Shipment properties notes maxLength`, changedTo(20_000)],
    '- `Shipment.notes`: `maxLength` is `20000`; it was `2000`.',
  ],
  'a larger maximum in a request': [
    [`${schemas} ProofUploadRequest properties size maximum`, changedTo(20_971_520)],
    '- `ProofUploadRequest.size`: `maximum` is `20971520`; it was `10485760`.',
  ],
  'a larger x-max-ahead': [
    [`${schemas} PositionReport properties updated_at x-max-ahead`, changedTo('PT1H')],
    '- `PositionReport.updated_at`: `x-max-ahead` is `PT1H`; it was `PT5M`.',
  ],
  'a removed rule': [
    [`${schemas} PickupWindow properties end x-after`, removed],
    '- `PickupWindow.end`: `x-after` removed; it was `start`.',
  ],
  'a larger body size': [
    ['x-max-body', changedTo(2_097_152)],
    '- The bytes of a JSON body: `x-max-body` is `2097152`; it was `1048576`.',
  ],
  'a scope': [
    ['components securitySchemes apiKey x-scopes files:read', changedTo('Read files.')],
    '- The scope `files:read`.',
  ],
  'a new default': [
    ['components parameters cursor schema default', changedTo('none')],
    '- The query parameter `cursor`: `default` is `none`.',
  ],
  'a request field that becomes optional': [
    [`${schemas} ProofUploadRequest required`, changedTo(['kind', 'content_type', 'size'])],
    '- `ProofUploadRequest.sha256` is no longer required.',
  ],
  'a deprecated field': [[`${schemas} Shipment properties notes deprecated`, changedTo(true)], '- `Shipment.notes`.'],
};

/** Changes of descriptions. */
const newDescriptions: Edit[] = [
  ['info description', changedTo('Better said.')],
  [`${schemas} Shipment description`, changedTo('Better said.')],
  ['components securitySchemes apiKey x-scopes shipments:read', changedTo('Better said.')],
  [`${statuses} x-enumDescriptions scheduled`, changedTo('Better said.')],
  ['components parameters limit description', changedTo('Better said.')],
  ['paths /shipments get summary', changedTo('Better said.')],
];

function operation(operationId: string, summary: string): object {
  return {
    operationId,
    summary,
    security: [{ apiKey: ['shipments:read'] }],
    responses: { 204: { description: 'Done.' } },
  };
}

let copy: RepositoryCopy;
let checked: Ended;

beforeAll(async () => {
  copy = await newRepositoryCopy();
  await copy.write(
    'revision',
    ...newDescriptions,
    ...Object.values(compatible).flatMap((change) => change.slice(0, -1) as Edit[]),
  );
  checked = await copy.release('--check');
});
afterAll(() => copy[Symbol.asyncDispose]());

test('release --check accepts compatible changes and new descriptions', () => {
  expect(checked.stderr).toBe('');
  expect(checked.code).toBe(0);
});

test.for(Object.entries(compatible))('release --check accepts and lists %s', ([, change]) => {
  expect(checked.stdout.split('\n')).toContain(change.at(-1));
});

test('release --check groups changes, lists each once and leaves out descriptions', () => {
  const headings = checked.stdout.split('\n').filter((line) => line.startsWith('###'));
  expect(headings).toEqual(['### Added', '### Changed', '### Deprecated']);
  const lines = checked.stdout.split('\n').filter((line) => line.startsWith('- '));
  expect(new Set(lines).size).toBe(lines.length);
  expect(checked.stdout).not.toContain('Better said');
  expect(checked.stdout).not.toContain('Breaking');
});
