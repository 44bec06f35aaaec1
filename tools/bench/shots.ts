import { randomUUID } from 'node:crypto';
import type { ClientOptions, Schemas } from '@waybill/client';
import type { Shot } from './load.ts';

type Party = ClientOptions & { baseUrl: string };

const json = { 'Content-Type': 'application/json' };
const authorized = ({ apiKey }: Party): Record<string, string> => ({ Authorization: `Bearer ${apiKey}` });
const at = ({ baseUrl }: Party, path: string): string => new URL(baseUrl).pathname + path;

const post = (party: Party, path: string, body: object, key: string | undefined): Shot => ({
  method: 'POST',
  path: at(party, path),
  headers: { ...authorized(party), ...json, ...(key !== undefined && { 'Idempotency-Key': key }) },
  body: JSON.stringify(body),
});

export const tracking = (party: Party, number: string): Shot => ({
  method: 'GET',
  path: at(party, `/tracking/${number}`),
  headers: authorized(party),
});

export const booking = (party: Party, body: Schemas['ShipmentRequest']): Shot =>
  post(party, '/shipments', body, randomUUID());

export const event = (party: Party, number: string, body: Schemas['TrackingEventRequest'], key: string): Shot =>
  post(party, `/tracking/${number}/events`, body, key);

/** A batch of positions a second apart. @param from milliseconds of the first */
export function batch(party: Party, number: string, from: number, size: number, keyed: boolean): Shot {
  const positions = Array.from({ length: size }, (_, place) => ({
    lat: 47 + place / 1000,
    lng: -122 + place / 1000,
    updated_at: new Date(from + place * 1000).toISOString(),
  }));
  return post(party, `/tracking/${number}/positions`, { positions }, keyed ? randomUUID() : undefined);
}
