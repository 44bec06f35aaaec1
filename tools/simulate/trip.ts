import { ProblemError, type Schemas } from '@waybill/client';
import { drive, hour, minute } from './drive.ts';
import { photoImage, signatureImage } from './images.ts';
import { lanes, type Place } from './places.ts';
import type { Random } from './random.ts';
import { type Parties, requests } from './requests.ts';
import { distance } from './route.ts';
import type { Tally } from './tally.ts';
import type { Perform, Write } from './writes.ts';

/** What a trip needs. */
export interface Trip extends Parties {
  perform: Perform;
  /** The shipment's own, unlike any other's. */
  reference: string;
  random: Random;
  tally: Tally;
  /** Simulated seconds per second. */
  speed: number;
  /** Resolves after that many simulated seconds. */
  wait(seconds: number): Promise<void>;
  /** Told each status that the shipment reaches. */
  reached(status: Schemas['ShipmentStatus']): void;
}

/** Kilometres in an hour. */
const pace = 75;
const signers = ['Owen Castillo', 'Mara Lindqvist', 'Priya Raman', 'Tom Becker'] as const;

/**
 * Leads one shipment through its life: booked, maybe cancelled, driven along its route, and delivered with its proof.
 * Now and then a request comes twice or too late, and is refused.
 * @throws what `perform` and the client throw, but for those refusals
 */
export async function travel(trip: Trip): Promise<void> {
  const { perform, reference, random, tally, wait, reached } = trip;
  const [origin, destination] = random.pick(lanes);
  const make = requests(trip, reference);
  const now = clock();
  const refused = async (code: Schemas['ProblemCode'], vain: () => Write) => {
    if (!random.chance(0.05)) return;
    const error = await perform(vain()).then(
      () => new Error(`expected ${code}`),
      (error: unknown) => error,
    );
    if (!(error instanceof ProblemError && error.code === code)) throw error;
    tally.refused++;
  };

  const booking = bookingOf(reference, origin, destination);
  const { id: shipment_id, tracking_number } = await perform(make.book(booking));
  reached('scheduled');
  await refused('reference_taken', () => make.book(booking));
  const cancelled = async (): Promise<boolean> => {
    if (!random.chance(0.05)) return false;
    await perform(make.cancel({ shipment_id }, 'The order was withdrawn.'));
    reached('cancelled');
    await refused('invalid_transition', () => make.cancel({ shipment_id }, 'The order was withdrawn again.'));
    return true;
  };
  const path = { tracking_number };
  const event = async (status: Schemas['EventStatus'], more: Partial<Schemas['TrackingEventRequest']>) => {
    await perform(make.event(path, { status, timestamp: now(), ...more }));
    reached(status);
    await refused('invalid_transition', () => make.event(path, { status, timestamp: now() }));
  };
  const drivingTime = (distance(origin, destination) / pace) * hour;
  const etaIn = (seconds: number): string => new Date(Date.now() + (seconds / trip.speed) * 1000).toISOString();

  await wait(random.between(1, 20) * minute);
  if (await cancelled()) return;
  await event('dispatched', { eta: etaIn(drivingTime + hour / 2) });
  await wait(random.between(5, 20) * minute);
  if (await cancelled()) return;
  await event('picked_up', { location: pointOf(origin) });
  await wait(random.between(2, 10) * minute);
  await event('in_transit', { eta: etaIn(drivingTime) });
  const late = await drive(trip, { path, make, origin, destination, drivingTime, now, etaIn });

  await wait(random.between(5, 15) * minute);
  const [signature, photo] = [signatureImage(random), photoImage(random)];
  const { lat, lng } = destination;
  const proof: Schemas['ProofOfDeliveryRequest'] = {
    signed_by: random.pick(signers),
    signature: await perform(make.upload(path, 'signature', signature)),
    photos: [await perform(make.upload(path, 'photo', photo))],
    delivered_at: now(),
    location: { lat, lng },
  };
  await perform(make.proof(path, proof));
  reached('delivered');
  await refused('invalid_transition', () => make.proof(path, proof));
  if (late.length > 0) await perform(make.positions(path, { positions: late }));
  if (random.chance(0.5)) await trip.shipper.getProofOfDelivery({ path });
}

function bookingOf(reference: string, origin: Place, destination: Place): Schemas['ShipmentRequest'] {
  const at = (hours: number): string => new Date(Date.now() + hours * hour * 1000).toISOString();
  const address = ({ lat: _, lng: __, ...rest }: Place): Schemas['Address'] => rest;
  return {
    type: 'freight',
    origin: address(origin),
    destination: address(destination),
    pickup_window: { start: at(0), end: at(4) },
    reference,
  };
}

const pointOf = ({ lat, lng, city, state }: Place): Schemas['EventLocation'] => {
  return { lat, lng, address: `${city}, ${state}` };
};

/** Now, and never the same moment twice. */
function clock(): () => string {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + 1);
    return new Date(last).toISOString();
  };
}
