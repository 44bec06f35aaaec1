import { aheadOf, dayLength } from '@waybill/contract/duration';
import { positionRules } from '@waybill/contract/lifecycle';
import { maxFieldErrors, maxPositionAhead } from '@waybill/contract/limits';
import { isFinal } from '@waybill/contract/statuses';
import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { type FieldError, fieldProblem, Problem } from '@waybill/http/problems';
import { settled } from '@waybill/pages/places/jumps';

type Schemas = components['schemas'];
export type Status = Schemas['ShipmentStatus'];

const statusesWith = (rules: string[]): Status[] =>
  (Object.entries(positionRules) as [Status, string][]).flatMap(([status, rule]) =>
    rules.includes(rule) ? status : [],
  );
/** Statuses in which positions are stored, and those in which they also update the current location. */
export const storingStatuses: Status[] = statusesWith(['move', 'keep']);
export const movingStatuses: Status[] = statusesWith(['move']);

/** Where a shipment was, and when. */
export interface Place {
  updated_at: Date;
  lat: number;
  lng: number;
}

/** A position, as its table has it. */
export interface Position extends Place {
  address: string | null;
}

/** What a request reports. */
export interface Report {
  /** Each with another timestamp. */
  positions: Position[];
  /** Null clears it; undefined if nothing is said of it. */
  eta: Date | null | undefined;
  /** When it was reported: the time of the newest position, if there is one. */
  at: Date;
}

/**
 * The positions and the estimated arrival of a request, without positions that cannot be true, and the body of the response.
 * Of equal timestamps the later element wins.
 * @throws {Problem} invalid_request when no position is left
 */
export function reportFrom(
  { positions, eta }: Schemas['PositionsRequest'],
  positionDays: number,
  now: Date,
): { report: Report; accepted: Schemas['PositionsAccepted'] } {
  const refused: FieldError[] = [];
  const possible = positions.flatMap(({ updated_at, lat, lng, address = null }, index): Position[] => {
    const position = { updated_at: dateOf(updated_at), lat, lng, address };
    const error = positionError(position, `/positions/${index}`, positionDays, now);
    if (error) refused.push(error);
    return error ? [] : [position];
  });
  if (possible.length === 0) throw fieldProblem('invalid_request', refused.slice(0, maxFieldErrors));
  const distinct = new Map(possible.map((position) => [position.updated_at.getTime(), position]));
  return {
    report: {
      positions: [...distinct.values()],
      eta: typeof eta === 'string' ? dateOf(eta) : eta,
      at: new Date(Math.max(...distinct.keys())),
    },
    accepted: { accepted: possible.length, ...(refused.length > 0 && { refused }) },
  };
}

/** Why a position cannot be true, or would be removed by the next clean-up; undefined for any other. */
function positionError(position: Position, pointer: string, days: number, now: Date): FieldError | undefined {
  const ahead = aheadOf(now.getTime(), position.updated_at.getTime(), maxPositionAhead);
  if (ahead) return { in: 'body', pointer: `${pointer}/updated_at`, code: 'too_far_ahead', detail: ahead };
  return expiredError(position.updated_at, `${pointer}/updated_at`, days, now) ?? zeroError(position, pointer);
}

const earliestRetained = (days: number, now: Date): number => now.getTime() - days * dayLength;

function expiredError(at: Date, pointer: string, days: number, now: Date): FieldError | undefined {
  const earliest = earliestRetained(days, now);
  if (at.getTime() >= earliest) return undefined;
  const detail = `must not be before ${new Date(earliest).toISOString()}: positions are retained for ${days} days`;
  return { in: 'body', pointer, code: 'too_old', detail };
}

function zeroError({ lat, lng }: Schemas['Coordinates'], pointer: string): FieldError | undefined {
  const detail = 'must not be at latitude 0 and longitude 0, which devices report without a fix';
  return lat === 0 && lng === 0 ? { in: 'body', pointer, code: 'zero_coordinates', detail } : undefined;
}

/** What an event or an exception reports: without its location, if the positions of its day are not retained any more. */
export function reportOfEvent(
  { timestamp, location, eta }: Pick<Schemas['TrackingEventRequest'], 'timestamp' | 'location' | 'eta'>,
  positionDays: number,
  now: Date,
): Report {
  const at = dateOf(timestamp);
  const isRetained = at.getTime() >= earliestRetained(positionDays, now);
  const positions = location && isRetained ? [{ address: null, ...location, updated_at: at }] : [];
  return { positions, eta: typeof eta === 'string' ? dateOf(eta) : eta, at };
}

/** The times of a report a millisecond earlier, for what was before another report of the same time. */
export function before({ at, positions }: Report): Pick<Report, 'at' | 'positions'> {
  const updated_at = new Date(at.getTime() - 1);
  return { at: updated_at, positions: positions.map((position) => ({ ...position, updated_at })) };
}

/**
 * The newest position of a report, if it has one, without those that are a jump away from the others, and how many of the report
 * agree with it.
 */
export function newestOf({ positions }: Report): (Position & { agreeing: number }) | undefined {
  const sorted = positions.toSorted((a, b) => a.updated_at.getTime() - b.updated_at.getTime());
  const { kept, agreeing } = settled(sorted);
  const newest = kept.at(-1) ?? sorted.at(-1);
  return newest && { ...newest, agreeing: Math.max(agreeing, 1) };
}

/** The time of the earliest position. */
export const earliestOf = (positions: Position[]): Date =>
  new Date(Math.min(...positions.map(({ updated_at }) => updated_at.getTime())));

/** Requires of the location of an event, an exception or a proof that it can be true. @throws {Problem} invalid_request */
export function requirePossible(location: Schemas['Coordinates'] | undefined): void {
  const error = location && zeroError(location, '/location');
  if (error) throw fieldProblem('invalid_request', [error]);
}

export const positionsNotAccepted = (status: Status): Problem =>
  new Problem(
    'positions_not_accepted',
    `A shipment that is ${status} accepts no ${isFinal(status) ? 'later ' : ''}positions.`,
    { current_status: status },
  );
