import type { Schemas } from '@waybill/client';
import type { Place } from './places.ts';
import type { Requests } from './requests.ts';
import { along } from './route.ts';
import type { Trip } from './trip.ts';

type Position = Schemas['PositionReport'];

/** In seconds. */
export const minute = 60;
export const hour: number = 60 * minute;
/** How many positions are reported at a time. */
const batch = 5;

interface Leg {
  path: { tracking_number: Schemas['TrackingNumber'] };
  make: Requests;
  origin: Place;
  destination: Place;
  /** Simulated seconds. */
  drivingTime: number;
  now(): string;
  etaIn(seconds: number): string;
}

/**
 * Drives from origin to destination and reports positions in batches: some a batch late, some twice, some with a new
 * estimated arrival. @returns those that are still to be reported
 */
export async function drive({ perform, random, shipper, tally, speed, wait }: Trip, leg: Leg): Promise<Position[]> {
  const { path, make, origin, destination, drivingTime, now, etaIn } = leg;
  // Not much oftener than once a second, however fast time runs.
  const interval = Math.min(Math.max(minute, speed), hour / 2);
  let late: Position[] = [];
  let waiting: Position[] = [];
  for (let driven = interval; driven < drivingTime; driven += interval) {
    await wait(interval);
    waiting.push({ ...along(origin, destination, driven / drivingTime, random), updated_at: now() });
    if (waiting.length < batch) continue;
    const held = random.chance(0.25) ? waiting.splice(1, 1) : [];
    const positions = [...late, ...waiting];
    const eta = random.chance(0.6) ? { eta: etaIn(drivingTime - driven) } : {};
    await perform(make.positions(path, { positions, ...eta }));
    tally.positions += positions.length;
    late = held;
    waiting = random.chance(0.3) ? waiting.slice(-1) : []; // the last one once more
    if (random.chance(0.2)) await shipper.getTracking({ path });
  }
  return [...late, ...waiting];
}
