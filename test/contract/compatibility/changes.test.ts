import { readFile } from 'node:fs/promises';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { release } from '@waybill/tools/release';
import { beforeAll, expect, test } from 'vitest';
import { add, drop, type Edit, newContracts, remove, rename, set, update } from './contracts.ts';

const cancel = 'paths /shipments/{shipment_id}/cancel post';
const created = 'paths /shipments post responses 201';
const image = 'paths /uploads/{upload_token} put';
const steps = 'ShipmentStatus x-transitions';
const list = 'paths /shipments get';
const types = contract.components.parameters.TypesParameter.schema.pattern;
const moreTypes = types.replaceAll('(shipment', String.raw`(shipment\.lost|shipment`);
const fewerTypes = types.replaceAll(String.raw`|webhook_endpoint\.test`, '');

/** The report of a breaking change → its edits. */
const breaking: Record<string, Edit | Edit[]> = {
  'Removed: `getProofOfDelivery`, `GET /tracking/{tracking_number}/pod`: Read the proof of delivery.': remove(
    'paths /tracking/{tracking_number}/pod get',
  ),
  'Removed: `getProofFile`, `GET /files/{file_token}`: Download a file.': remove('paths /files/{file_token}'),
  '`operationId` is `listAllShipments`; it was `listShipments`.': set(`${list} operationId`, 'listAllShipments'),
  'The path `/tracking/{tracking_number}/pod/uploads` is now `/tracking/{number}/pod/uploads`.': rename(
    'paths',
    '/tracking/{tracking_number}/pod/uploads',
    '/tracking/{number}/pod/uploads',
  ),
  '`CancelRequest.by` is now required.': [
    set('CancelRequest properties by', { type: 'string' }),
    add('CancelRequest required', 'by'),
  ],
  '`ShipmentRequest.notes` is now required.': add('ShipmentRequest required', 'notes'),
  'Removed: `ShipmentRequest.reference`.': remove('ShipmentRequest properties reference'),
  'Removed: `Shipment.cancellation_reason`.': remove('Shipment properties cancellation_reason'),
  '`Shipment.notes` is `integer`; it was `string`.': set('Shipment notes type', 'integer'),
  '`ProofOfDelivery.signed_by` is `string` or `null`; it was `string`.': set('ProofOfDelivery signed_by type', [
    'string',
    'null',
  ]),
  '`Shipment.updated_at` is no longer required.': drop('Shipment required', 'updated_at'),
  '`Shipment.created_at`: `format` is `date`; it was `date-time`.': set('Shipment created_at format', 'date'),
  'Added: The value `document` of `ProofUpload.kind`.': add('ProofUpload kind enum', 'document'),
  '`ProofUpload.speed`: `x-extensible-enum` is `true`.': set('ProofUpload speed x-extensible-enum', true),
  'Removed: The value `duplicate` of `FieldErrorCode`.': drop('FieldErrorCode enum', 'duplicate'),
  'Removed: The value `picked_up` of `EventStatus`.': drop('EventStatus enum', 'picked_up'),
  'Removed: The response 422 of `cancelShipment`.': remove(`${cancel} responses 422`),
  'Added: The response 202 of `cancelShipment`.': set(`${cancel} responses 202`, { description: 'Later.' }),
  'Removed: The body of the response 201 of `createShipment`.': remove(`${created} content application/json schema`),
  'Removed: The header `Location` in the response 201 of `createShipment`.': remove(`${created} headers Location`),
  'The header `Retry-After` is no longer required.': set('headers Retry-After required', false),
  'The header parameter `Idempotency-Key` is now required.': set('parameters IdempotencyKeyParameter required', true),
  'Removed: The query parameter `status` of `listShipments`.': update(`${list} parameters`, (items: unknown[]) =>
    items.slice(1),
  ),
  'The query parameter `limit`: `default` is `10`; it was `25`.': set('parameters LimitParameter schema default', 10),
  '`CancelRequest.reason`: `maxLength` is `100`; it was `500`.': set('CancelRequest reason maxLength', 100),
  '`Latitude`: `maximum` is `80`; it was `90`.': set('Latitude maximum', 80),
  '`ProofUploadRequest.sha256`: `pattern` is `^[0-9A-F]{64}$`; it was `^[0-9a-f]{64}$`.': set(
    'ProofUploadRequest sha256 pattern',
    '^[0-9A-F]{64}$',
  ),
  [`The query parameter \`types\`: \`pattern\` is \`${fewerTypes}\`; it was \`${types}\`.`]: set(
    'parameters TypesParameter schema pattern',
    fewerTypes,
  ),
  '`PositionsRequest.eta`: `x-time.after` is `positions`.': set('PositionsRequest eta x-time', { after: 'positions' }),
  '`TrackingEventRequest.timestamp`: `x-time.max_ahead` is `PT1M30S`; it was `PT5M`.': set(
    'TrackingEventRequest timestamp x-time max_ahead',
    'PT1M30S',
  ),
  '`putProofFile` needs a key.': set(`${image} security`, [{ apiKey: ['tracking:write'] }]),
  '`listEvents` needs the scope `shipments:read`; it needed `events:read`.': set('paths /events get security', [
    { apiKey: ['shipments:read'] },
  ]),
  '`cancelShipment` needs the scope `shipments:write` and `tracking:write`; it needed `shipments:write`.': add(
    `${cancel} security 0 apiKey`,
    'tracking:write',
  ),
  'Removed: `image/webp` in the request of `putProofFile`.': remove(`${image} requestBody content image/webp`),
  '`application/problem+json` in the response `Forbidden` is now `application/json`.': rename(
    'responses Forbidden content',
    'application/problem+json',
    'application/json',
  ),
  'Removed: The transition from `dispatched` to `cancelled` by `cancelShipment`.': update(steps, (items: unknown[]) =>
    items.slice(0, -1),
  ),
  'Removed: Positions of a shipment that is `delivered`.': remove(`${steps} 4 positions`),
  'The problem `not_delivered`: status 404; it was status 409.': set(
    'ProblemCode x-problems not_delivered status',
    404,
  ),
  'The server: `url` is `http://localhost:8080/v1`; it was `{origin}/v1`.': set(
    'servers 0 url',
    'http://localhost:8080/v1',
  ),
};

const operation = (operationId: string, summary: string): object => ({
  operationId,
  summary,
  security: [{ apiKey: ['shipments:read'] }],
  responses: { 204: { description: 'Done.' } },
});

/** The changelog's line for a compatible change → its edits. */
const compatible: Record<string, Edit | Edit[]> = {
  '`getNotes`, `GET /shipments/{shipment_id}/notes`: Read the notes.': set('paths /shipments/{shipment_id}/notes', {
    get: operation('getNotes', 'Read the notes'),
  }),
  '`deleteShipment`, `DELETE /shipments/{shipment_id}`: Forget a shipment.': set(
    'paths /shipments/{shipment_id} delete',
    operation('deleteShipment', 'Forget a shipment'),
  ),
  '`ShipmentRequest.weight`.': set('ShipmentRequest properties weight', { type: 'number' }),
  '`TimelineEntry.reported_by`.': [
    set('TimelineEntry properties reported_by', { type: 'string' }),
    add('TimelineEntry required', 'reported_by'),
  ],
  'The value `parcel` of `ShipmentType`.': add('ShipmentType enum', 'parcel'),
  'The value `lost` of `ShipmentStatus`.': add('ShipmentStatus enum', 'lost'),
  'The transition from `in_transit` to `lost` by `recordTrackingEvent`.': add(steps, {
    from: 'in_transit',
    to: 'lost',
    operation: 'recordTrackingEvent',
  }),
  'The transition from `in_transit` to `cancelled` by `cancelShipment`.': add(steps, {
    from: 'in_transit',
    to: 'cancelled',
    operation: 'cancelShipment',
  }),
  'The variant `shipment.lost` of `Event`.': add('Event oneOf', {
    type: 'object',
    properties: { type: { type: 'string', const: 'shipment.lost' } },
  }),
  [`The query parameter \`types\`: \`pattern\` is \`${moreTypes}\`; it was \`${types}\`.`]: set(
    'parameters TypesParameter schema pattern',
    moreTypes,
  ),
  'The query parameter `city` of `listShipments`.': add(`${list} parameters`, {
    name: 'city',
    in: 'query',
    schema: { type: 'string' },
  }),
  'The response 410 of `listShipments`.': set(`${list} responses 410`, { description: 'Too old.' }),
  'The header `Link` in the response 200 of `listShipments`.': set(`${list} responses 200 headers Link`, {
    schema: { type: 'string' },
  }),
  '`image/avif` in the request of `putProofFile`.': set(`${image} requestBody content image/avif`, {}),
  '`Shipment.notes`: `maxLength` is `20000`; it was `2000`.': [
    set('ShipmentRequest notes maxLength', 20_000),
    set('Shipment notes maxLength', 20_000),
  ],
  '`ProofUploadRequest.size`: `maximum` is `20971520`; it was `10485760`.': set(
    'ProofUploadRequest size maximum',
    20_971_520,
  ),
  '`ExceptionResolution.resolved_at`: `x-time.max_ahead` is `PT1H`; it was `PT5M`.': set(
    'ExceptionResolution resolved_at x-time max_ahead',
    'PT1H',
  ),
  '`PickupWindowRequest.end`: `x-time.after` removed; it was `start`.': remove('PickupWindowRequest end x-time after'),
  'The query parameter `cursor`: `default` is `none`.': set('parameters CursorParameter schema default', 'none'),
  '`ProofUploadRequest.sha256` is no longer required.': drop('ProofUploadRequest required', 'sha256'),
  '`Shipment.notes`.': set('Shipment notes deprecated', true),
};

const newTexts = [
  'info description',
  'Shipment description',
  'securitySchemes apiKey description',
  'ShipmentStatus x-enumDescriptions scheduled',
  'parameters LimitParameter description',
  `${list} summary`,
].map((place) => set(place, 'Better said.'));

/** `release --check` for a contract with all these changes. */
async function check(...edits: Edit[]): ReturnType<typeof release> {
  await using contracts = await newContracts(...edits);
  return await contracts.release(true);
}

let broken: Awaited<ReturnType<typeof check>>;
let extended: Awaited<ReturnType<typeof check>>;

// One comparison for all changes of a kind, because starting Redocly takes longer than comparing.
beforeAll(async () => {
  [broken, extended] = await Promise.all([
    check(...Object.values(breaking).flat()),
    check(...Object.values(compatible).flat(), ...newTexts),
  ]);
});

test('the contract has no breaking change since the last release', async () => {
  expect(await release(new URL('../../../', import.meta.url), true)).toMatchObject({ code: 0 });
});

test.for(Object.keys(breaking))('release --check fails with the breaking change: %s', (reported) => {
  expect(broken.code).toBe(1);
  expect(broken.output).toContain(reported);
});

test('release --check reports no other changes as breaking', () => {
  const named = broken.output.split('\n').filter((line) => /^ {2}(Added|Changed|Removed): /.test(line));
  expect(named.filter((line) => !Object.keys(breaking).some((reported) => line.includes(reported)))).toEqual([]);
});

test('each rule of tools/release/redocly.yaml reports a breaking change', async () => {
  const config = await readFile(new URL('../../../tools/release/redocly.yaml', import.meta.url), 'utf8');
  const rules = config.match(/(?<=waybill\/)[a-z-]+/g) ?? [];
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.filter((rule) => !broken.output.includes(`    ${rule}: `))).toEqual([]);
});

test.for(Object.keys(compatible))('release --check accepts and lists the compatible change: %s', (line) => {
  expect(extended.code).toBe(0);
  expect(extended.output.split('\n')).toContain(`- ${line}`);
});

test('release --check lists each compatible change once and leaves out new texts', () => {
  const lines = extended.output.split('\n').filter((line) => line.startsWith('- '));
  expect(new Set(lines).size).toBe(lines.length);
  expect(extended.output).not.toContain('Better said');
  expect(extended.output).not.toContain('Breaking');
});

test.for(['Address x-postal', 'paths /shipments get x-max-seconds'])(
  'release --check fails with the unknown extension %s',
  async (place) => {
    await expect(check(set(place, { US: 5 }))).rejects.toThrow('Describe it in tools/release/extensions.ts.');
  },
);
