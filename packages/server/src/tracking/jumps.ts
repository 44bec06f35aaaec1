import { type RawBuilder, sql } from 'kysely';

/** No vehicle is faster: a position that would require it is stored, but not the current one. Kilometres per hour. */
const maxSpeed = 1200;
/** Kilometres by which two positions may differ at whatever speed: clocks and positions are not exact. */
const leastJump = 100;
/** Kilometres. */
const earthRadius = 6371;

/** Where a shipment was, and when. */
export interface Place {
  updated_at: Date;
  lat: number;
  lng: number;
}

/** Whether no vehicle can have been at both positions. */
function isJump(from: Place, to: Place): boolean {
  const [lat, nextLat, turn] = [from.lat, to.lat, to.lng - from.lng].map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
    number,
  ];
  const half = Math.sin((nextLat - lat) / 2) ** 2 + Math.cos(lat) * Math.cos(nextLat) * Math.sin(turn / 2) ** 2;
  const distance = 2 * earthRadius * Math.asin(Math.sqrt(Math.min(1, half)));
  const hours = Math.abs(to.updated_at.getTime() - from.updated_at.getTime()) / 3_600_000;
  return distance > leastJump + maxSpeed * hours;
}

/** The same for columns. Null if there is no position. */
export const isJumpInSql = (
  from: Record<keyof Place, RawBuilder<unknown>>,
  to: Record<keyof Place, RawBuilder<unknown>>,
): RawBuilder<boolean> =>
  sql<boolean>`2 * ${sql.lit(earthRadius)} * asin(sqrt(least(1,
    power(sind((${to.lat} - ${from.lat}) / 2), 2)
    + cosd(${from.lat}) * cosd(${to.lat}) * power(sind((${to.lng} - ${from.lng}) / 2), 2))))
    > ${sql.lit(leastJump)} + ${sql.lit(maxSpeed)} * abs(extract(epoch from ${to.updated_at} - ${from.updated_at})) / 3600`;

/** The positions of a route without those that are a jump away from both of their neighbours. @param route in order */
export const withoutJumps = <Position extends Place>(route: Position[]): Position[] =>
  route.filter((position, index) => {
    const neighbours = [route[index - 1], route[index + 1]].filter((other) => other !== undefined);
    return neighbours.length === 0 || neighbours.some((other) => !isJump(other, position));
  });
