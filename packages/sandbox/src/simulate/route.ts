import type { Place } from './places.ts';
import type { Random } from './random.ts';

type Point = Pick<Place, 'lat' | 'lng'>;

const kilometresPerDegree = 111.2;
/** The largest deviation from the straight line, in degrees. */
const jitter = 0.01;

/** Kilometres between two points, by an approximation for short distances. */
function distance(a: Point, b: Point): number {
  const middle = (((a.lat + b.lat) / 2) * Math.PI) / 180;
  return Math.hypot(b.lat - a.lat, (b.lng - a.lng) * Math.cos(middle)) * kilometresPerDegree;
}

/** The length of a route in kilometres. */
export const lengthOf = (route: Point[]): number =>
  route.slice(1).reduce((sum, point, index) => sum + distance(route[index] ?? point, point), 0);

/** A point near the line of a route. @param part from 0, at its first point, to 1, at its last one */
export function along([a, b, ...rest]: [Point, ...Point[]], part: number, random: Random): Point {
  if (!b) return a;
  const [first, after] = [distance(a, b), lengthOf([b, ...rest])];
  const driven = part * (first + after);
  if (rest.length > 0 && driven > first) return along([b, ...rest], (driven - first) / after, random);
  return between(a, b, driven / first, random);
}

/** A point near the straight line from a to b. */
function between(a: Point, b: Point, part: number, random: Random): Point {
  const coordinate = (from: number, to: number): number =>
    Math.round((from + (to - from) * part + random.between(-jitter, jitter)) * 1e5) / 1e5;
  return { lat: coordinate(a.lat, b.lat), lng: coordinate(a.lng, b.lng) };
}
