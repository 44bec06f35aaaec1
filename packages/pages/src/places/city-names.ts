import { headsOf, normalized } from './normalized.ts';
import { largeCity } from './packed.ts';

/** A way to read what an address has as its city. */
export interface Reading {
  /** A regular expression of the normalized name; letters and digits if it is the name itself. */
  pattern: string;
  /** The least size of a city that is meant. */
  leastSize: number;
  /** Whether it must be the only city that fits, because the name is abbreviated. */
  isLoose?: boolean;
}

/** Abbreviations in a name, each of which any letters may follow: "a. M." of "am Main". */
const maxAbbreviations = 4;
/** Parts of a text that are read as names, and first words of each: a long text costs no more than a short one. */
const [maxParts, maxHeads] = [3, 4];

/** What follows the name of a city in an address: the number of a district or of a post office. */
const district = /[\s,]+(?:cedex\b.*|arrondissement\b.*|\d+\s?(?:e|er|ème|th|\.)?(?:\s+arrondissement)?|[ivx]+\.?)$/iu;
/** What follows a name in Chinese, Japanese and Korean: city, district, prefecture. */
const kind = /(?:特别市|直辖市|市|區|区|縣|县|都|府|특별시|광역시|시|군|구)$/u;
/** What precedes a name: a postal code, or what kind of city it is. */
const prefix =
  /^(?:[a-z]{1,2}-)?\d{4,6}\s+|^(?:г|гор|м|tp)\.\s*|^(?:г|город|м|місто|tp|thành phố|hansestadt|lutherstadt)\s+/iu;
/** A city in Chinese, Japanese or Korean, before its district and after its province. */
const beforeDistrict = /^(?:.+?(?:[省県]|도\s))?(.+?[市시])/u;

/**
 * What may be meant by the text of a city, the likeliest first: itself, one of two names ("Biel/Bienne"), the name without a
 * district ("Wien 10", "上海市"), or the large city that a name begins with ("Hamburg-Wilhelmsburg", "Paris La Défense").
 */
export function readingsOf(text: string): Reading[] {
  const parts = text.split(/[/,;()|]|\s[\p{Pd}]\s/u).map((part) => part.trim());
  const names = [text, ...(parts.length > 1 ? parts.slice(0, maxParts) : [])];
  const shortened = names.flatMap((name) => [district, kind, prefix].map((addition) => name.replace(addition, '')));
  const heads = names.flatMap((name) => [
    ...headsOf(name).slice(-maxHeads),
    ...(beforeDistrict
      .exec(name)
      ?.slice(1)
      .map((city) => city.replace(kind, '')) ?? []),
  ]);
  const readings: Reading[] = [
    ...[...names, ...shortened].map((name) => ({ pattern: normalized(name), leastSize: 0 })),
    ...abbreviated(text).map((pattern) => ({ pattern, leastSize: 0, isLoose: true })),
    ...heads.map((name) => ({ pattern: normalized(name), leastSize: largeCity })),
  ];
  return readings.filter(
    ({ pattern }, index) => pattern !== '' && readings.findIndex((other) => other.pattern === pattern) === index,
  );
}

/** The pattern of a name with abbreviations: "Frankfurt a.M.", "N. Charleston". */
function abbreviated(name: string): string[] {
  const pieces = name.replace(/^([nsew])\s/i, '$1. ').split('.');
  if (pieces.length < 2 || pieces.length > maxAbbreviations + 1) return [];
  const pattern = pieces
    .map(normalized)
    .join('[^=\n]*')
    .replace(/(?:\[\^=\n\]\*)+$/, '[^=\n]*');
  return /^[\p{L}\p{N}]/u.test(pattern) ? [pattern] : [];
}
