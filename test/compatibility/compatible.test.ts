import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ended } from '../fixtures/process.ts';
import { type Edit, gone, is, newScratch, plus, type Scratch } from './scratch.ts';

const schemas = 'components schemas';
const statuses = `${schemas} ShipmentStatus`;

/** What clients don't mind → how, and what the changelog says of it. */
const growth: Record<string, [...Edit[], string]> = {
  'an operation': [
    ['paths /shipments/{shipment_id}/notes', is({ get: operation('getNotes', 'Read the notes') })],
    '- `getNotes`, `GET /shipments/{shipment_id}/notes`: Read the notes.',
  ],
  'a method of a path': [
    ['paths /shipments/{shipment_id} delete', is(operation('deleteShipment', 'Forget a shipment'))],
    '- `deleteShipment`, `DELETE /shipments/{shipment_id}`: Forget a shipment.',
  ],
  'an optional request field': [
    [`${schemas} ShipmentRequest properties weight`, is({ type: 'number' })],
    '- `ShipmentRequest.weight`.',
  ],
  'a response field': [
    [`${schemas} TimelineEntry properties reported_by`, is({ type: 'string' })],
    [`${schemas} TimelineEntry required`, plus('reported_by')],
    '- `TimelineEntry.reported_by`.',
  ],
  'a value of an open enumeration': [
    [`${schemas} ShipmentType enum`, plus('parcel')],
    '- The value `parcel` of `ShipmentType`.',
  ],
  'a step of the lifecycle': [
    [`${statuses} enum`, plus('lost')],
    [`${statuses} x-transitions`, plus({ from: 'in_transit', to: 'lost', operation: 'recordTrackingEvent' })],
    '- The transition from `in_transit` to `lost` by `recordTrackingEvent`.',
  ],
  'a step between statuses that exist': [
    [`${statuses} x-transitions`, plus({ from: 'in_transit', to: 'cancelled', operation: 'cancelShipment' })],
    '- The transition from `in_transit` to `cancelled` by `cancelShipment`.',
  ],
  'an optional query parameter': [
    ['paths /shipments get parameters', plus({ name: 'city', in: 'query', schema: { type: 'string' } })],
    '- The query parameter `city` of `listShipments`.',
  ],
  'an answer that is an error': [
    ['paths /shipments get responses 410', is({ description: 'Too old.' })],
    '- The response 410 of `listShipments`.',
  ],
  'a header in an answer': [
    ['paths /shipments get responses 200 headers Link', is({ schema: { type: 'string' } })],
    '- The header `Link` in the response 200 of `listShipments`.',
  ],
  'a media type of a request': [
    ['paths /uploads/{upload_token} put requestBody content image/avif', is({})],
    '- `image/avif` in the request of `putProofFile`.',
  ],
  'a text ten times longer, in requests and answers': [
    [`${schemas} ShipmentRequest properties notes maxLength`, is(20_000)],
    [`${schemas} Shipment properties notes maxLength`, is(20_000)],
    '- `Shipment.notes`: `maxLength` is `20000`; it was `2000`.',
  ],
  'a wider number in a request': [
    [`${schemas} ProofUploadRequest properties size maximum`, is(20_971_520)],
    '- `ProofUploadRequest.size`: `maximum` is `20971520`; it was `10485760`.',
  ],
  'more time ahead': [
    [`${schemas} PositionReport properties updated_at x-max-ahead`, is('PT1H')],
    '- `PositionReport.updated_at`: `x-max-ahead` is `PT1H`; it was `PT5M`.',
  ],
  'a rule less': [
    [`${schemas} PickupWindow properties end x-after`, gone],
    '- `PickupWindow.end`: `x-after` removed; it was `start`.',
  ],
  'a longer body': [
    ['x-max-body', is(2_097_152)],
    '- The bytes of a JSON body: `x-max-body` is `2097152`; it was `1048576`.',
  ],
  'a scope': [
    ['components securitySchemes apiKey x-scopes files:read', is('Read files.')],
    '- The scope `files:read`.',
  ],
  'a default where none was': [
    ['components parameters reference schema default', is('none')],
    '- The query parameter `reference`: `default` is `none`.',
  ],
  'an optional request field that was required': [
    [`${schemas} ProofUploadRequest required`, is(['kind', 'size'])],
    '- `ProofUploadRequest.sha256` is no longer required.',
  ],
  'a field on its way out': [
    [`${schemas} Shipment properties reference deprecated`, is(true)],
    '- `Shipment.reference`.',
  ],
};

/** The words of a contract, which no program reads. */
const words: Edit[] = [
  ['info description', is('Better said.')],
  [`${schemas} Shipment description`, is('Better said.')],
  ['components securitySchemes apiKey x-scopes shipments:read', is('Better said.')],
  [`${statuses} x-enumDescriptions scheduled`, is('Better said.')],
  ['components parameters limit description', is('Better said.')],
  ['paths /shipments get summary', is('Better said.')],
];

function operation(operationId: string, summary: string): object {
  return {
    operationId,
    summary,
    security: [{ apiKey: ['shipments:read'] }],
    responses: { 204: { description: 'Done.' } },
  };
}

let scratch: Scratch;
let told: Ended;

beforeAll(async () => {
  scratch = await newScratch();
  await scratch.write('revision', ...words, ...Object.values(growth).flatMap((plant) => plant.slice(0, -1) as Edit[]));
  told = await scratch.release('--check');
});
afterAll(() => scratch[Symbol.asyncDispose]());

test('growth and better words break nobody', () => {
  expect(told.stderr).toBe('');
  expect(told.code).toBe(0);
});

test.for(Object.entries(growth))('the gate lets pass, and tells, %s', ([, plant]) => {
  expect(told.stdout.split('\n')).toContain(plant.at(-1));
});

test('what is told is grouped, each once, and has no mere words', () => {
  const headings = told.stdout.split('\n').filter((line) => line.startsWith('###'));
  expect(headings).toEqual(['### Added', '### Changed', '### Deprecated']);
  const lines = told.stdout.split('\n').filter((line) => line.startsWith('- '));
  expect(new Set(lines).size).toBe(lines.length);
  expect(told.stdout).not.toContain('Better said');
  expect(told.stdout).not.toContain('Breaking');
});
