import { release } from '@waybill/tools/release/release';
import { expect, test } from 'vitest';
import { add, deprecate, drop, type Edit, newContracts, remove, rename, set, until } from './contracts.ts';

const cancel = 'paths /shipments/{shipment_id}/cancel post';
const created = 'paths /shipments post responses 201';
const image = 'paths /uploads/{upload_token} put';
const list = 'paths /shipments get';
const lifecycle = 'ShipmentStatus x-lifecycle';
const [upload, renamed] = ['/tracking/{tracking_number}/pod/uploads', '/tracking/{number}/pod/uploads'];
const old = 'Shipment properties tracking_number x-deprecation';
const json = 'application/json';
const text = { type: 'string' };
const held = { type: 'object', properties: { type: { type: 'string', const: 'shipment.held' } } };
const holding = { rank: 4, from: ['in_transit'], operations: ['recordTrackingEvent'], description: 'Held' };
const opened = { ...text, 'x-extensible-enum': ['slow', 'fast'] };
const notes = { operationId: 'getNotes', summary: 'Read the notes', responses: { 204: { description: 'Done.' } } };

/** The report of a breaking change → its edits. */
const breaking: Record<string, Edit | Edit[]> = {
  'Removed: `getProofFile`, `GET /files/{file_token}`: Download a file.': remove('paths /files/{file_token}'),
  '`operationId` is `listAllShipments`; it was `listShipments`.': set(`${list} operationId`, 'listAllShipments'),
  [`The path \`${upload}\` is now \`${renamed}\`.`]: rename('paths', upload, renamed),
  '`ShipmentRequest.notes` is now required.': add('ShipmentRequest required', 'notes'),
  'Removed: `Shipment.cancellation_reason`.': remove('Shipment properties cancellation_reason'),
  '`string` or `null`; it was `string`.': set('ProofOfDelivery signed_by type', ['string', 'null']),
  'Added: The value `document` of `ProofUpload.kind`.': add('ProofUpload kind enum', 'document'),
  '`ProofUpload.speed`: `x-extensible-enum` is `true`.': set('ProofUpload properties speed', opened),
  'Removed: The value `duplicate` of `FieldErrorCode`.': drop('FieldErrorCode x-extensible-enum', 'duplicate'),
  'Added: The response 202 of `cancelShipment`.': set(`${cancel} responses 202`, { description: 'Later.' }),
  'Removed: The body of the response 201 of `createShipment`.': remove(`${created} content ${json} schema`),
  'The header `Retry-After` is no longer required.': set('headers Retry-After required', false),
  'parameter `Idempotency-Key` is now required.': set('parameters IdempotencyKeyParameter required', true),
  '`limit`: `default` is `10`; it was `25`.': set('parameters LimitParameter schema default', 10),
  '`ProofUploadRequest.sha256`: `pattern` is `^[A-F]{64}$`;': set('ProofUploadRequest sha256 pattern', '^[A-F]{64}$'),
  '`PositionsRequest.eta`: `x-time.after` is `positions`.': set('PositionsRequest eta x-time', { after: 'positions' }),
  '`x-time.max_ahead` is `PT1M30S`; it was `PT5M`.': set('TrackingEventRequest timestamp x-time max_ahead', 'PT1M30S'),
  '`putProofFile` needs a key.': set(`${image} security`, [{ apiKey: ['tracking:write'] }]),
  '`listEvents` needs the scope `a`; it needed `events:read`.': set('paths /events get security', [{ apiKey: ['a'] }]),
  'Removed: `image/webp` in the request of `putProofFile`.': remove(`${image} requestBody content image/webp`),
  'The transition from `dispatched` to `cancelled`.': set(`${lifecycle} cancelled from`, ['scheduled']),
  'The problem `proof_not_available`: status 409;': set('ProblemCode x-problems proof_not_available status', 409),
  '`Shipment.tracking_number` is deprecated until 3000-12-31. Use `x`.': set(`${old} sunset`, '3000-12-31'),
  'The server: `url` is `http://localhost/v1`; it was `{origin}/v1`.': set('servers 0 url', 'http://localhost/v1'),
};

/** The beginning of the changelog's line for a compatible change → its edits. */
const compatible: Record<string, Edit | Edit[]> = {
  '`getNotes`, `GET /notes`: Read the notes.': set('paths /notes', { get: notes }),
  '`ShipmentRequest.weight`.': set('ShipmentRequest properties weight', { type: 'number' }),
  '`TimelineEntry.by`.': [set('TimelineEntry properties by', text), add('TimelineEntry required', 'by')],
  'The value `held` of `ShipmentStatus`.': add('ShipmentStatus x-extensible-enum', 'held'),
  'The transition from `in_transit` to `held`.': set(`${lifecycle} held`, holding),
  'The variant `shipment.held` of `Event`.': [
    add('Event oneOf', held),
    set('Event discriminator mapping shipment.held', '#/components/schemas/HeldEvent'),
    set('schemas HeldEvent', held),
  ],
  'The query parameter `city` of': add(`${list} parameters`, { name: 'city', in: 'query', schema: text }),
  'The response 410 of `listShipments`.': set(`${list} responses 410`, { description: 'Too old.' }),
  '`image/avif` in the request of `putProofFile`.': set(`${image} requestBody content image/avif`, {}),
  '`ProofUploadRequest.size`: `maximum` is `41943040`; it': set('ProofUploadRequest size maximum', 41_943_040),
  '`PickupWindowRequest.end`: `x-time.not_before` removed; it': remove('PickupWindowRequest end x-time not_before'),
  'The query parameter `cursor`: `default` is `none`.': set('parameters CursorParameter schema default', 'none'),
  '`Shipment.notes`, until 3000-01-31. Use `x`.': deprecate('Shipment notes', '3000-01-31'),
  '`listShipments`, until 3000-01-31. Use `x`.': deprecate(list, '3000-01-31'),
  'The value `crate` of `Packaging`, until 3000-': set('Packaging x-enumDeprecations', { crate: until('3000-01-31') }),
  '`Shipment.tracking_number` is deprecated until 3001-01-31. Ask.': set(`${old} instead`, 'Ask.'),
};

async function check(...edits: Edit[]): ReturnType<typeof release> {
  await using contracts = await newContracts(...edits);
  return await contracts.release(true);
}

test('the contract has no breaking change since the last release', async () => {
  expect(await release(new URL('../../../', import.meta.url), true)).toMatchObject({ code: 0 });
});

// One comparison for all changes of a kind, because starting Redocly takes longer than comparing.
test('release --check fails with each breaking change and no other', async () => {
  const { code, output } = await check(...Object.values(breaking).flat());
  expect(code).toBe(1);
  const named = output.split('\n').filter((line) => /^ {2}(Added|Changed|Removed): /.test(line));
  const reports = Object.keys(breaking);
  expect(reports.filter((report) => !named.some((line) => line.includes(report)))).toEqual([]);
  expect(named.filter((line) => !reports.some((report) => line.includes(report)))).toEqual([]);
});

test('release --check accepts and lists each compatible change once', async () => {
  const { code, output } = await check(...Object.values(compatible).flat());
  expect({ code, output }).toEqual({ code: 0, output: expect.not.stringContaining('Breaking') });
  const lines = output.split('\n').filter((line) => line.startsWith('- '));
  expect(new Set(lines).size).toBe(lines.length);
  expect(Object.keys(compatible).filter((text) => !lines.some((line) => line.startsWith(`- ${text}`)))).toEqual([]);
});

test('release --check fails with an unknown extension', async () => {
  const edit = set('Address x-postal', { US: 5 });
  await expect(check(edit)).rejects.toThrow('Describe it in tools/release/extensions.ts.');
});
