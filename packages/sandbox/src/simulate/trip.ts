import type { Client, ShipmentStatus } from '@waybill/client';
import type { Random } from './random.ts';
import type { Tally } from './tally.ts';
import type { Perform } from './writes.ts';

/** Simulated seconds. */
export const minute = 60;
export const hour: number = 60 * minute;

/** The inputs of one simulated shipment. */
export interface Trip {
  shipper: Client;
  carrier: Client;
  perform: Perform;
  /** Unique to the shipment. */
  reference: string;
  random: Random;
  tally: Tally;
  /** Simulated seconds per second. */
  speed: number;
  /** Resolves after that many simulated seconds. */
  wait(seconds: number): Promise<void>;
  /** Called with each status that the shipment reaches. */
  reached(status: ShipmentStatus): void;
}
