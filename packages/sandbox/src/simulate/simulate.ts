import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type ClientOptions, createClient, WaybillError } from '@waybill/client';
import { Random } from './random.ts';
import { Tally } from './tally.ts';
import { travel } from './travel.ts';
import { AbandonedError, createPerform, isRetryable, type WriteObserver } from './writes.ts';

export interface Simulation {
  /** Base URL and a key that creates, cancels and reads shipments. */
  shipper: ClientOptions;
  /** Base URL and a key that writes tracking data. */
  carrier: ClientOptions;
  /** Shipments at a time. */
  shipments: number;
  /** Simulated seconds per second. */
  speed: number;
  /** The same seed repeats all random choices but the times; random when absent. */
  seed?: number;
  /** Replaces every completed shipment with a new one until the signal aborts. */
  endless?: boolean;
  /** Ends the simulation. */
  signal?: AbortSignal;
  observer?: WriteObserver;
  /** Updated while the simulation runs. */
  tally?: Tally;
}

/** The references of all simulated shipments begin with it. */
export const referencePrefix = 'SIM-';
/** The first shipments are created over this many simulated seconds. */
const startTime = 30 * 60;
/** Milliseconds between a failed shipment and the next, so that a failing service is not flooded. */
const pauseAfterError = 250;

/**
 * Simulates shippers and carriers against a running service, through the public client. Resolves when all shipments have
 * ended or the signal aborts; unexpected errors are in the tally.
 */
export async function simulate(simulation: Simulation): Promise<Tally> {
  const { shipments, speed, seed = randomBytes(4).readUInt32BE(), endless = false } = simulation;
  const { signal = new AbortController().signal, tally = new Tally(), observer } = simulation;
  const connect = (options: ClientOptions) => createClient({ ...options, ...tally.hooks });
  const [shipper, carrier] = [connect(simulation.shipper), connect(simulation.carrier)];
  const random = new Random(seed);
  const wait = (seconds: number): Promise<void> => setTimeout((seconds / speed) * 1000, undefined, { signal });
  // Not from the seed: references must differ from those of an earlier run with the same seed.
  const run = randomBytes(4).toString('hex').toUpperCase();
  let created = 0;

  const one = async (own: Random): Promise<void> => {
    const reference = `${referencePrefix}${run}-${++created}`;
    let status: keyof Tally['statuses'] | undefined;
    const reached = (next: keyof Tally['statuses']): void => {
      if (status) tally.statuses[status] = (tally.statuses[status] ?? 1) - 1;
      tally.statuses[next] = (tally.statuses[next] ?? 0) + 1;
      status = next;
    };
    const perform = createPerform(own.fork(), tally, signal, observer);
    await travel({ shipper, carrier, perform, reference, random: own, tally, speed, wait, reached });
  };
  const slot = async (own: Random): Promise<void> => {
    try {
      await wait(own.between(0, startTime));
      do await one(own.fork()).catch(pauseAfter);
      while (endless && !signal.aborted);
    } catch (error) {
      record(error);
    }
  };
  const pauseAfter = async (error: unknown): Promise<void> => {
    record(error);
    if (!signal.aborted) await setTimeout(pauseAfterError, undefined, { signal });
  };
  const record = (error: unknown): void => {
    if (signal.aborted || error instanceof AbandonedError) return;
    // A read for which the client has given up: `perform` repeats writes.
    if (isRetryable(error) && !(error instanceof WaybillError && error.status === 500)) tally.failedAttempts++;
    else tally.addError(error instanceof Error ? error.message.replaceAll(/\b[0-9a-f-]{36}\b/g, '…') : String(error));
  };
  await Promise.all(Array.from({ length: shipments }, () => slot(random.fork())));
  return tally;
}
