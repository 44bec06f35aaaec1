export interface Point {
  lat: number;
  lng: number;
}

/** In kilometres. */
export const earthRadius = 6371;

const radians = Math.PI / 180;

/** A direction from the centre of the earth, of length 1. */
export type Direction = [x: number, y: number, z: number];

/** The direction of a point. */
export function directionOf({ lat, lng }: Point): Direction {
  const radius = Math.cos(lat * radians);
  return [radius * Math.cos(lng * radians), radius * Math.sin(lng * radians), Math.sin(lat * radians)];
}

/** The distance of two points in kilometres, on a sphere. */
export function distanceOf(a: Point, b: Point): number {
  const [[x1, y1, z1], [x2, y2, z2]] = [directionOf(a), directionOf(b)];
  return 2 * earthRadius * Math.asin(Math.min(1, Math.hypot(x1 - x2, y1 - y2, z1 - z2) / 2));
}

/** The direction in the middle of others. */
export function middleOf(directions: Direction[]): Direction {
  const [x, y, z] = [0, 1, 2].map((axis) =>
    directions.reduce((sum, direction) => sum + (direction[axis] ?? 0), 0),
  ) as Direction;
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}

/** The angle between two directions in radians. */
export const angleBetween = (a: Direction, b: Direction): number =>
  Math.acos(Math.max(-1, Math.min(1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])));
