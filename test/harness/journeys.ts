import { type Transition, transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import { uniquePng } from './images.ts';
import type { TestAccount } from './test.ts';

type Schemas = components['schemas'];
export type Status = Schemas['ShipmentStatus'];
type Who = Pick<TestAccount, 'client'>;

export const shipmentRequest = (): Schemas['ShipmentRequest'] => ({
  type: 'freight',
  origin: { address: '1420 Harbor Avenue SW', city: 'Seattle', state: 'WA', zip: '98126' },
  destination: { address: '77 Foundry Street', city: 'Spokane', state: 'WA', zip: '99201' },
  pickup_window: { start: '2026-03-03T16:00:00Z', end: '2026-03-03T20:00:00Z' },
});

export const newShipment = async ({ client }: Who) => (await client.createShipment({ body: shipmentRequest() })).data;
export type Shipment = Awaited<ReturnType<typeof newShipment>>;

/** Uploads a small image of its own and answers its upload id. */
export const upload = ({ client }: Who, tracking_number: string, kind: Schemas['FileKind']): Promise<string> =>
  client.uploadProofFile({ tracking_number, kind, file: uniquePng(crypto.randomUUID()), content_type: 'image/png' });

/** A complete proof of delivery, its files uploaded. */
export async function proofFor(who: Who, tracking_number: string): Promise<Schemas['ProofOfDeliveryRequest']> {
  return {
    delivered_at: new Date().toISOString(),
    signed_by: 'Owen Castillo',
    signature: await upload(who, tracking_number, 'signature'),
    photos: [await upload(who, tracking_number, 'photo')],
    location: { lat: 47.6588, lng: -117.426 },
  };
}

/** Takes a step of the contract's lifecycle by the operation that the contract names for it. */
export async function take(
  who: Who,
  { id, tracking_number }: Pick<Shipment, 'id' | 'tracking_number'>,
  { operation, to }: Pick<Transition, 'operation' | 'to'>,
): Promise<unknown> {
  const path = { tracking_number };
  if (operation === 'recordTrackingEvent') {
    const body = { status: to as Schemas['EventStatus'], timestamp: new Date().toISOString() };
    return who.client.recordTrackingEvent({ path, body });
  }
  if (operation === 'submitProofOfDelivery') {
    return who.client.submitProofOfDelivery({ path, body: await proofFor(who, tracking_number) });
  }
  if (operation === 'cancelShipment') {
    return who.client.cancelShipment({ path: { shipment_id: id }, body: { reason: 'The consignee moved.' } });
  }
  throw new Error(`Teach the tests how ${operation} brings a shipment to ${to}: test/harness/journeys.ts`);
}

/** The steps from the beginning to a status. */
export function route(to: Status): Transition[] {
  const last = transitions.find((step) => step.to === to);
  if (!last) throw new Error(`No step of the contract leads to ${to}`);
  return last.from === null ? [] : [...route(last.from), last];
}

/** A new shipment that has been brought to a status. */
export async function shipmentIn(who: Who, status: Status): Promise<Shipment> {
  const shipment = await newShipment(who);
  for (const step of route(status)) await take(who, shipment, step);
  return shipment;
}

export const inTransit = (who: Who): Promise<Shipment> => shipmentIn(who, 'in_transit');
