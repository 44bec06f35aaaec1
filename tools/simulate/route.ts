import type { Place } from './places.ts';
import type { Random } from './random.ts';

type Point = Pick<Place, 'lat' | 'lng'>;

/** Kilometres. */
const earthRadius = 6371;
/** How far a truck strays from the straight way, in degrees. */
const jitter = 0.01;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;
const rounded = (value: number): number => Math.round(value * 1e5) / 1e5;

/** The angle between two places as seen from the centre of the earth. */
function angle(a: Point, b: Point): number {
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const chord = half(a.lat, b.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * half(a.lng, b.lng);
  return 2 * Math.asin(Math.sqrt(chord));
}

/** Kilometres along the great circle. */
export const distance = (a: Point, b: Point): number => angle(a, b) * earthRadius;

/** Where a truck is when it has done `part` (0 to 1) of the great circle; near it, as roads are. */
export function along(a: Point, b: Point, part: number, random: Random): { lat: number; lng: number } {
  const whole = angle(a, b);
  const fromA = Math.sin((1 - part) * whole) / Math.sin(whole);
  const fromB = Math.sin(part * whole) / Math.sin(whole);
  const flat = (point: Point) => Math.cos(radians(point.lat));
  const x = fromA * flat(a) * Math.cos(radians(a.lng)) + fromB * flat(b) * Math.cos(radians(b.lng));
  const y = fromA * flat(a) * Math.sin(radians(a.lng)) + fromB * flat(b) * Math.sin(radians(b.lng));
  const z = fromA * Math.sin(radians(a.lat)) + fromB * Math.sin(radians(b.lat));
  const stray = (): number => random.between(-jitter, jitter);
  return {
    lat: rounded(degrees(Math.atan2(z, Math.hypot(x, y))) + stray()),
    lng: rounded(degrees(Math.atan2(y, x)) + stray()),
  };
}
