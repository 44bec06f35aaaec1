import { type GeoProjection, geoAzimuthalEqualArea, geoPath } from 'd3-geo';
import { LRUCache } from 'lru-cache';
import { directionOf, type Place, type Point, places } from '../places/places.ts';
import { angleBetween, atlas, type Land, middleOf } from './atlas.ts';

/** Size of a map in its own units, which are pixels on a large screen. */
export const width = 720;
export const height = 360;

/** The least distance of a point of the route from the edge of the map. */
export const margin = { x: 130, y: 60 };
const earthRadius = 6371;
/** At most so many units per kilometre: less than this is without any border, coast or city. */
const maxUnitsPerKilometre = 4;

/** At a smaller scale, which is that of a map 1,500 km wide, the land is drawn with half the precision. */
const leastDetailed = 3000;

/** The middle of a map, and its scale in units per radian. */
interface View {
  lat: number;
  lng: number;
  scale: number;
}

/** What a map shows under the route. */
export interface Area {
  /** The commands of an SVG path. */
  land: string;
  towns: { name: string; x: number; y: number }[];
}

/**
 * The view that has all points. It is rounded, so that the views of a shipment that moves, and of shipments between the same
 * places, are the same.
 */
export function viewOf(points: Point[]): View {
  const middle = middleBetween(points);
  const fitted = Math.min(scaleFor(middle, points), maxUnitsPerKilometre * earthRadius);
  const step = ((360 / fitted) * 10) / Math.PI; // about a twentieth of the height
  const roundTo = (degrees: number): number => Number((Math.round(degrees / step) * step).toFixed(3));
  const rounded = { lat: roundTo(middle.lat), lng: roundTo(middle.lng) };
  const scale = Math.min(scaleFor(rounded, points), maxUnitsPerKilometre * earthRadius);
  return { ...rounded, scale: Math.round(1.15 ** Math.floor(Math.log(scale) / Math.log(1.15))) };
}

/** The middle of the rectangle around all points. */
function middleBetween(points: Point[]): Point {
  const [x, y, z] = middleOf(points.map(directionOf));
  const project = geoAzimuthalEqualArea()
    .rotate([-degreesOf(Math.atan2(y, x)), -degreesOf(Math.asin(z))])
    .translate([0, 0])
    .scale(1);
  const projected = points.map((point) => project([point.lng, point.lat]) ?? [0, 0]);
  const middleOn = (axis: 0 | 1): number => {
    const values = projected.map((point) => point[axis] ?? 0);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  const [lng, lat] = project.invert?.([middleOn(0), middleOn(1)]) ?? [0, 0];
  return { lat, lng };
}

const degreesOf = (radians: number): number => (radians * 180) / Math.PI;

/** The greatest scale at which all points are inside the margin. */
function scaleFor({ lat, lng }: Point, points: Point[]): number {
  const project = geoAzimuthalEqualArea().rotate([-lng, -lat]).translate([0, 0]).scale(1);
  const projected = points.map((point) => project([point.lng, point.lat]) ?? [0, 0]);
  const extent = (axis: 0 | 1): number => Math.max(1e-9, ...projected.map((point) => Math.abs(point[axis] ?? 0)));
  return Math.min((width / 2 - margin.x) / extent(0), (height / 2 - margin.y) / extent(1));
}

/** The projection of a view: the area is true everywhere, and no place of the earth is a special case. */
export const projectionOf = ({ lat, lng, scale }: View): GeoProjection =>
  geoAzimuthalEqualArea()
    .rotate([-lng, -lat])
    .translate([width / 2, height / 2])
    .scale(scale);

const cache = new LRUCache<string, Area>({
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: ({ land }) => land.length + 500,
});

/** The land and the main cities of a view. The last ones are cached, up to 4 MB. */
export async function areaOf(view: View): Promise<Area> {
  const key = JSON.stringify(view);
  const known = cache.get(key);
  if (known) return known;
  const area = { land: landOf(view, await atlas()), towns: townsOf(view) };
  cache.set(key, area);
  return area;
}

const isNear = (view: View, direction: [number, number, number], radius: number): boolean => {
  const shown = 2 * Math.asin(Math.min(1, Math.hypot(width, height) / 2 / view.scale / 2));
  return angleBetween(directionOf(view), direction) < radius + shown;
};

function landOf(view: View, lands: Land[]): string {
  const edge = 8; // outside of the map, so that the line along the edge is not seen
  const clipped = [
    [-edge, -edge],
    [width + edge, height + edge],
  ] as [[number, number], [number, number]];
  const projection = projectionOf(view).clipExtent(clipped).precision(1);
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
    if (isNear(view, centre, radius)) path({ type: 'Polygon', coordinates });
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

const maxTowns = 7;

/** The cities with the most inhabitants that do not cover each other. */
function townsOf(view: View): Area['towns'] {
  const project = projectionOf(view);
  const towns: Area['towns'] = [];
  for (const place of places) {
    if (towns.length === maxTowns) break;
    if (!isNear(view, directionOf(place), 0)) continue;
    const [x, y] = pixelOf(project, place);
    if (x < 20 || x > width - 110 || y < 20 || y > height - 20) continue;
    if (towns.some((other) => Math.abs(other.x - x) < 110 && Math.abs(other.y - y) < 30)) continue;
    towns.push({ name: place.name, x, y });
  }
  return towns;
}

/** Where a point is on the map, rounded to a tenth. */
export function pixelOf(project: GeoProjection, { lat, lng }: Point | Place): [number, number] {
  const [x, y] = project([lng, lat]) ?? [0, 0];
  return [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
}
