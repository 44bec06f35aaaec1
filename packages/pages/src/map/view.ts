import { type GeoProjection, geoAzimuthalEqualArea } from 'd3-geo';
import { angleBetween, type Direction, directionOf, earthRadius, middleOf, type Point } from '../places/sphere.ts';

/** The size of a map in its own units. */
export interface Frame {
  width: number;
  height: number;
  /** The least distance of a point from the edge of the map. */
  margin: { x: number; y: number };
  /** At most so many units per kilometre: a closer view would be without any border, coast or city. */
  maxUnitsPerKilometre: number;
}

/** The middle of a map, and its scale in units per radian. */
export interface View {
  lat: number;
  lng: number;
  scale: number;
}

/**
 * The view that has all points. It is rounded, so that the views of a shipment that moves, and of shipments between the same
 * places, are the same.
 */
export function viewOf(points: Point[], frame: Frame): View {
  const middle = middleBetween(points);
  const maxScale = frame.maxUnitsPerKilometre * earthRadius;
  const fitted = Math.min(scaleFor(middle, points, frame), maxScale);
  const step = ((360 / fitted) * 10) / Math.PI; // about a twentieth of the height
  const roundTo = (degrees: number): number => Number((Math.round(degrees / step) * step).toFixed(3));
  const rounded = { lat: roundTo(middle.lat), lng: roundTo(middle.lng) };
  const scale = Math.min(scaleFor(rounded, points, frame), maxScale);
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
function scaleFor({ lat, lng }: Point, points: Point[], { width, height, margin }: Frame): number {
  const project = geoAzimuthalEqualArea().rotate([-lng, -lat]).translate([0, 0]).scale(1);
  const projected = points.map((point) => project([point.lng, point.lat]) ?? [0, 0]);
  const extent = (axis: 0 | 1): number => Math.max(1e-9, ...projected.map((point) => Math.abs(point[axis] ?? 0)));
  return Math.min((width / 2 - margin.x) / extent(0), (height / 2 - margin.y) / extent(1));
}

/** The projection of a view: the area is true everywhere, and no place of the earth is a special case. */
export const projectionOf = ({ lat, lng, scale }: View, { width, height }: Frame): GeoProjection =>
  geoAzimuthalEqualArea()
    .rotate([-lng, -lat])
    .translate([width / 2, height / 2])
    .scale(scale);

/** Makes the function that says whether a circle may be on a map. Its radius is an angle in radians. */
export function nearnessOf(view: View, { width, height }: Frame): (direction: Direction, radius: number) => boolean {
  const shown = 2 * Math.asin(Math.min(1, Math.hypot(width, height) / 2 / view.scale / 2));
  const middle = directionOf(view);
  return (direction, radius) => angleBetween(middle, direction) < radius + shown;
}

/** Where a point is on the map, rounded to a tenth. */
export function pixelOf(project: GeoProjection, { lat, lng }: Point): [number, number] {
  const [x, y] = project([lng, lat]) ?? [0, 0];
  return [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
}
