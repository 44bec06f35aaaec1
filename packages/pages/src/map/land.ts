import { geoPath } from 'd3-geo';
import type { Position } from 'geojson';
import { angleBetween, directionOf, middleOf } from '../places/sphere.ts';
import { type Frame, isNear, projectionOf, type View } from './view.ts';

/** A part of a country or of a state of the US, and a circle around it. */
export interface Land {
  coordinates: Position[][];
  /** The middle of the circle as a direction, and its radius as an angle in radians. */
  centre: [number, number, number];
  radius: number;
}

/** Land as `generate` stores it: for each polygon its rings, as the steps between their points. */
export interface LandData {
  /** Parts of a degree. */
  precision: number;
  land: number[][][];
}

/** Reads stored land. */
export const landsOf = ({ land, precision }: LandData): Land[] =>
  land.map((rings) => landOf(rings.map((steps) => ringOf(steps, precision))));

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

/** At a smaller scale, which is that of a map 1,500 km wide, the land is drawn with half the precision. */
const leastDetailed = 3000;

/** The commands of an SVG path that draws the land of a view. */
export function landPath(view: View, frame: Frame, lands: Land[]): string {
  const { width, height } = frame;
  const edge = 8; // outside of the map, so that the line along the edge is not seen
  const clipped = [
    [-edge, -edge],
    [width + edge, height + edge],
  ] as [[number, number], [number, number]];
  const projection = projectionOf(view, frame).clipExtent(clipped).precision(1);
  const grid = view.scale < leastDetailed ? 2 : 1;
  const rings: [number, number][][] = [];
  const add = (x: number, y: number): void => {
    const point: [number, number] = [Math.round(x / grid) * grid, Math.round(y / grid) * grid];
    const [lastX, lastY] = rings.at(-1)?.at(-1) ?? [];
    if (point[0] !== lastX || point[1] !== lastY) rings.at(-1)?.push(point);
  };
  const path = geoPath(projection, {
    beginPath() {},
    moveTo(x, y) {
      rings.push([]);
      add(x, y);
    },
    lineTo: add,
    arc() {},
    closePath() {},
  });
  for (const { coordinates, centre, radius } of lands) {
    if (isNear(view, frame, centre, radius)) path({ type: 'Polygon', coordinates });
  }
  return rings.map(pathOf).join('');
}

/** A ring with whole numbers, relative to its first point; without points on a straight line. Empty for one that is not seen. */
function pathOf(ring: [number, number][]): string {
  const [first, ...rest] = ring;
  if (!first || rest.length < 3 || boundsOf(ring) < 6) return '';
  let last = first;
  const steps: string[] = [];
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    const [dx, dy] = [point[0] - last[0], point[1] - last[1]];
    if (next) {
      const [nextX, nextY] = [next[0] - point[0], next[1] - point[1]];
      if (dx * nextY === dy * nextX && dx * nextX >= 0 && dy * nextY >= 0) return;
    }
    steps.push(`${dx} ${dy}`);
    last = point;
  });
  return `M${first.join(' ')}l${steps.join(' ').replaceAll(' -', '-')}z`;
}

/** The area of the rectangle around a ring. */
function boundsOf(ring: [number, number][]): number {
  const extent = (axis: 0 | 1): number => {
    const values = ring.map((point) => point[axis]);
    return Math.max(...values) - Math.min(...values);
  };
  return extent(0) * extent(1);
}
