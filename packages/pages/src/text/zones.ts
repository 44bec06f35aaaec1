import type { components } from '@waybill/contract/types';
import type { Point } from '../places/sphere.ts';

type PlaceAddress = Pick<components['schemas']['Address'], 'city' | 'state' | 'zip' | 'country'>;

/** What a page asks the service for the time zone of an address: the list of all cities is no part of the page. */
export const zoneQuery = ({ city, state = '', zip = '', country = 'US' }: PlaceAddress): string =>
  new URLSearchParams({ city, state, zip, country }).toString();

/** The IANA time zone of the browser. */
export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @returns the time zone; null when the service does not know it, undefined when it does not respond */
export const readZone = async (query: string): Promise<string | null | undefined> =>
  (await lookUp<{ zone: string | null }>(`/d/zone?${query}`))?.zone;

/** Where the city of an address is; undefined if it is not known. */
export const readCity = async (address: PlaceAddress): Promise<Point | undefined> =>
  (await lookUp<{ location: Point | null }>(`/board/city?${zoneQuery(address)}`))?.location ?? undefined;

/** The name of the city that a point is near; null if there is none. Asked for by the kilometre, which caches can store. */
export const readNearName = async ({ lat, lng }: Point): Promise<string | null> =>
  (await lookUp<{ city: string | null }>(`/board/near?lat=${lat.toFixed(2)}&lng=${lng.toFixed(2)}`))?.city ?? null;

/** Asks what `places/lookups.ts` responds. @returns undefined when the service does not respond */
async function lookUp<Found>(url: string): Promise<Found | undefined> {
  const response = await fetch(url).catch(() => undefined);
  return response?.ok ? ((await response.json()) as Found) : undefined;
}
