import fc from 'fast-check';
import { type OperationId, operationOf } from '../fixtures/contract.ts';
import { images } from '../fixtures/images.ts';
import type { Environment, ImageFile, Shipment } from './environment.ts';
import { fieldOf, type Part, schemaOf } from './parts.ts';
import type { Known, Schema } from './schema.ts';
import type { Sent } from './send.ts';
import { valid } from './valid-values.ts';

type Values = NonNullable<Known['values']>;

/** Fixed values of a request, and the file that it declares or uploads. */
export interface Fixed {
  path?: Record<string, unknown>;
  body?: Record<string, unknown>;
  file?: ImageFile | undefined;
}

/** A request, and the known values that it was made from. */
export interface Made {
  sent: Sent;
  given: Record<Part['in'], Known>;
}

/** A request that the schemas allow, about a shipment or a nonexistent one. */
export function validRequest(environment: Environment, id: OperationId, shipment?: Shipment, fixed: Fixed = {}): Made {
  const operation = operationOf(id);
  const { id: shipment_id, tracking_number } = shipment ?? {};
  const given: Made['given'] = {
    path: { values: constants({ ...(shipment && { shipment_id, tracking_number }), ...fixed.path }) },
    query: { values: { '/cursor': fc.constant(undefined), ...references(environment) } },
    headers: { values: transportable(environment, schemaOf(id, 'headers')) },
    body: { values: constants(fixed.body ?? {}), ...(shipment && { previous: shipment.previous }) },
  };
  const part = (place: Part['in']) =>
    environment.draw(valid(schemaOf(id, place), given[place])) as Record<string, string>;
  const sent: Sent = {
    ...{ operation, path: part('path'), query: part('query'), headers: part('headers') },
    ...(operation.bodySchema && { body: part('body') }),
    ...(fixed.file && { file: fixed.file }),
  };
  const key = sent.headers['Idempotency-Key'];
  if (key) environment.keys.add(key);
  return { sent, given };
}

const constants = (values: Record<string, unknown>): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`/${name}`, fc.constant(value)]));

function references({ shipments }: Environment): Values {
  if (shipments.length === 0) return {};
  const used = fc.constantFrom(...shipments.map(({ reference }) => reference));
  return {
    '/reference': fc.oneof(fc.constant(undefined), valid(fieldOf('listShipments', 'query', 'reference')), used),
  };
}

/** Header values that HTTP carries unchanged: trimmed. Idempotency keys are new. */
function transportable({ keys }: Environment, { properties = {} }: Schema): Values {
  const carried = (schema: Schema): fc.Arbitrary<string> =>
    (valid(schema) as fc.Arbitrary<string>)
      .map((text) => text.replace(/\s/g, ' ').trim())
      .filter((text) => new RegExp(schema.pattern ?? '').test(text) && !keys.has(text));
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [`/${name}`, fc.option(carried(schema), { nil: undefined })]),
  );
}

const largest = fieldOf('createProofUpload', 'body', 'size').maximum ?? 0;
const imageTypes = operationOf('putProofFile').contentTypes as (keyof typeof images)[];

/** Images of all types, mostly small and sometimes of the largest size. Bytes after the image make each file unique. */
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
