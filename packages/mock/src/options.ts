import type { components } from '@waybill/contract/types';

type Schemas = components['schemas'];
type Shipment = Schemas['ShipmentWithHandoverCode'];

/** The options of the mock. */
export interface MockOptions {
  /** Default: 0, a free port. */
  port?: number | undefined;
  /** Default: 127.0.0.1. */
  host?: string | undefined;
  /** Stores what requests change, until the mock is closed. Default: false. */
  stateful?: boolean | undefined;
  /** What a stateful mock stores at its start. Default: the examples of the contract. */
  seed?: Seed | undefined;
  /** How many shipments are stored; for another one the oldest is removed. Default: 1000. */
  maxShipments?: number | undefined;
  /** The least and the most milliseconds before a response. Default: none. */
  delay?: [number, number] | undefined;
  /** The share of requests that return 429, 500 or 503, from 0 to 1. Default: 0. */
  errors?: number | undefined;
  /** Seconds after which a stream of events ends. Default: 300. */
  streamSeconds?: number | undefined;
  /** Receives a line for each request. Default: none. */
  log?: ((line: string) => void) | undefined;
}

/** A running mock. */
export interface Mock {
  /** The base URL with the major version, for the `baseUrl` of a client. */
  url: string;
  /** Closes all connections and frees the port. */
  close(): Promise<void>;
}

/** What a mock stores at its start. All parts have the form of the API's responses. */
export interface Seed {
  /** A shipment gets what it lacks: an id, a tracking number, the status `scheduled` and the current time. */
  shipments: (Pick<Shipment, 'type' | 'origin' | 'destination' | 'pickup_window'> & Partial<Shipment>)[];
  /** The other shipments have no location, and a timeline with the transitions to their status. */
  tracking?: Schemas['TrackingStatus'][];
  /** Tracking number → positions, oldest first. The other shipments have their current location. */
  positions?: Record<string, Schemas['CurrentLocation'][]>;
  /** The feed of events, oldest first. */
  events?: Schemas['Event'][];
}
