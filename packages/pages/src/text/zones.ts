import type { components } from '@waybill/contract/types';

type PlaceAddress = Pick<components['schemas']['Address'], 'city' | 'state' | 'country'>;

/** What a page asks the service for the time zone of an address: the list of all cities is no part of the page. */
export const zoneQuery = ({ city, state = '', country = 'US' }: PlaceAddress): string =>
  new URLSearchParams({ city, state, country }).toString();

/** The IANA time zone of the browser. */
export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @returns the time zone; null when the service does not know it, undefined when it does not respond */
export async function readZone(query: string): Promise<string | null | undefined> {
  const response = await fetch(`/d/zone?${query}`).catch(() => undefined);
  return response?.ok ? ((await response.json()) as { zone: string | null }).zone : undefined;
}
