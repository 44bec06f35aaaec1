import { createClient, type TrackingEventRequest, type TrackingNumber } from '@waybill/client';
import type { Parties, Party } from '../chaos/environment.ts';
import { shipmentRequest } from '../shipment-request.ts';
import type { LoadRequest } from './load.ts';

export const dispatched = (): TrackingEventRequest => {
  return { status: 'dispatched', timestamp: new Date().toISOString() };
};

/** Creates a shipment. @returns its tracking number */
export const newShipment = async (shipper: Party): Promise<TrackingNumber> =>
  (await createClient(shipper).createShipment(shipmentRequest)).tracking_number;

/** Creates a shipment that accepts positions and uploads. @returns its tracking number */
export async function newDispatchedShipment({ shipper, carrier }: Parties): Promise<TrackingNumber> {
  const tracking_number = await newShipment(shipper);
  await createClient(carrier).recordTrackingEvent({ tracking_number, ...dispatched() });
  return tracking_number;
}

/** @param path relative to the base URL */
export const get = ({ baseUrl, apiKey }: Party, path: string): LoadRequest => ({
  method: 'GET',
  path: new URL(baseUrl).pathname + path,
  headers: { Authorization: `Bearer ${apiKey}` },
});

export const post = ({ baseUrl, apiKey }: Party, path: string, body: string | object, key?: string): LoadRequest => ({
  method: 'POST',
  path: new URL(baseUrl).pathname + path,
  headers: {
    Authorization: `Bearer ${apiKey}`,
    'Content-Type': 'application/json',
    ...(key !== undefined && { 'Idempotency-Key': key }),
  },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
