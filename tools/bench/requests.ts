import { randomUUID } from 'node:crypto';
import type { ClientOptions, Schemas } from '@waybill/client';
import type { LoadRequest } from './load.ts';

type Party = ClientOptions & { baseUrl: string };

const json = { 'Content-Type': 'application/json' };
const authorized = ({ apiKey }: Party): Record<string, string> => ({ Authorization: `Bearer ${apiKey}` });
const at = ({ baseUrl }: Party, path: string): string => new URL(baseUrl).pathname + path;

const post = (party: Party, path: string, body: object, key: string | undefined): LoadRequest => ({
  method: 'POST',
  path: at(party, path),
  headers: { ...authorized(party), ...json, ...(key !== undefined && { 'Idempotency-Key': key }) },
  body: JSON.stringify(body),
});

export const tracking = (party: Party, number: string): LoadRequest => ({
  method: 'GET',
  path: at(party, `/tracking/${number}`),
  headers: authorized(party),
});

export const createShipment = (party: Party, body: Schemas['ShipmentRequest']): LoadRequest =>
  post(party, '/shipments', body, randomUUID());

export const recordEvent = (
  party: Party,
  number: string,
  body: Schemas['TrackingEventRequest'],
  key: string,
): LoadRequest => post(party, `/tracking/${number}/events`, body, key);

/** Positions one second apart. @param from timestamp of the first, in milliseconds */
export function recordPositions(
  party: Party,
  number: string,
  from: number,
  size: number,
  withKey: boolean,
): LoadRequest {
  const positions = Array.from({ length: size }, (_, index) => ({
    lat: 47 + index / 1000,
    lng: -122 + index / 1000,
    updated_at: new Date(from + index * 1000).toISOString(),
  }));
  return post(party, `/tracking/${number}/positions`, { positions }, withKey ? randomUUID() : undefined);
}
