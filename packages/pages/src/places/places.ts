import type { components } from '@waybill/contract/types';
import data from '../../generated/places.json' with { type: 'json' };
import { cityText } from '../text/addresses.ts';
import { readingsOf } from './city-names.ts';
import {
  largeCity,
  type PackedPlace,
  packedLength,
  pointLength,
  tenTimes,
  unpacked,
  unpackedOffset,
  unpackedPoint,
} from './packed.ts';
import { countryZone, regionCodesOf, regionZone } from './regions.ts';
import { distanceOf, type Point } from './sphere.ts';

type Address = components['schemas']['Address'];

/** A city, as precise as about a kilometre, or the area of a postal code. */
export interface Place extends Point {
  name: string;
  /** The code of its region, without that of the country (ISO 3166-2). Empty if it is not known. */
  regionCode: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** IANA time zone. Empty if it is not known. */
  zone: string;
}

/** The cities of a country, those with the most inhabitants first. */
interface Cities {
  /** The region and the index of the time zone. */
  areas: string[];
  /** See `packed.ts`. */
  rows: string;
  /** The normalized name of each, after a line feed, and one at the end. */
  names: string;
  /** Lines of another name, and in base 36 the indexes of the cities that are also called so. */
  others: string;
  /** The names of the first cities, which maps show. */
  shown: string[];
}

/** A city and its size, as `sizeOf` says. */
export interface City extends Place {
  size: number;
}

const citiesOf = data.cities as Record<string, Cities>;
/** The first three digits of ZIP codes → a packed point, and the other two digits and the packed offset of each. */
const zipAreas = data.zipAreas as Record<string, string>;

function placeFrom(name: string, country: string, { area, size, ...point }: PackedPlace): City {
  const [regionCode = '', zone = ''] = citiesOf[country]?.areas[area]?.split(',') ?? [];
  return { ...{ name, country, size, ...point, regionCode }, zone: data.zones[Number(zone)] ?? '' };
}

/** The cities that maps show, those with the most inhabitants first. */
export const places: City[] = Object.entries(citiesOf)
  .flatMap(([country, { rows, shown }]) => shown.map((name, index) => placeFrom(name, country, unpacked(rows, index))))
  .sort((a, b) => b.size - a.size);

export type PlaceAddress = Pick<Address, 'city' | 'state' | 'zip' | 'country'>;

/**
 * The city of an address. If the data do not have it in this region, or have several, it is the area of the postal code in the
 * US, else undefined. Without a region, or with one that is not known, it is the only city of the name, or the one that is by
 * far the largest.
 */
export function placeOf(address: PlaceAddress): Place | undefined {
  const { city: name, country = 'US' } = address;
  const { city, area } = find(withTerritory(address));
  const found = city ?? (area && { ...area, zone: nearestPlace(area, nearArea)?.zone ?? '', regionCode: '' });
  return found && { ...found, name: name.trim(), country };
}

/** The time zone of an address. Undefined if its city is unknown and its region or country has several. */
export function zoneOf(address: PlaceAddress): string | undefined {
  const { state = '', country = 'US' } = withTerritory(address);
  const { city, area } = find(withTerritory(address));
  const known = city?.zone ?? regionZone(country, regionCodesOf(country, state)) ?? countryZone(country);
  return known ?? (area && nearestPlace(area, nearArea)?.zone);
}

/** What addresses in the US have as a state, and the data as a country. */
const territories = ['AS', 'GU', 'MP', 'PR', 'VI'];

/** An address with its territory as the country. */
function withTerritory(address: PlaceAddress): PlaceAddress {
  const { state = '', country = 'US', ...rest } = address;
  const [code = ''] = country === 'US' ? regionCodesOf(country, state) : [];
  return territories.includes(code) ? { ...rest, country: code } : address;
}

function find({ city, state, zip, country = 'US' }: PlaceAddress): { city: City | undefined; area: Point | undefined } {
  const area = areaOf(country, zip);
  const cities = citiesOf[country];
  if (!cities) return { city: undefined, area };
  const codes = state ? regionCodesOf(country, state) : [];
  for (const { pattern, leastSize, isLoose = false } of readingsOf(city)) {
    if (area && leastSize > 0) continue; // the area is more exact than the city that it is a part of
    const [own = [], all = []] = named(cities, country, pattern).map((found) =>
      inRegion(found, country, state, codes).filter(({ size }) => size >= leastSize),
    );
    const other = leastSize > 0 && airportCode.test(pattern) ? [] : all;
    if (own.length > 0 || other.length > 0) return { city: chosen({ own, other, isLoose }, area), area };
  }
  const isCity = cityRegions.has(`${country} ${codes[0]}`);
  return { city: isCity ? largestIn(cities, country, codes[0] ?? '') : undefined, area };
}

/** San Diego is also called "SAN", but "San Martin" is no part of it. */
const airportCode = /^[a-z]{3}$/;

/** The cities of which all postal codes begin with a letter, and that have parts which the data lack. */
const postalCities: Record<string, string> = { 'CA M': 'Toronto', 'CA H': 'Montréal' };

/** The middle of the area of a postal code. */
function areaOf(country: string, zip = ''): Point | undefined {
  const city = postalCities[`${country} ${zip.trim().charAt(0).toUpperCase()}`];
  if (city) return placeOf({ city, country });
  const [, section = '', rest = ''] =
    (['US', ...territories].includes(country) && /^\s*(\d{3})(\d\d)(?!\d)/.exec(zip)) || [];
  const areas = zipAreas[section] ?? '';
  const middle = unpackedPoint(areas, 0);
  for (let at = pointLength; at < areas.length; at += 4) {
    if (!areas.startsWith(rest, at)) continue;
    const offset = unpackedOffset(areas, at + 2);
    return { lat: middle.lat + offset.lat, lng: middle.lng + offset.lng };
  }
  return undefined;
}

/** The cities with a name, and those that are also called so. @param pattern of the normalized name */
function named({ names, others, rows }: Cities, country: string, pattern: string): [own: City[], other: City[]] {
  const own = indexesOf(names, pattern, '\n').map((from) => lineOf(names, from));
  const other = indexesOf(others, pattern, '=').flatMap((from) => {
    const indexes = others.slice(others.indexOf('=', from) + 1, others.indexOf('\n', from + 1));
    return indexes.split(',').map((index) => Number.parseInt(index, 36));
  });
  const read = (indexes: number[]): City[] =>
    [...new Set(indexes)].map((index) => placeFrom('', country, unpacked(rows, index)));
  return [read(own), read(other)];
}

/** Where the lines begin that have a name before a character. */
function indexesOf(lines: string, pattern: string, end: string): number[] {
  if (!isName(pattern))
    return Array.from(lines.matchAll(new RegExp(`\n${pattern}(?=${end})`, 'gu')), ({ index }) => index);
  const found: number[] = [];
  const line = `\n${pattern}${end}`;
  for (let at = lines.indexOf(line); at >= 0; at = lines.indexOf(line, at + 1)) found.push(at);
  return found;
}

const isName = (pattern: string): boolean => /^[\p{L}\p{N}]+$/u.test(pattern);

/** The number of line feeds before a character. */
function lineOf(lines: string, end: number): number {
  let count = 0;
  for (let at = lines.indexOf('\n'); at < end; at = lines.indexOf('\n', at + 1)) count++;
  return count;
}

/** Those of some cities that may be in the region of an address. @param codes of `regionCodesOf` */
function inRegion(found: City[], country: string, state: string | undefined, codes: string[]): City[] {
  if (!state || codes.length === 0) return found;
  const inside = found.filter(
    ({ regionCode }) =>
      codes.includes(regionCode) || (codes[0] && regionCodesOf(country, regionCode).includes(codes[0])),
  );
  if (inside.length > 0 || !countryZone(country)) return inside;
  return found.filter(({ regionCode }) => regionCode === '');
}

/** Kilometres within which cities with one name are taken as one, such as a city and its centre. */
const sameCity = 40;
/** Kilometres from a postal area within which a city is taken as in it. */
const nearArea = 120;

/** The one of several cities that an address means. */
function chosen(
  { own, other, isLoose }: { own: City[]; other: City[]; isLoose: boolean },
  area: Point | undefined,
): City | undefined {
  const all = [...own, ...other].sort((a, b) => b.size - a.size);
  const [largest] = all;
  if (!largest) return undefined;
  const isOwn = own.includes(largest);
  // One that is smaller and only also called so, such as Mechelen-aan-de-Maas, is not meant.
  const far = (isOwn ? own : all).filter((city) => distanceOf(city, largest) > sameCity);
  if (far.length === 0) return largest;
  if (area) {
    const near = all.filter((city) => distanceOf(city, area) < nearArea);
    return near.sort((a, b) => distanceOf(a, area) - distanceOf(b, area))[0];
  }
  // What only people of elsewhere call so does not stand for what is called so itself.
  const isCertain =
    !isLoose && (own.length === 0 || isOwn || (largest.size >= largeCity && own.every(({ size }) => size === 0)));
  return isCertain && far.every(({ size }) => largest.size - size >= tenTimes) ? largest : undefined;
}

/** Regions that are a city: an address there may name only a part of it. */
const cityRegions = new Set(
  'AE DU,AR C,AT 9,BE BRU,BG 22,CN BJ,CN SH,CN TJ,CO DC,CZ 10,DE BE,DE HB,DE HH,HU BU,ID JK,IN DL,JP 13,JP 27,KR 11,KR 26,KR 27,KR 28,KR 29,KR 30,MX CMX,RO B,RU MOW,RU SPE,TH 10,TR 34,UA 30,US DC,VN HN,VN SG'.split(
    ',',
  ),
);

/** The largest city of a region. */
function largestIn({ areas, rows }: Cities, country: string, regionCode: string): City | undefined {
  const inside = new Set(areas.flatMap((area, index) => (area.startsWith(`${regionCode},`) ? index : [])));
  for (let index = 0; index * packedLength < rows.length; index++) {
    const place = unpacked(rows, index);
    if (inside.has(place.area)) return placeFrom('', country, place);
  }
  return undefined;
}

/** Kilometres from a city within which a position is called near it. */
export const nearCity = 40;

/** Kilometres within which the largest city is named instead of the nearest one. */
const inLargeCity = 15;

/** The name of the city that a point is near, such as "Portland, OR"; undefined if it is near none. */
export function nearestName(point: Point): string | undefined {
  const largest = places.find((city) => isCloser(city, point, inLargeCity));
  const place = largest ?? nearestPlace(point, nearCity);
  return place && cityText({ ...spokenRegion(place), city: place.name, country: place.country });
}

/** The code of a region where people name cities with it. */
const spokenRegion = ({ country, regionCode }: Place): { state?: string } =>
  ['AU', 'CA', 'US'].includes(country) ? { state: regionCode } : {};

/** The nearest city, unless it is farther than `maxKilometres`. */
const nearestPlace = (point: Point, maxKilometres: number): Place | undefined =>
  places
    .filter((city) => isCloser(city, point, maxKilometres))
    .reduce<Place | undefined>(
      (best, next) => (best && distanceOf(best, point) <= distanceOf(next, point) ? best : next),
      undefined,
    );

const isCloser = (place: Point, point: Point, kilometres: number): boolean =>
  Math.abs(place.lat - point.lat) * 111 <= kilometres && distanceOf(place, point) <= kilometres; // a degree has 111 km
