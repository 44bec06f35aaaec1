import fc from 'fast-check';
import { contractOperations, type OperationId } from '../harness/contract.ts';
import { declarationOf, type ImageFile, imageFile } from './files.ts';
import { bodySchema, contentTypes, partOf } from './parts.ts';
import { type Known, type Schema, valid } from './schema.ts';
import type { Sent } from './send.ts';
import { nextBy } from './verdict.ts';
import type { Shipment, Upload, World } from './world.ts';

type Values = NonNullable<Known['values']>;

/** What a request needs beside the schema: of the shipment that it is about, and of what was made for it. */
export interface About {
  shipment?: Shipment | undefined;
  upload?: Upload | undefined;
  /** A file to declare. */
  image?: { file: ImageFile; kind: Upload['kind'] };
  /** The token of a file's URL. */
  token?: string;
  /** Uploads for a proof; ids that only look like some are sent where they are left out. */
  proof?: { signature: string; photos: string[] | undefined };
  /** Nothing that the shipment's status does not allow. */
  allowed?: boolean;
}

/** Everything that the parts of a request are made from. */
export interface Made {
  sent: Sent;
  given: Record<'path' | 'query' | 'header' | 'body', Known>;
}

const constants = (values: Record<string, unknown>): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`/${name}`, fc.constant(value)]));

/** A request that the schemas allow, about things that there are. */
export function validRequest(world: World, id: OperationId, about: About): Made {
  const operation = contractOperations.find((one) => one.id === id);
  if (!operation) throw new Error(`There is no operation ${id}`);
  const declared =
    about.image?.file ?? (id === 'createProofUpload' ? world.draw(fc.option(images, { nil: undefined })) : undefined);
  const file = declared ?? about.upload?.file;
  const given: Made['given'] = {
    path: { values: addresses(about) },
    query: {
      values: {
        '/cursor': fc.constant(undefined),
        ...(world.shipments.length > 0 && { '/reference': references(world) }),
      },
    },
    header: { values: transportable(world, partOf(id, 'header')) },
    body: {
      values: bodyValues(world, id, about, declared),
      ...(about.shipment && { previous: about.shipment.previous }),
    },
  };
  const draw = (schema: Schema, known: Known) => world.draw(valid(schema, known)) as Record<string, string>;
  const body = bodySchema(id);
  const sent: Sent = {
    operation,
    path: draw(partOf(id, 'path'), given.path),
    query: draw(partOf(id, 'query'), given.query),
    headers: draw(partOf(id, 'header'), given.header),
    ...(body && { body: draw(body, given.body) }),
    ...(file && { file }),
  };
  const key = sent.headers['Idempotency-Key'];
  if (key) world.keys.add(key);
  return { sent, given };
}

/** Things of the world by the names that paths have for them; a name without a value is drawn from its schema. */
function addresses({ shipment, upload, token }: About): Values {
  const { id: shipment_id, tracking_number } = shipment ?? {};
  const known = { shipment_id, tracking_number, upload_token: upload?.token, file_token: token };
  return constants(Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)));
}

function references({ shipments }: World): fc.Arbitrary<string | undefined> {
  const fresh = valid(partOf('listShipments', 'query').properties?.reference ?? {}) as fc.Arbitrary<string>;
  return fc.oneof(fc.constant(undefined), fresh, fc.constantFrom(...shipments.map(({ reference }) => reference)));
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

function bodyValues(
  { draw }: World,
  id: OperationId,
  { shipment, image, proof, allowed }: About,
  declared?: ImageFile,
): Values {
  if (declared) return constants({ ...declarationOf(declared), ...(image && { kind: image.kind }) });
  if (proof) return constants(proof);
  const next = shipment ? nextBy(id, shipment.status) : [];
  if (id !== 'recordTrackingEvent' || next.length === 0 || (!allowed && draw(fc.boolean()))) return {};
  return { '/status': fc.constantFrom(...next) };
}

const largest = bodySchema('createProofUpload')?.properties?.size?.maximum ?? 0;

/** Images of all types, mostly small, now and then as large as may be. */
export const images: fc.Arbitrary<ImageFile> = fc
  .tuple(
    fc.constantFrom(...contentTypes('putProofFile')),
    fc.oneof(
      { weight: 150, arbitrary: fc.nat(300) },
      { weight: 10, arbitrary: fc.nat(200_000) },
      { weight: 1, arbitrary: fc.constant(largest) },
    ),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
  )
  .map(([type, size, fill]) => imageFile(type, Buffer.alloc(size, fill), largest));
