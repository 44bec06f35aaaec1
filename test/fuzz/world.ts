import type { components } from '@waybill/contract/types';
import fc from 'fast-check';
import { tokenOf } from '../fixtures/requests.ts';
import type { Service } from '../fixtures/service.ts';
import type { Status } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount } from '../fixtures/test.ts';
import type { ImageFile } from './requests.ts';
import { type Answer, read } from './send.ts';

type Schemas = components['schemas'];
export type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T;

/** A file that was declared for a shipment. */
export interface Upload {
  id: string;
  token: string;
  file: ImageFile;
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
  /** How many files were declared, also those that were never sent. */
  declared: number;
  /** The uploads of its proof: the signature, then the photos. */
  proof: string[];
  /** All that reads tell of it. */
  seen: unknown;
}

/** What was sent and answered, so that the fuzzer cannot stop fuzzing without anybody noticing. */
export interface Tally {
  requests: number;
  /** `getTracking 200`, and the ways to break a request that were refused. */
  reached: Set<string>;
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
  const account = await newAccount(service);
  return { service, account, shipments: [], keys: new Set(), trace: [], tally, draw: drawing(0) };
}

/** A stream of values that is the same for the same seed. */
export function drawing(seed: number): Draw {
  const [generator] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  return (arbitrary) => (generator as NonNullable<typeof generator>)(() => arbitrary);
}

/** Reads all that is known of a shipment; of none, what the account's last shipment is. */
export async function look(world: World, shipment: Shipment | undefined): Promise<unknown> {
  if (!shipment) return (await read<Schemas['ShipmentList']>(world, '/shipments?limit=1')).data[0]?.id;
  const { id, tracking_number } = shipment;
  return [await read(world, `/tracking/${tracking_number}`), await read(world, `/shipments/${id}`)];
}

/** Takes what a success tells into the knowledge of the world. */
export async function learn(world: World, about: Shipment | undefined, { sent, body }: Answer): Promise<void> {
  const operation = sent.operation.id;
  const shipment = operation === 'createShipment' ? shipmentFrom(body as Schemas['Shipment']) : about;
  if (!shipment) return;
  if (shipment !== about) world.shipments.push(shipment);
  if (operation === 'createProofUpload') shipment.declared++;
  if (operation === 'createProofUpload' && sent.file) {
    const { upload_id, upload_url } = body as Schemas['ProofUpload'];
    shipment.uploads.push({ id: upload_id, token: tokenOf(upload_url), file: sent.file });
  }
  if (operation === 'submitProofOfDelivery') {
    const { signature, photos = [] } = sent.body as Schemas['ProofOfDeliveryRequest'];
    shipment.proof = [signature, ...photos];
  }
  shipment.seen = await look(world, shipment);
  const [{ status, timeline }] = shipment.seen as [Schemas['TrackingStatus']];
  shipment.status = status;
  shipment.previous = Date.parse(timeline.at(-1)?.timestamp ?? '');
}

const shipmentFrom = ({ id, tracking_number, reference, status, created_at }: Schemas['Shipment']): Shipment => ({
  ...{ id, tracking_number, reference, status, previous: Date.parse(created_at) },
  ...{ uploads: [], declared: 0, proof: [], seen: undefined },
});
