import fc from 'fast-check';
import type { Service } from '../fixtures/service.ts';
import type { Status } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount } from '../fixtures/test.ts';

export type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T;

export interface ImageFile {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

/** A file that was declared for a shipment. */
export interface Upload {
  id: string;
  token: string;
  file: ImageFile;
}

/** What the responses so far say about a shipment. */
export interface Shipment {
  id: string;
  tracking_number: string;
  reference: string | undefined;
  status: Status;
  /** The timestamp of its last event, in milliseconds since 1970. */
  previous: number;
  uploads: Upload[];
  /** How many files were declared, also those that were not uploaded. */
  declared: number;
  /** The uploads of its proof: the signature, then the photos. */
  proof: string[];
  /** The result of readState after the last change. */
  seen: unknown;
}

/** What the fuzzer has done, so that a test can require all of it. */
export interface Tally {
  requests: number;
  /** `getTracking 200`, and the ways to break a request that were refused. */
  reached: Set<string>;
}

/** An account and what the fuzzer knows about it. */
export interface Environment {
  service: Service;
  account: TestAccount;
  shipments: Shipment[];
  /** The idempotency keys that were used. */
  keys: Set<string>;
  /** The requests so far, for the report of a failure. */
  trace: string[];
  tally: Tally;
  /** Draws values from the stream of the current step. */
  draw: Draw;
}

export async function newEnvironment(service: Service, tally: Tally): Promise<Environment> {
  const account = await newAccount(service);
  return { service, account, shipments: [], keys: new Set(), trace: [], tally, draw: drawing(0) };
}

/** A stream of values that is the same for the same seed. */
export function drawing(seed: number): Draw {
  const [generator] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  return (arbitrary) => (generator as NonNullable<typeof generator>)(() => arbitrary);
}
