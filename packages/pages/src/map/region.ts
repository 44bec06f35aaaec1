import { angleBetween, type Direction, directionOf, earthRadius, middleOf, type Point } from '../places/sphere.ts';

/** Kilometres from the middle to the edge of a region: the contiguous United States and Europe are one, both together are not. */
const regionRadius = 2400;

/** Degrees of a cell. Points of a cell are in the same region. */
const cellSize = 5;
/** For more cells, only cells can be the middle of a region. */
const maxPairedCells = 60;

interface Cell<P extends Point> {
  points: P[];
  direction: Direction;
}

/** The points of the region that has most of them, on one map of a useful scale. All points, if one region has them. */
export function densestRegion<P extends Point>(points: P[]): P[] {
  const cells = cellsOf(points);
  const directions = cells.map(({ direction }) => direction);
  const middles = [
    ...directions,
    ...(cells.length > maxPairedCells
      ? []
      : directions.flatMap((a, index) => pairsWith(a, directions.slice(index + 1)))),
  ];
  let densest = { points, count: 0, distances: 0 };
  for (const middle of middles) {
    const near = cells.filter(({ direction }) => angleBetween(middle, direction) * earthRadius <= regionRadius);
    const count = near.reduce((sum, cell) => sum + cell.points.length, 0);
    if (count < densest.count) continue;
    const distances = near.reduce((sum, { direction }) => sum + angleBetween(middle, direction), 0);
    if (count === densest.count && distances >= densest.distances) continue;
    densest = { points: near.flatMap((cell) => cell.points), count, distances };
  }
  return densest.points;
}

const pairsWith = (a: Direction, others: Direction[]): Direction[] => others.map((b) => middleOf([a, b]));

function cellsOf<P extends Point>(points: P[]): Cell<P>[] {
  const cells = new Map<string, P[]>();
  for (const point of points) {
    const key = `${Math.round(point.lat / cellSize)} ${Math.round(point.lng / cellSize)}`;
    const cell = cells.get(key);
    if (cell) cell.push(point);
    else cells.set(key, [point]);
  }
  return [...cells.values()].map((all) => ({ points: all, direction: middleOf(all.map(directionOf)) }));
}
