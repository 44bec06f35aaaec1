import type { components } from '@waybill/contract/types';
import fc from 'fast-check';
import type { OperationId } from '../harness/contract.ts';
import type { Status } from '../harness/journeys.ts';
import type { Service } from '../harness/service.ts';
import { newAccount, type TestAccount } from '../harness/test.ts';
import type { ImageFile } from './files.ts';
import { type Answer, read } from './send.ts';
import type { Tally } from './tally.ts';

type Schemas = components['schemas'];
export type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T;

/** What is known of a file that was declared for a shipment. */
export interface Upload {
  id: string;
  token: string;
  kind: Schemas['FileKind'];
  file: ImageFile;
  state: 'declared' | 'stored' | 'bound';
}

/** What is known of a shipment from the answers so far. */
export interface Shipment {
  id: string;
  tracking_number: string;
  reference: string | undefined;
  status: Status;
  /** When its last event was, in milliseconds since 1970. */
  previous: number;
  uploads: Upload[];
  /** The uploads of its proof: the signature, then the photos. */
  proof: string[];
  /** All that reads tell of it. */
  seen: unknown;
}

/** An account and all that the fuzzer knows of it. */
export interface World {
  service: Service;
  account: TestAccount;
  shipments: Shipment[];
  /** The idempotency keys that were used. */
  keys: Set<string>;
  /** The requests so far, for people who look for a fault. */
  trace: string[];
  tally: Tally;
  /** Takes values from the stream of the step that is under way. */
  draw: Draw;
}

export async function newWorld(service: Service, tally: Tally): Promise<World> {
  return {
    service,
    account: await newAccount(service),
    shipments: [],
    keys: new Set(),
    trace: [],
    tally,
    draw: drawing(0),
  };
}

/** A stream of values that is the same for the same seed. */
export function drawing(seed: number): Draw {
  const [generator] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  return (arbitrary) => (generator as NonNullable<typeof generator>)(() => arbitrary);
}

/** Reads all that is known of a shipment; of none, what the account's last shipment is. */
export async function look(world: World, shipment: Shipment | undefined): Promise<unknown> {
  if (!shipment) return ((await read(world, '/shipments?limit=1')).body as Schemas['ShipmentList']).data[0]?.id;
  const { id, tracking_number } = shipment;
  return [(await read(world, `/tracking/${tracking_number}`)).body, (await read(world, `/shipments/${id}`)).body];
}

/** Takes what a success tells into the knowledge of the world. */
export async function learn(
  world: World,
  id: OperationId,
  shipment: Shipment | undefined,
  { body, sent }: Answer,
): Promise<void> {
  if (id === 'createShipment') {
    const { id, tracking_number, reference, status, created_at } = body as Schemas['Shipment'];
    const made: Shipment = {
      id,
      tracking_number,
      reference,
      status,
      previous: Date.parse(created_at),
      uploads: [],
      proof: [],
      seen: undefined,
    };
    made.seen = await look(world, made);
    world.shipments.push(made);
    return;
  }
  if (!shipment) return;
  if (id === 'createProofUpload' && sent.file) {
    const { upload_id, upload_url } = body as Schemas['ProofUpload'];
    const { kind } = sent.body as Schemas['ProofUploadRequest'];
    const token = upload_url.split('/').at(-1) ?? '';
    shipment.uploads.push({ id: upload_id, token, kind, file: sent.file, state: 'declared' });
  }
  if (id === 'putProofFile') {
    for (const upload of shipment.uploads)
      if (upload.token === sent.path.upload_token && upload.state === 'declared') upload.state = 'stored';
  }
  if (id === 'submitProofOfDelivery') {
    const { signature, photos = [] } = sent.body as Schemas['ProofOfDeliveryRequest'];
    shipment.proof = [signature, ...photos];
    for (const upload of shipment.uploads) if (shipment.proof.includes(upload.id)) upload.state = 'bound';
  }
  shipment.seen = await look(world, shipment);
  const [{ status, timeline }] = shipment.seen as [Schemas['TrackingStatus']];
  shipment.status = status;
  shipment.previous = Date.parse(timeline.at(-1)?.timestamp ?? '');
}
