import type { Position } from 'geojson';
import { directionOf } from '../places/places.ts';

/** A part of a country or of a state of the US, and a circle around it. */
export interface Land {
  coordinates: Position[][];
  /** The middle of the circle as a direction, and its radius as an angle in radians. */
  centre: [number, number, number];
  radius: number;
}

let loading: Promise<Land[]> | undefined;

/** All land: the states of the US and all other countries. It is read once, when the first map is drawn. */
export const atlas = (): Promise<Land[]> => {
  loading ??= load();
  return loading;
};

async function load(): Promise<Land[]> {
  const { default: data } = await import('../../generated/atlas.json', { with: { type: 'json' } });
  return (data.land as number[][][]).map((rings) => landOf(rings.map((steps) => ringOf(steps, data.precision))));
}

/** The points of a ring, from the differences between them. */
function ringOf(steps: number[], precision: number): Position[] {
  const ring: Position[] = [];
  let [x, y] = [0, 0];
  for (let index = 0; index < steps.length; index += 2) {
    x += steps[index] ?? 0;
    y += steps[index + 1] ?? 0;
    ring.push([x / precision, y / precision]);
  }
  return ring;
}

function landOf(coordinates: Position[][]): Land {
  const directions = (coordinates[0] ?? []).map(([lng = 0, lat = 0]) => directionOf({ lat, lng }));
  const centre = middleOf(directions);
  return { coordinates, centre, radius: Math.max(...directions.map((direction) => angleBetween(direction, centre))) };
}

/** The direction in the middle of others. */
export function middleOf(directions: [number, number, number][]): [number, number, number] {
  const [x, y, z] = [0, 1, 2].map((axis) => directions.reduce((sum, direction) => sum + (direction[axis] ?? 0), 0)) as [
    number,
    number,
    number,
  ];
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}

/** The angle between two directions in radians. */
export const angleBetween = (a: [number, number, number], b: [number, number, number]): number =>
  Math.acos(Math.max(-1, Math.min(1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])));
