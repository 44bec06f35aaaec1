import { distanceOf, type Point } from './sphere.ts';

/** No vehicle is faster. A position that would require it is stored, but is not the current one. Kilometres per hour. */
export const maxSpeed = 1200;
/** Kilometres by which two positions may differ at whatever speed: clocks and positions are not exact. */
export const leastJump = 100;

/** Where a shipment was, and when. */
export interface Position extends Point {
  updated_at: Date | string;
}

/** Whether no vehicle can have been at both positions. tracking/positions.ts of the server computes the same in SQL. */
function isJump(from: Position, to: Position): boolean {
  const hours = Math.abs(new Date(to.updated_at).getTime() - new Date(from.updated_at).getTime()) / 3_600_000;
  return distanceOf(from, to) > leastJump + maxSpeed * hours;
}

/** The positions of a route without those that are a jump away from both of their neighbours. @param route in order */
export const withoutJumps = <Reported extends Position>(route: Reported[]): Reported[] =>
  route.filter((position, index) => {
    const neighbours = [route[index - 1], route[index + 1]].filter((other) => other !== undefined);
    return neighbours.length === 0 || neighbours.some((other) => !isJump(other, position));
  });
