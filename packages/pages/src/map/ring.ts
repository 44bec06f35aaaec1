import type { Frame } from './view.ts';

/** A closed line on a map: x and y of its points, one after the other, and the rectangle around them. */
export interface Ring {
  points: number[];
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Units outside of the map at which lines are cut, so that the line along the edge is not seen. */
const margin = 8;

/** The commands of an SVG path for the part of a ring that is on a map. Empty for none. */
export function pathOf(
  { points, left, right, top, bottom }: Ring,
  { width, height }: Pick<Frame, 'width' | 'height'>,
): string {
  if ((right - left) * (bottom - top) < 6) return '';
  const [mostX, mostY] = [width + margin, height + margin];
  if (left > mostX || right < -margin || top > mostY || bottom < -margin) return '';
  let shown = points;
  if (left < -margin) shown = clipped(shown, 0, -margin, 1);
  if (right > mostX) shown = clipped(shown, 0, mostX, -1);
  if (top < -margin) shown = clipped(shown, 1, -margin, 1);
  if (bottom > mostY) shown = clipped(shown, 1, mostY, -1);
  return commandsOf(shown);
}

/**
 * The part of a ring on one side of a line (Sutherland and Hodgman, "Reentrant Polygon Clipping").
 * @param axis 0 for a limit of x, 1 for one of y
 * @param sign 1 for the side where the coordinate is larger, -1 for the other
 */
function clipped(points: number[], axis: 0 | 1, limit: number, sign: 1 | -1): number[] {
  const kept: number[] = [];
  let before = points.length - 2;
  for (let index = 0; index < points.length; index += 2) {
    const from = ((points[before + axis] as number) - limit) * sign;
    const to = ((points[index + axis] as number) - limit) * sign;
    if (from >= 0 !== to >= 0) {
      const part = from / (from - to);
      for (const side of [0, 1] as const) {
        const start = points[before + side] as number;
        kept.push(Math.round(start + ((points[index + side] as number) - start) * part));
      }
    }
    if (to >= 0) kept.push(points[index] as number, points[index + 1] as number);
    before = index;
  }
  return kept;
}

/** Whole numbers, relative to the first point, without points on a straight line. */
function commandsOf(points: number[]): string {
  if (points.length < 8) return '';
  let [x, y] = [points[0] as number, points[1] as number];
  let path = `M${x} ${y}l`;
  let separator = '';
  for (let index = 2; index < points.length; index += 2) {
    const [nextX, nextY] = [points[index] as number, points[index + 1] as number];
    const [dx, dy] = [nextX - x, nextY - y];
    if (index + 2 < points.length) {
      const [dxAfter, dyAfter] = [(points[index + 2] as number) - nextX, (points[index + 3] as number) - nextY];
      if (dx * dyAfter === dy * dxAfter && dx * dxAfter >= 0 && dy * dyAfter >= 0) continue;
    }
    path += `${dx < 0 ? '' : separator}${dx}${dy < 0 ? '' : ' '}${dy}`;
    separator = ' ';
    [x, y] = [nextX, nextY];
  }
  return `${path}z`;
}

/** Twice the area of a ring: positive for one that is drawn clockwise. */
export function areaOf({ points }: Ring): number {
  let area = 0;
  let [lastX, lastY] = [points.at(-2) ?? 0, points.at(-1) ?? 0];
  for (let index = 0; index < points.length; index += 2) {
    const [x, y] = [points[index] as number, points[index + 1] as number];
    area += lastX * y - x * lastY;
    [lastX, lastY] = [x, y];
  }
  return area;
}
