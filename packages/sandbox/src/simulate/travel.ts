import {
  type Address,
  type EventLocation,
  type EventStatus,
  type KnownExceptionCode,
  type KnownFileKind,
  type PositionsRequest,
  type ProblemCode,
  type ProofOfDeliveryRequest,
  type ShipmentItemRequest,
  type ShipmentRequest,
  type TrackingEventRequest,
  WaybillError,
} from '@waybill/client';
import { drive } from './drive.ts';
import { lanes, type Place } from './places.ts';
import { lengthOf } from './route.ts';
import { hour, minute, type Trip } from './trip.ts';
import { newWrite, type Write } from './writes.ts';

/** Kilometres per hour. */
const speed = 75;
/** A PNG of one pixel. */
export const image: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const signers = ['Owen Castillo', 'Mara Lindqvist', 'Priya Raman', 'Tom Becker'] as const;

/**
 * Simulates one shipment: creates it, sometimes cancels it, drives it along its route and delivers it with a proof.
 * Some requests are invalid on purpose, and must be rejected.
 * @throws what `perform` and the client throw, except for the expected rejections
 */
export async function travel(trip: Trip): Promise<void> {
  const { shipper, carrier, perform, reference, random, tally, wait, reached } = trip;
  const route = random.pick(lanes);
  const [origin, destination] = [route[0], route.at(-1) as Place];
  const now = clock();
  const expectRejection = async (code: ProblemCode, invalid: () => Write) => {
    if (!random.chance(0.05)) return;
    const error = await perform(invalid()).then(
      () => new Error(`expected ${code}`),
      (error: unknown) => error,
    );
    if (!(error instanceof WaybillError && error.code === code)) throw error;
    tally.expectedErrors++;
  };

  const signature_required = random.chance(0.2);
  const drivingTime = (lengthOf(route) / speed) * hour;
  const etaIn = (seconds: number): string => new Date(Date.now() + (seconds / trip.speed) * 1000).toISOString();
  const body = {
    ...requestOf(reference, origin, destination),
    items: [random.pick(freight)],
    ...(signature_required && { signature_required }),
    // Late are those that were delayed, or delivered at the second attempt.
    delivery_window: { start: etaIn(drivingTime), end: etaIn(drivingTime + 1.25 * hour) },
  };
  const create = () => newWrite(reference, 'createShipment', { body }, shipper.createShipment);
  const { id: shipment_id, tracking_number } = await perform(create());
  reached('scheduled');
  await expectRejection('reference_taken', create);
  const cancel = (reason: string) => {
    const input = { path: { shipment_id }, body: { reason } };
    return newWrite(reference, 'cancelShipment', input, shipper.cancelShipment);
  };
  const cancelled = async (): Promise<boolean> => {
    if (!random.chance(0.05)) return false;
    await perform(cancel('The order was withdrawn.'));
    reached('cancelled');
    await expectRejection('status_recorded', () => cancel('The order was withdrawn again.'));
    return true;
  };
  const change = (notes: string) => changeOf(trip, shipment_id, notes);
  const path = { tracking_number };
  const event = async (status: EventStatus, more: Partial<TrackingEventRequest>) => {
    const report = (body: TrackingEventRequest) =>
      newWrite(reference, 'recordTrackingEvent', { path, body }, carrier.recordTrackingEvent);
    await perform(report({ status, timestamp: now(), ...more }));
    reached(status);
    await expectRejection('status_recorded', () => report({ status, timestamp: now() }));
  };

  await wait(random.between(1, 20) * minute);
  if (await cancelled()) return;
  await event('dispatched', { eta: etaIn(drivingTime + hour / 2) });
  await wait(random.between(5, 20) * minute);
  if (await cancelled()) return;
  if (random.chance(0.15)) await perform(change('Call before you arrive.'));
  await event('picked_up', { location: eventLocation(origin) });
  await wait(random.between(2, 10) * minute);
  await event('in_transit', { eta: etaIn(drivingTime) });
  const report = (body: PositionsRequest) =>
    perform(newWrite(reference, 'recordPositions', { path, body }, carrier.recordPositions));
  const exception = exceptions(trip, path, now);
  const delay = random.chance(0.06) ? await exception.raise(random.pick(delays)) : undefined;
  const late = await drive(trip, { path, report, route, drivingTime, now, etaIn });
  if (delay) await exception.resolve(delay, 'Moving again');

  await wait(random.between(5, 15) * minute);
  if (random.chance(0.06)) {
    const failed = await exception.raise(random.pick(failedDeliveries));
    await wait(random.between(30, 120) * minute);
    await exception.resolve(failed, 'Delivered at the second attempt');
  }
  const upload = (kind: KnownFileKind) => {
    const file = { ...path, kind, content_type: 'image/png', file: image } as const;
    const input = { path, body: { kind, bytes: image.length } };
    const write = newWrite(reference, 'uploadProofFile', input, (_, options) => ({
      withResponse: async () => ({ status: 201, data: await carrier.uploadProofFile(file, options) }),
    }));
    return perform(write);
  };
  const { lat, lng } = destination;
  const submit = (body: ProofOfDeliveryRequest) =>
    newWrite(reference, 'submitProofOfDelivery', { path, body }, carrier.submitProofOfDelivery);
  const left = { unattended: true, photos: [await upload('photo')], location: { lat, lng } };
  const { unattended: _, ...others } = left;
  const signed = async () => ({ ...others, signed_by: random.pick(signers), signature: await upload('signature') });
  if (signature_required) await expectRejection('signature_required', () => submit({ ...left, delivered_at: now() }));
  const isLeft = !signature_required && random.chance(0.15);
  const proof: ProofOfDeliveryRequest = { ...(isLeft ? left : await signed()), delivered_at: now() };
  await perform(submit(proof));
  reached('delivered');
  await expectRejection('proof_submitted', () => submit(proof));
  await expectRejection('change_not_allowed', () => change('Too late.'));
  if (late.length > 0) await report({ positions: late });
  if (random.chance(0.5)) await shipper.getProofOfDelivery(path);
}

const freight: [ShipmentItemRequest, ...ShipmentItemRequest[]] = [
  { description: 'Roofing tiles', pieces: 2, packaging: 'pallet', weight: { value: 3620, unit: 'lb' } },
  { description: 'Office chairs', pieces: 24, packaging: 'carton', weight: { value: 790, unit: 'lb' } },
  { description: 'Pump housings', pieces: 6, packaging: 'crate', weight: { value: 2140, unit: 'lb' } },
];

/** What delays a shipment, and why a delivery fails at the first attempt. */
const delays = ['weather_delay', 'traffic_delay', 'facility_delay'] as const;
const failedDeliveries = ['nobody_there', 'refused', 'closed'] as const;

/** Makes the functions that raise an exception of a shipment and resolve it. */
function exceptions({ carrier, perform, reference }: Trip, path: { tracking_number: string }, now: () => string) {
  return {
    async raise(code: KnownExceptionCode): Promise<string> {
      const body = { code, occurred_at: now() };
      return (await perform(newWrite(reference, 'raiseException', { path, body }, carrier.raiseException))).id;
    },
    async resolve(exception_id: string, resolution: string): Promise<void> {
      const input = { path: { ...path, exception_id }, body: { resolved_at: now(), resolution } };
      await perform(newWrite(reference, 'resolveException', input, carrier.resolveException));
    },
  };
}

/**
 * Changes the notes of a shipment, without an idempotency key: the same change again changes nothing. The result is what was
 * sent, because the rest of the shipment may change meanwhile.
 */
function changeOf({ shipper, reference }: Trip, shipment_id: string, notes: string): Write<object> {
  const input = { path: { shipment_id }, body: { notes } };
  return newWrite(reference, 'updateShipment', input, (params, { headers: _, ...options }) => ({
    async withResponse() {
      const changed = await shipper.updateShipment(params, options);
      return { status: 200, data: { notes: changed.notes } };
    },
  }));
}

function requestOf(reference: string, origin: Place, destination: Place): ShipmentRequest {
  const at = (hours: number): string => new Date(Date.now() + hours * hour * 1000).toISOString();
  const address = ({ lat: _, lng: __, ...rest }: Place): Address => rest;
  return {
    type: 'freight',
    origin: address(origin),
    destination: address(destination),
    pickup_window: { start: at(0), end: at(4) },
    reference,
  };
}

const eventLocation = ({ lat, lng, city, state }: Place): EventLocation => {
  return { lat, lng, address: `${city}, ${state}` };
};

/** Returns the current time, strictly increasing. */
function clock(): () => string {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + 1);
    return new Date(last).toISOString();
  };
}
