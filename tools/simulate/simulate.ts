import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type ClientOptions, createClient } from '@waybill/client';
import { seeded } from './random.ts';
import { counting, newTally, type Tally } from './tally.ts';
import { travel } from './trip.ts';
import { Abandoned, type Journal, performer } from './writes.ts';

export interface Simulation {
  /** How to reach the service with a key that books, cancels and reads. */
  shipper: ClientOptions;
  /** And with one that records. */
  carrier: ClientOptions;
  /** How many shipments are on their way at once. */
  shipments: number;
  /** Simulated seconds per second. */
  speed: number;
  /** The same seed plays the same trips, but for the times; a random one when absent. */
  seed?: number;
  /** A shipment that has ended is followed by another, until the signal aborts. */
  endless?: boolean;
  /** Ends the simulation early, or at all. */
  signal?: AbortSignal;
  journal?: Journal;
  /** Filled while it runs, for whoever shows it. */
  tally?: Tally;
}

/** Shipments are booked over this many simulated seconds. */
const bookingTime = 30 * 60;
/** Milliseconds until the shipment after one that failed: a service that refuses all is not to be flooded. */
const stumbling = 250;

/**
 * Drives a fleet of shipments through their life against a running service, through the public client. Resolves with
 * what happened when all have ended or the signal has aborted; what went wrong is in the tally's `faults`.
 */
export async function simulate(simulation: Simulation): Promise<Tally> {
  const { shipments, speed, seed = randomBytes(4).readUInt32BE(), endless = false } = simulation;
  const { signal = new AbortController().signal, tally = newTally(), journal } = simulation;
  const connect = (options: ClientOptions) => createClient({ ...options, fetch: counting(tally, options.fetch) });
  const [shipper, carrier] = [connect(simulation.shipper), connect(simulation.carrier)];
  const random = seeded(seed);
  const wait = (seconds: number): Promise<void> => setTimeout((seconds / speed) * 1000, undefined, { signal });
  // Not from the seed: an earlier run with the same one must not have taken the references.
  const run = randomBytes(4).toString('hex').toUpperCase();
  let booked = 0;

  const one = async (own: typeof random): Promise<void> => {
    const reference = `SIM-${run}-${++booked}`;
    let status: keyof Tally['statuses'] | undefined;
    const reached = (next: keyof Tally['statuses']): void => {
      if (status) tally.statuses[status] = (tally.statuses[status] ?? 1) - 1;
      tally.statuses[next] = (tally.statuses[next] ?? 0) + 1;
      status = next;
    };
    const perform = performer(own.fork(), tally, signal, journal);
    await travel({ shipper, carrier, perform, reference, random: own, tally, speed, wait, reached });
  };
  const slot = async (own: typeof random): Promise<void> => {
    try {
      await wait(own.between(0, bookingTime));
      do await one(own.fork()).catch(stumble);
      while (endless && !signal.aborted);
    } catch (error) {
      note(error);
    }
  };
  const stumble = async (error: unknown): Promise<void> => {
    note(error);
    if (!signal.aborted) await setTimeout(stumbling, undefined, { signal });
  };
  const note = (error: unknown): void => {
    if (signal.aborted || error instanceof Abandoned) return;
    tally.fault(error instanceof Error ? error.message.replaceAll(/\b[0-9a-f-]{36}\b/g, '…') : String(error));
  };
  await Promise.all(Array.from({ length: shipments }, () => slot(random.fork())));
  return tally;
}
