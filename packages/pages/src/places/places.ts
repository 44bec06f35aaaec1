import type { components } from '@waybill/contract/types';
import data from '../../generated/places.json' with { type: 'json' };
import { normalized } from './normalized.ts';
import { countryZone, regionCodesOf, regionZone } from './regions.ts';
import { distanceOf, type Point } from './sphere.ts';

type Address = components['schemas']['Address'];

/** A city, as precise as about a kilometre. */
export interface Place extends Point {
  name: string;
  /** In the US the code of the state. */
  region: string;
  /** The code of its region, without that of the country (ISO 3166-2). Empty if it is not known. */
  regionCode: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** IANA time zone. */
  zone: string;
}

type Row = [name: string, region: string, country: string, lat: number, lng: number, zone: number, regionCode: string];

/** All cities of the data, those with the most inhabitants first. */
export const places: Place[] = (data.places as Row[]).map(([name, region, country, lat, lng, zone, regionCode]) => ({
  ...{ name, region, regionCode, country, lat, lng },
  zone: data.zones[zone] ?? 'UTC',
}));

const byName = Map.groupBy(places, ({ name, country }) => `${country} ${normalized(name)}`);

export type PlaceAddress = Pick<Address, 'city' | 'state' | 'country'>;

/**
 * The city of an address. Undefined if the data do not have it in this region. Without a region, and in a country with one time
 * zone also with one that is not known, it is the only city of the name.
 */
export function placeOf({ city, state, country = 'US' }: PlaceAddress): Place | undefined {
  const found = byName.get(`${country} ${normalized(city)}`) ?? [];
  if (!state) return found.length === 1 ? found[0] : undefined;
  const codes = regionCodesOf(country, state);
  const inRegion = found.find((place) => isIn(place, state, codes));
  if (inRegion || !countryZone(country)) return inRegion;
  const possible = codes.length > 0 ? found.filter(({ regionCode }) => regionCode === '') : found;
  return possible.length === 1 ? possible[0] : undefined;
}

/** Whether a city is in a region, which may also be a part of the one that the data have. @param codes of `regionCodesOf` */
const isIn = ({ region, regionCode, country }: Place, text: string, codes: string[]): boolean =>
  normalized(region) === normalized(text) ||
  codes.includes(regionCode) ||
  (codes[0] !== undefined && regionCodesOf(country, regionCode).includes(codes[0]));

/** The time zone of an address. Undefined if its city is unknown and its region or country has several. */
export function zoneOf(address: PlaceAddress): string | undefined {
  const { state = '', country = 'US' } = address;
  return placeOf(address)?.zone ?? regionZone(country, regionCodesOf(country, state)) ?? countryZone(country);
}

/** Kilometres from a city within which a position is called near it. */
export const nearCity = 40;

/** The name of the city that a point is near, such as "Portland, OR"; undefined if it is near none. */
export function nearestName(point: Point): string | undefined {
  const place = nearestPlace(point, nearCity);
  return place && (place.region ? `${place.name}, ${place.region}` : place.name);
}

/** The nearest city, unless it is farther than `maxKilometres`. */
function nearestPlace(point: Point, maxKilometres: number): Place | undefined {
  let nearest: { place: Place; distance: number } | undefined;
  for (const place of places) {
    if (Math.abs(place.lat - point.lat) > 1) continue; // a degree has 111 km
    const distance = distanceOf(place, point);
    if (distance <= maxKilometres && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY))
      nearest = { place, distance };
  }
  return nearest?.place;
}
