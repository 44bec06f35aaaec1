import type { components } from '@waybill/contract/types';
import data from '../../generated/places.json' with { type: 'json' };
import { distanceOf, type Point } from './sphere.ts';

type Address = components['schemas']['Address'];

/** A city, as precise as about a kilometre. */
export interface Place extends Point {
  name: string;
  /** In the US the code of the state. */
  region: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** IANA time zone. */
  zone: string;
}

/** All cities of the data, those with the most inhabitants first. */
export const places: Place[] = (data.places as [string, string, string, number, number, number][]).map(
  ([name, region, country, lat, lng, zone]) => ({ name, region, country, lat, lng, zone: data.zones[zone] ?? 'UTC' }),
);

const normalized = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\bst\b/g, 'saint')
    .trim();

const byName = Map.groupBy(places, ({ name, country }) => `${country} ${normalized(name)}`);

/**
 * The city of an address. Undefined if the data do not have it, and if several cities of the country have this name and the
 * region does not decide.
 */
export function placeOf({
  city,
  state,
  country = 'US',
}: Pick<Address, 'city' | 'state' | 'country'>): Place | undefined {
  const found = byName.get(`${country} ${normalized(city)}`) ?? [];
  const inRegion = found.filter(({ region }) => normalized(region) === normalized(state));
  if (inRegion.length > 0) return inRegion[0];
  return country !== 'US' && found.length === 1 ? found[0] : undefined;
}

/** States of the US and provinces of Canada that are in one time zone as a whole. */
const regionZones: Record<string, string> = {
  ...zoneOfEach('America/New_York', 'US', 'CT DE DC GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV'),
  ...zoneOfEach('America/Chicago', 'US', 'AL AR IA IL LA MN MO MS OK WI'),
  ...zoneOfEach('America/Denver', 'US', 'CO MT NM UT WY'),
  ...zoneOfEach('America/Los_Angeles', 'US', 'CA WA'),
  ...zoneOfEach('Pacific/Honolulu', 'US', 'HI'),
  ...zoneOfEach('America/Edmonton', 'CA', 'AB'),
  ...zoneOfEach('America/Winnipeg', 'CA', 'MB'),
  ...zoneOfEach('America/Halifax', 'CA', 'NB NS PE'),
  ...zoneOfEach('America/Whitehorse', 'CA', 'YT'),
};

function zoneOfEach(zone: string, country: string, regions: string): Record<string, string> {
  return Object.fromEntries(regions.split(' ').map((region) => [`${country} ${region}`, zone]));
}

/** The time zone of an address. Undefined if its city is unknown and its state or country has several. */
export function zoneOf(address: Pick<Address, 'city' | 'state' | 'country'>): string | undefined {
  const { state, country = 'US' } = address;
  const zone = placeOf(address)?.zone ?? regionZones[`${country} ${state.trim().toUpperCase()}`];
  if (zone) return zone;
  const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & { getTimeZones(): string[] | undefined };
  const zones = locale.getTimeZones() ?? [];
  return zones.length === 1 ? zones[0] : undefined;
}

/** The nearest city, unless it is farther than `maxKilometres`. */
export function nearestPlace(point: Point, maxKilometres: number): Place | undefined {
  let nearest: { place: Place; distance: number } | undefined;
  for (const place of places) {
    if (Math.abs(place.lat - point.lat) > 1) continue; // a degree has 111 km
    const distance = distanceOf(place, point);
    if (distance <= maxKilometres && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY))
      nearest = { place, distance };
  }
  return nearest?.place;
}
