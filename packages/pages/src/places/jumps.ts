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

/** More positions than agree with the current one, of at least two and at most nine, make one elsewhere the current one. */
export const leastAgreeing = 2;
export const mostAgreeing = 9;
/** So many positions are certain: what devices report by error is then one, however often it comes. */
export const certainAgreeing = 3;

/** A point where errors of signs are undone. tracking/positions.ts of the server computes the same in SQL. */
const withoutSigns = <Place extends Position>({ lat, lng, ...place }: Place) => ({
  ...place,
  lat: Math.abs(lat),
  lng: Math.abs(lng),
});
const exchanged = <Place extends Position>({ lat, lng, ...place }: Place) => ({ ...place, lat: lng, lng: lat });

/** Whether a position is another one with turned signs or exchanged coordinates, or near the point that devices report without a fix. */
function isDeviceError(from: Position, to: Position): boolean {
  const [one, other] = [withoutSigns(from), withoutSigns(to)];
  return !isJump(one, other) || !isJump(one, exchanged(other)) || !isJump({ ...to, lat: 0, lng: 0 }, to);
}

/**
 * The positions of a route without those that are a jump away from both of their neighbours, and without further ones that disagree
 * with more positions before them.
 * @param route in order
 * @returns those, and how many at their end agree with each other
 */
export function settled<Reported extends Position>(route: Reported[]): { kept: Reported[]; agreeing: number } {
  const kept: Reported[] = [];
  let agreeing = 0;
  let elsewhere: Reported[] = [];
  for (const position of withoutSingleJumps(route)) {
    const last = kept.at(-1);
    if (last && isJump(last, position)) {
      if (agreeing >= certainAgreeing && isDeviceError(last, position)) continue;
      const other = elsewhere.at(-1);
      elsewhere = other && !isJump(other, position) ? [...elsewhere, position] : [position];
      if (elsewhere.length <= Math.min(Math.max(agreeing, leastAgreeing), mostAgreeing)) continue;
      kept.push(...elsewhere);
      agreeing = elsewhere.length;
    } else {
      kept.push(position);
      agreeing++;
    }
    elsewhere = [];
  }
  return { kept, agreeing };
}

export const withoutJumps = <Reported extends Position>(route: Reported[]): Reported[] => settled(route).kept;

const withoutSingleJumps = <Reported extends Position>(route: Reported[]): Reported[] =>
  route.filter((position, index) => {
    const neighbours = [route[index - 1], route[index + 1]].filter((other) => other !== undefined);
    return neighbours.length === 0 || neighbours.some((other) => !isJump(other, position));
  });
