import { nearestName, type PlaceAddress, placeOf, zoneOf } from './places.ts';
import type { Point } from './sphere.ts';

type Query = Record<string, unknown>;

/** What the driver page and the board ask of places, because they have no list of cities: path → the response to a query. */
export const placeLookups: Record<string, (query: Query) => object> = {
  '/d/zone': (query) => {
    const address = addressIn(query);
    return { zone: (address && zoneOf(address)) ?? null };
  },
  '/board/city': (query) => {
    const address = addressIn(query);
    const city = address && placeOf(address);
    return { location: city ? { lat: city.lat, lng: city.lng } : null };
  },
  '/board/near': (query) => {
    const point = pointIn(query);
    return { city: (point && nearestName(point)) ?? null };
  },
};

function addressIn({ city, state, zip = '', country }: Query): PlaceAddress | undefined {
  const isShort = (text: unknown): text is string => typeof text === 'string' && text.length <= 100;
  if (!isShort(city) || !isShort(state) || !isShort(zip) || !isShort(country)) return undefined;
  return /^[A-Z]{2}$/.test(country) ? { city, state, zip, country } : undefined;
}

function pointIn({ lat, lng }: Query): Point | undefined {
  const isDegrees = (text: unknown): text is string => typeof text === 'string' && /^-?\d{1,3}(\.\d{1,6})?$/.test(text);
  return isDegrees(lat) && isDegrees(lng) ? { lat: Number(lat), lng: Number(lng) } : undefined;
}
