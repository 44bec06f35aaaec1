import { angleBetween, type Direction, directionOf, middleOf } from '../places/sphere.ts';
import { areaOf, pathOf, type Ring } from './ring.ts';
import { type Frame, nearnessOf, type View } from './view.ts';

/** A part of a country or of a state of the US, and a circle around it. */
export interface Land {
  rings: StoredRing[];
  /** The middle of the circle as a direction, and its radius as an angle in radians. */
  centre: Direction;
  radius: number;
}

interface StoredRing {
  /** Longitude and latitude of its points, in parts of a degree. */
  points: Int32Array;
  precision: number;
  /** Parts of a degree → the directions of its points, x, y and z of each: made when a map of this detail is drawn. */
  levels: Map<number, Float32Array>;
}

/** Land as `generate` stores it: for each polygon its rings, as the steps between their points. */
export interface LandData {
  /** Parts of a degree. */
  precision: number;
  land: number[][][];
}

/**
 * Parts of a degree that maps are drawn with. The coarsest is used that is as exact as the grid of the map: so a map of the
 * world takes little longer than that of a state.
 */
const levels = [2, 4, 5, 8, 20, 100] as const;

/** Reads stored land. */
export const landsOf = ({ land, precision }: LandData): Land[] =>
  land.map((polygon) => {
    const rings = polygon.map((steps) => ({ points: pointsOf(steps), precision, levels: new Map() }));
    const directions: Direction[] = [];
    // Of all rings: the first one of Antarctica is the pole.
    for (const ring of rings) {
      const outline = directionsOf(ring, levels[0]);
      for (let index = 0; index < outline.length; index += 3)
        directions.push([outline[index] as number, outline[index + 1] as number, outline[index + 2] as number]);
    }
    const centre = middleOf(directions);
    const radius = directions.reduce((most, direction) => Math.max(most, angleBetween(direction, centre)), 0);
    return { rings, centre, radius: radius + 0.01 }; // the outline is coarse
  });

/** The points of a ring, from the differences between them. */
function pointsOf(steps: number[]): Int32Array {
  const points = Int32Array.from(steps);
  for (let index = 2; index < points.length; index++) points[index] = (points[index] ?? 0) + (points[index - 2] ?? 0);
  return points;
}

/** The directions of the points of a ring at a level. @param level the finest if absent */
function directionsOf(ring: StoredRing, level = ring.precision): Float32Array {
  const known = ring.levels.get(level);
  if (known) return known;
  const points = snapped(ring, level);
  const directions = new Float32Array((points.length / 2) * 3);
  for (let index = 0, next = 0; index < points.length; index += 2) {
    const lng = (points[index] as number) / level;
    const lat = (points[index + 1] as number) / level;
    for (const part of directionOf({ lat, lng })) directions[next++] = part;
  }
  ring.levels.set(level, directions);
  return directions;
}

/** The points of a ring in other parts of a degree, without those that then are the same, and without ways there and back. */
function snapped({ points, precision }: StoredRing, level: number): number[] {
  const kept: number[] = [];
  const isAt = (back: number, x: number, y: number): boolean => kept.at(-2 * back) === x && kept.at(1 - 2 * back) === y;
  for (let index = 0; index < points.length; index += 2) {
    const x = Math.round(((points[index] as number) * level) / precision);
    const y = Math.round(((points[index + 1] as number) * level) / precision);
    if (isAt(2, x, y)) kept.splice(-2);
    else if (!isAt(1, x, y)) kept.push(x, y);
  }
  return kept;
}

/** At a smaller scale, which is that of a map 1,500 km wide, the land is drawn with half the precision. */
const leastDetailed = 3000;

/** The commands of an SVG path that draws the land of a view. */
export function landPath(view: View, frame: Frame, lands: Land[]): string {
  const grid = view.scale < leastDetailed ? 2 : 1;
  const level = levels.find((parts) => view.scale <= parts * grid * (180 / Math.PI));
  const project = projectorOf(view, frame, grid);
  const isNear = nearnessOf(view, frame);
  const opposite = directionOf({ lat: -view.lat, lng: view.lng + 180 });
  let path = '';
  for (const { rings, centre, radius } of lands) {
    if (!isNear(centre, radius)) continue;
    const hasOpposite = angleBetween(opposite, centre) < radius;
    for (const stored of rings) {
      const directions = directionsOf(stored, level);
      if (directions.length < 12) continue; // a point or a line
      const ring = project(directions);
      // Around the point opposite to the view, a ring is inside out: it surrounds the rest of the earth.
      if (hasOpposite && areaOf(ring) < -2 * Math.PI * view.scale ** 2) path += pathOf(edgeOf(view, frame), frame);
      path += pathOf(ring, frame);
    }
  }
  return path;
}

/** Points that are farther from the middle are drawn at this distance: the opposite one would be everywhere at the edge. */
const farthest = (160 * Math.PI) / 180;

/**
 * Makes the function that projects the points of a ring as `projectionOf` does, and rounds them. That of d3-geo clips and
 * bends lines for all projections, which takes 20 times as long.
 * @param grid units between two points
 */
function projectorOf({ lat, lng, scale }: View, { width, height }: Frame, grid: number) {
  const [centreX, centreY, centreZ] = directionOf({ lat, lng });
  const [eastX, eastY] = directionOf({ lat: 0, lng: lng + 90 });
  const [northX, northY, northZ] = directionOf({ lat: lat + 90, lng });
  const leastCosine = Math.cos(farthest);
  const farthestRadius = 2 * scale * Math.sin(farthest / 2);
  return (directions: ArrayLike<number>): Ring => {
    const points: number[] = [];
    let [left, top, right, bottom] = [Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE, -Number.MAX_VALUE];
    let [lastX, lastY] = [Number.NaN, Number.NaN];
    for (let index = 0; index < directions.length; index += 3) {
      const a = directions[index] as number;
      const b = directions[index + 1] as number;
      const c = directions[index + 2] as number;
      const east = a * eastX + b * eastY;
      const north = a * northX + b * northY + c * northZ;
      const cosine = a * centreX + b * centreY + c * centreZ;
      const factor =
        cosine > leastCosine
          ? scale * Math.sqrt(2 / (1 + cosine))
          : farthestRadius / Math.max(1e-9, Math.hypot(east, north));
      const x = Math.round((width / 2 + factor * east) / grid) * grid;
      const y = Math.round((height / 2 - factor * north) / grid) * grid;
      if (x === lastX && y === lastY) continue;
      points.push(x, y);
      [lastX, lastY] = [x, y];
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    return { points, left, right, top, bottom };
  };
}

/** The edge of a map of all the earth, clockwise. */
function edgeOf({ scale }: View, { width, height }: Frame): Ring {
  const radius = 2 * scale * Math.sin(farthest / 2);
  const points = Array.from({ length: 90 }, (_, index) => (index * Math.PI) / 45).flatMap((angle) => [
    Math.round(width / 2 + radius * Math.cos(angle)),
    Math.round(height / 2 + radius * Math.sin(angle)),
  ]);
  const [left, right] = [width / 2 - radius, width / 2 + radius];
  return { points, left, right, top: height / 2 - radius, bottom: height / 2 + radius };
}
