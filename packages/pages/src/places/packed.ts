import type { Point } from './sphere.ts';

/** What the generated data have of a city, besides its names. */
export interface PackedPlace extends Point {
  /** Index in the list of areas of the country, each of which is in one region and one time zone. */
  area: number;
  /** See `sizeOf`. */
  size: number;
}

/** Digits of base 36: the latitude and the longitude, with two decimals of a degree, which are about a kilometre. */
const pointWidths = [3, 3];
export const pointLength = 6;
/** Those, the area and the size. */
const placeWidths = [...pointWidths, 2, 1];
/** The characters of a packed place. */
export const packedLength = 9;

const digitsOf = (values: number[], widths: number[]): string =>
  values
    .map((value, index) =>
      Math.round(value)
        .toString(36)
        .padStart(widths[index] ?? 0, '0'),
    )
    .join('');

function valuesAt(text: string, from: number, widths: number[]): number[] {
  let at = from;
  return widths.map((width) => {
    at += width;
    return Number.parseInt(text.slice(at - width, at), 36);
  });
}

const hundredths = ({ lat, lng }: Point): number[] => [(lat + 90) * 100, (lng + 180) * 100];
const pointOf = ([lat = 0, lng = 0]: number[]): Point => ({ lat: (lat - 9_000) / 100, lng: (lng - 18_000) / 100 });

export const packedPoint = (point: Point): string => digitsOf(hundredths(point), pointWidths);

/** Reads the packed point that begins at a character. */
export const unpackedPoint = (text: string, from: number): Point => pointOf(valuesAt(text, from, pointWidths));

/** Tenths of a degree from another point, as a digit each; undefined if they are too many. */
export function packedOffset({ lat, lng }: Point): string | undefined {
  const tenths = [lat, lng].map((degrees) => Math.round(degrees * 10) + 18);
  return tenths.every((value) => value >= 0 && value < 36) ? digitsOf(tenths, [1, 1]) : undefined;
}

/** Reads the packed offset that begins at a character. */
export function unpackedOffset(text: string, from: number): Point {
  const [lat = 0, lng = 0] = valuesAt(text, from, [1, 1]);
  return { lat: (lat - 18) / 10, lng: (lng - 18) / 10 };
}

export const packed = (place: PackedPlace): string =>
  digitsOf([...hundredths(place), place.area, place.size], placeWidths);

/** Reads the packed place at an index of a text of them. */
export function unpacked(text: string, index: number): PackedPlace {
  const [lat = 0, lng = 0, area = 0, size = 0] = valuesAt(text, index * packedLength, placeWidths);
  return { ...pointOf([lat, lng]), area, size };
}

const [smallest, base] = [5_000, 1.28];

/** How many times a city is larger than a small one, as an exponent, which is a digit of base 36 for the largest. */
export const sizeOf = (population: number): number =>
  Math.max(0, Math.floor(Math.log(population / smallest) / Math.log(base)));

/** The difference of the sizes of a city and one that has about ten times as many inhabitants. */
export const tenTimes: number = Math.ceil(Math.log(10) / Math.log(base));

/** The least size of a city that is known by the first words of a name, as in "Hamburg-Wilhelmsburg". */
export const largeCity: number = sizeOf(100_000);
