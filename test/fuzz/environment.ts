import type { components } from '@waybill/contract/types';
import type { Service } from '../fixtures/service.ts';
import type { Status } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount } from '../fixtures/test.ts';
import { type Draw, drawing } from './given.ts';

type Schemas = components['schemas'];

/** What the responses so far say about a shipment. */
export interface Shipment {
  id: string;
  tracking_number: string;
  reference: string | undefined;
  status: Status;
  /** The timestamp of its last event, in milliseconds since 1970. */
  previous: number;
  /** How many files were declared. */
  declared: number;
  /** The shipment and its tracking status after the last change. */
  seen: { shipment: Schemas['ShipmentWithHandoverCode']; tracking: Schemas['TrackingStatus'] };
}

/** An account and what the fuzzer knows about it. */
export interface Environment {
  service: Pick<Service, 'baseUrl'>;
  account: Pick<TestAccount, 'client' | 'key'>;
  shipments: Shipment[];
  /** The idempotency keys that were used. */
  keys: Set<string>;
  /** The requests so far, for the report of a failure. */
  trace: string[];
  /** The responses so far, such as `getTracking 200`. */
  reached: Set<string>;
  /** Draws values from the stream of the current step. */
  draw: Draw;
  /** Takes values at the limits: see `Given`. */
  nth: number | undefined;
}

/** A new account of a service. */
export const newEnvironment = async (service: Service): Promise<Environment> =>
  environmentOf(service, await newAccount(service));

/** @param service what requests are sent to */
export const environmentOf = (service: Environment['service'], account: Environment['account']): Environment => ({
  ...{
    service,
    account,
    shipments: [],
    keys: new Set(),
    trace: [],
    reached: new Set(),
    draw: drawing(0),
    nth: undefined,
  },
});
