import fc from 'fast-check';
import { type OperationId, operationOf } from '../fixtures/contract.ts';
import { images } from '../fixtures/images.ts';
import { fieldOf, type Part, schemaOf } from './parts.ts';
import { type Known, type Schema, valid } from './schema.ts';
import type { Sent } from './send.ts';
import type { Shipment, World } from './world.ts';

type Values = NonNullable<Known['values']>;

export interface ImageFile {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

/** What a request says that its schemas would let it choose, and the file that it declares or puts. */
export interface Fixed {
  path?: Record<string, unknown>;
  body?: Record<string, unknown>;
  file?: ImageFile | undefined;
}

/** A request, and what its parts were made from. */
export interface Made {
  sent: Sent;
  given: Record<Part['in'], Known>;
}

/** A request that the schemas allow, about a shipment or about what there is not. */
export function validRequest(world: World, id: OperationId, shipment?: Shipment, fixed: Fixed = {}): Made {
  const operation = operationOf(id);
  const { id: shipment_id, tracking_number } = shipment ?? {};
  const given: Made['given'] = {
    path: { values: constants({ ...(shipment && { shipment_id, tracking_number }), ...fixed.path }) },
    query: { values: { '/cursor': fc.constant(undefined), ...references(world) } },
    headers: { values: transportable(world, schemaOf(id, 'headers')) },
    body: { values: constants(fixed.body ?? {}), ...(shipment && { previous: shipment.previous }) },
  };
  const part = (place: Part['in']) => world.draw(valid(schemaOf(id, place), given[place])) as Record<string, string>;
  const sent: Sent = {
    ...{ operation, path: part('path'), query: part('query'), headers: part('headers') },
    ...(operation.bodySchema && { body: part('body') }),
    ...(fixed.file && { file: fixed.file }),
  };
  const key = sent.headers['Idempotency-Key'];
  if (key) world.keys.add(key);
  return { sent, given };
}

const constants = (values: Record<string, unknown>): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`/${name}`, fc.constant(value)]));

function references({ shipments }: World): Values {
  if (shipments.length === 0) return {};
  const used = fc.constantFrom(...shipments.map(({ reference }) => reference));
  return {
    '/reference': fc.oneof(fc.constant(undefined), valid(fieldOf('listShipments', 'query', 'reference')), used),
  };
}

/** Header values that HTTP can carry as they are: it knows no white space around them. Keys are new ones. */
function transportable({ keys }: World, { properties = {} }: Schema): Values {
  const carried = (schema: Schema): fc.Arbitrary<string> =>
    (valid(schema) as fc.Arbitrary<string>)
      .map((text) => text.replace(/\s/g, ' ').trim())
      .filter((text) => new RegExp(schema.pattern ?? '').test(text) && !keys.has(text));
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [`/${name}`, fc.option(carried(schema), { nil: undefined })]),
  );
}

const largest = fieldOf('createProofUpload', 'body', 'size').maximum ?? 0;
export const imageTypes = operationOf('putProofFile').contentTypes as (keyof typeof images)[];

/** Images of all types, mostly small, now and then as large as may be. Bytes after the picture make each a file of its own. */
export const imageFiles: fc.Arbitrary<ImageFile> = fc
  .tuple(
    fc.constantFrom(...imageTypes),
    fc.oneof(
      { weight: 150, arbitrary: fc.nat(300) },
      { weight: 10, arbitrary: fc.nat(200_000) },
      { weight: 1, arbitrary: fc.constant(largest) },
    ),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
  )
  .map(([contentType, size, fill]) => {
    const bytes = Buffer.concat([images[contentType](), Buffer.alloc(size, fill)]).subarray(0, largest);
    return { contentType, bytes: Uint8Array.from(bytes) };
  });
