import type { MessagePort } from 'node:worker_threads';
import type { Shipment, ShipmentRequest } from '@waybill/client';

/** A running service with an account. */
export interface Sandbox extends AsyncDisposable {
  /** The base URL of the API, with the major version. */
  baseUrl: string;
  /** A key with all scopes. */
  apiKey: string;
  /** A key of a carrier. */
  carrierApiKey: string;
  accountId: string;
  /** Puts the service and its database back to the start: the account and its keys stay, all else goes. */
  reset(): Promise<void>;
  /**
   * Creates shipments through the API, one after the other. Fields that are left out have the values of
   * an example, with a pickup in the next hours.
   * @throws the error of the API for an invalid one
   */
  seed<const Requests extends readonly Partial<ShipmentRequest>[]>(
    shipments: Requests,
  ): Promise<{ -readonly [Index in keyof Requests]: Shipment }>;
  /**
   * Simulates carriers that bring shipments from creation to proof of delivery; some are cancelled. Resolves when all of them
   * have ended, or at `reset` and `stop`.
   * @param speed simulated seconds per second
   * @param shipments how many, at the same time; 10 by default
   */
  simulate(speed: number, shipments?: number): Promise<void>;
  /** Stops everything and removes the data. Further calls do nothing. */
  stop(): Promise<void>;
}

/** What the thread of a sandbox does. */
export interface LocalSandbox extends Pick<Sandbox, 'reset' | 'stop'> {
  connection(): Pick<Sandbox, 'accountId' | 'apiKey' | 'baseUrl' | 'carrierApiKey'>;
  seed(shipments: readonly Partial<ShipmentRequest>[]): Promise<Shipment[]>;
  simulate(speed: number, shipments: number): Promise<void>;
}

/** What is sent to the thread: a call of a method. The port receives the reply. */
export interface Call {
  name: keyof LocalSandbox;
  args: unknown[];
  port: MessagePort;
}

export type Reply = { value: unknown } | { error: string };
