import data from '../../generated/places.json' with { type: 'json' };
import { codesWithin, type Regions } from './containment.ts';
import { normalized } from './normalized.ts';

/** Country → the codes of its regions by their names and codes. */
const codesByName = new Map<string, Map<string, string>>();

const regionsOf = (country: string): Regions => (data.regions as unknown as Record<string, Regions>)[country] ?? {};

/** The code of the region that a text names in whatever form, and those of the regions that contain it. */
export function regionCodesOf(country: string, text: string): string[] {
  const regions = regionsOf(country);
  const known = codesByName.get(country) ?? namesOf(regions);
  codesByName.set(country, known);
  const name = normalized(text.trim().replace(new RegExp(`^${country}-`, 'i'), '')); // "CA-ON" has the country, too
  return codesWithin(regions, known.get(name) ?? shortened(name, known));
}

function namesOf(regions: Regions): Map<string, string> {
  const all = Object.entries(regions);
  return new Map([
    ...all.flatMap(([code, [, ...names]]) => names.map((name) => [normalized(name), code] as const)),
    ...all.map(([code]) => [normalized(code), code] as const),
  ]);
}

/**
 * The code of the only region whose name begins with these letters, at least three, or two of Chinese: "Ont.", "广东". Names in
 * other scripts may also have more letters than the known ones: "서울특별시".
 */
function shortened(name: string, known: Map<string, string>): string | undefined {
  const isLatin = /^\p{sc=Latin}/u.test(name);
  if (name.length < (isLatin ? 3 : 2)) return undefined;
  const matches = (full: string): boolean =>
    full.startsWith(name) || (!isLatin && full.length > 1 && name.startsWith(full));
  const codes = new Set([...known].filter(([full]) => matches(full)).map(([, code]) => code));
  return codes.size === 1 ? [...codes][0] : undefined;
}

/** Zones of regions that are in one time zone as a whole, and with `*` of all others of the country. */
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
  ...zoneOfEach('Australia/Adelaide', 'AU', 'SA'),
  ...zoneOfEach('Australia/Brisbane', 'AU', 'QLD'),
  ...zoneOfEach('Australia/Darwin', 'AU', 'NT'),
  ...zoneOfEach('Australia/Hobart', 'AU', 'TAS'),
  ...zoneOfEach('Australia/Melbourne', 'AU', 'VIC'),
  ...zoneOfEach('Australia/Perth', 'AU', 'WA'),
  ...zoneOfEach('Australia/Sydney', 'AU', 'ACT'),
  ...zoneOfEach('America/Rio_Branco', 'BR', 'AC'),
  ...zoneOfEach('America/Cuiaba', 'BR', 'MS MT'),
  ...zoneOfEach('America/Porto_Velho', 'BR', 'RO RR'),
  ...zoneOfEach('', 'BR', 'AM PE'),
  ...zoneOfEach('America/Sao_Paulo', 'BR', '*'),
  ...zoneOfEach('Africa/Kinshasa', 'CD', 'BC EQ KG KL KN MN MO NU SU TU'),
  ...zoneOfEach('Africa/Lubumbashi', 'CD', '*'),
  ...zoneOfEach('America/Punta_Arenas', 'CL', 'AI MA'),
  ...zoneOfEach('', 'CL', 'VS'),
  ...zoneOfEach('America/Santiago', 'CL', '*'),
  ...zoneOfEach('Asia/Urumqi', 'CN', 'XJ'),
  ...zoneOfEach('Asia/Shanghai', 'CN', '*'),
  ...zoneOfEach('Pacific/Galapagos', 'EC', 'W'),
  ...zoneOfEach('America/Guayaquil', 'EC', '*'),
  ...zoneOfEach('Atlantic/Canary', 'ES', 'CN'),
  ...zoneOfEach('Europe/Madrid', 'ES', '*'),
  ...zoneOfEach('Asia/Jakarta', 'ID', 'AC BB BE BT JA JB JI JK JT KB KR KT LA RI SB SS SU YO'),
  ...zoneOfEach('Asia/Makassar', 'ID', 'BA GO KI KS KU NB NT SA SG SN SR ST'),
  ...zoneOfEach('Asia/Jayapura', 'ID', 'MA MU PA PB PD PE PS PT'),
  ...zoneOfEach('Asia/Hovd', 'MN', '043 046 071'),
  ...zoneOfEach('Asia/Ulaanbaatar', 'MN', '*'),
  ...zoneOfEach('America/Cancun', 'MX', 'ROO'),
  ...zoneOfEach('America/Hermosillo', 'MX', 'SON'),
  ...zoneOfEach('America/Mazatlan', 'MX', 'BCS SIN'),
  ...zoneOfEach('America/Tijuana', 'MX', 'BCN'),
  ...zoneOfEach('', 'MX', 'CHH COA NAY NLE TAM'),
  ...zoneOfEach('America/Mexico_City', 'MX', '*'),
  ...zoneOfEach('Pacific/Chatham', 'NZ', 'CIT'),
  ...zoneOfEach('Pacific/Auckland', 'NZ', '*'),
  ...zoneOfEach('Pacific/Bougainville', 'PG', 'NSB'),
  ...zoneOfEach('Pacific/Port_Moresby', 'PG', '*'),
  ...zoneOfEach('Atlantic/Azores', 'PT', '20'),
  ...zoneOfEach('Europe/Lisbon', 'PT', '*'),
  ...zoneOfEach('Europe/Kaliningrad', 'RU', 'KGD'),
  ...zoneOfEach('Europe/Samara', 'RU', 'AST SAM SAR UD ULY'),
  ...zoneOfEach('Asia/Yekaterinburg', 'RU', 'BA CHE KGN KHM ORE PER SVE TYU YAN'),
  ...zoneOfEach('Asia/Omsk', 'RU', 'OMS'),
  ...zoneOfEach('Asia/Krasnoyarsk', 'RU', 'AL ALT KEM KK KYA NVS TOM TY'),
  ...zoneOfEach('Asia/Irkutsk', 'RU', 'BU IRK'),
  ...zoneOfEach('Asia/Chita', 'RU', 'AMU ZAB'),
  ...zoneOfEach('Asia/Vladivostok', 'RU', 'KHA PRI YEV'),
  ...zoneOfEach('Asia/Magadan', 'RU', 'MAG SAK'),
  ...zoneOfEach('Asia/Kamchatka', 'RU', 'CHU KAM'),
  ...zoneOfEach('', 'RU', 'SA'),
  ...zoneOfEach('Europe/Moscow', 'RU', '*'),
  ...zoneOfEach('', 'UA', '40 43'),
  ...zoneOfEach('Europe/Kyiv', 'UA', '*'),
};

function zoneOfEach(zone: string, country: string, regions: string): Record<string, string> {
  return Object.fromEntries(regions.split(' ').map((region) => [`${country} ${region}`, zone]));
}

/** The zone of a region. @param codes of the region and those that contain it */
export function regionZone(country: string, codes: string[]): string | undefined {
  if (codes.length === 0) return undefined;
  const zone = [...codes, '*'].map((code) => regionZones[`${country} ${code}`]).find((found) => found !== undefined);
  return zone || undefined;
}

const countryZones = new Map<string, string | undefined>();

/** The zone of a country whose clocks all show the same time: Germany has two zones of one time. */
export function countryZone(country: string): string | undefined {
  if (!countryZones.has(country)) {
    const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & {
      getTimeZones(): string[] | undefined;
    };
    const zones = locale.getTimeZones() ?? [];
    const clocks = new Set(zones.map(clockOf));
    countryZones.set(country, clocks.size === 1 ? zones[0] : undefined);
  }
  return countryZones.get(country);
}

/** What a clock of a zone shows at some times of this year. */
function clockOf(timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const year = new Date().getUTCFullYear();
  return Array.from({ length: 24 }, (_, half) =>
    format.format(Date.UTC(year, Math.floor(half / 2), half % 2 ? 15 : 1)),
  ).join();
}
