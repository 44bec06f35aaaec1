import type { Place } from './places.ts';
import type { Random } from './random.ts';

type Point = Pick<Place, 'lat' | 'lng'>;

const kilometresPerDegree = 111.2;
/** The largest deviation from the straight line, in degrees. */
const jitter = 0.01;

/** Kilometres between two points, by an approximation for short distances. */
export function distance(a: Point, b: Point): number {
  const middle = (((a.lat + b.lat) / 2) * Math.PI) / 180;
  return Math.hypot(b.lat - a.lat, (b.lng - a.lng) * Math.cos(middle)) * kilometresPerDegree;
}

/** A point near the straight line from a to b. @param part from 0, at a, to 1, at b */
export function along(a: Point, b: Point, part: number, random: Random): Point {
  const between = (from: number, to: number): number =>
    Math.round((from + (to - from) * part + random.between(-jitter, jitter)) * 1e5) / 1e5;
  return { lat: between(a.lat, b.lat), lng: between(a.lng, b.lng) };
}
