import type { PositionReport, PositionsRequest, TrackingNumber } from '@waybill/client';
import type { Lane } from './places.ts';
import { along } from './route.ts';
import { hour, minute, type Trip } from './trip.ts';

type Position = PositionReport;

/** Positions in a request. */
const batchSize = 5;

interface Leg {
  path: { tracking_number: TrackingNumber };
  report(body: PositionsRequest): Promise<unknown>;
  route: Lane;
  /** Simulated seconds. */
  drivingTime: number;
  now(): string;
  etaIn(seconds: number): string;
}

/**
 * Simulates the drive from origin to destination. Reports positions in batches: some positions one batch late, some twice,
 * some with a new ETA. @returns the positions that are not yet reported
 */
export async function drive({ random, shipper, tally, speed, wait }: Trip, leg: Leg): Promise<Position[]> {
  const { path, report, route, drivingTime, now, etaIn } = leg;
  // About one position per real second, at any simulation speed.
  const interval = Math.min(Math.max(minute, speed), hour / 2);
  let late: Position[] = [];
  let pending: Position[] = [];
  for (let driven = interval; driven < drivingTime; driven += interval) {
    await wait(interval);
    pending.push({ ...along(route, driven / drivingTime, random), updated_at: now() });
    if (pending.length < batchSize) continue;
    const held = random.chance(0.25) ? pending.splice(1, 1) : [];
    const positions = [...late, ...pending];
    const eta = random.chance(0.6) ? { eta: etaIn(drivingTime - driven) } : {};
    await report({ positions, ...eta });
    tally.positions += positions.length;
    late = held;
    pending = random.chance(0.3) ? pending.slice(-1) : []; // reported again with the next batch
    if (random.chance(0.2)) await shipper.getTracking(path);
  }
  return [...late, ...pending];
}
