import { positionRules, type Transition, transitions } from '@waybill/contract/lifecycle';
import { maxBeforePrevious } from '@waybill/contract/limits';
import type { components } from '@waybill/contract/types';
import { invalidFields } from '@waybill/contract/validation/invalid-request';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { Refusal } from './responses.ts';
import type { MockShipment } from './shipments.ts';

type Position = components['schemas']['PositionReport'];

/** Field with the event's timestamp → how far before the previous event it may be, in milliseconds. */
const tolerances: Record<'timestamp' | 'delivered_at', number> = {
  timestamp: maxBeforePrevious.TrackingEventRequest.timestamp,
  delivered_at: maxBeforePrevious.ProofOfDeliveryRequest.delivered_at,
};
/** Positions of a shipment that are stored. */
const maxPositions = 1000;

/** A timestamp of a request as responses have it. */
export const utc = (timestamp: string): string => dateOf(timestamp).toISOString();
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

const isFirst = ({ from }: Transition): boolean => from === null;
/** The creation of a shipment. */
export const initialTransition: Transition = transitions.find(isFirst) as Transition;

export interface StatusChange extends Pick<Transition, 'operation' | 'to'> {
  /** When it occurred, and the field of the body with that timestamp. Undefined for now. */
  occurred?: { at: string; field: keyof typeof tolerances };
  /** Undefined for the contract's description of the transition. */
  description?: string | undefined;
}

/**
 * Changes the status of a shipment by the contract's lifecycle.
 * @throws {Refusal} invalid_transition
 * @throws {InvalidRequest} for an event that is before the previous one
 */
export function changeStatus(changed: MockShipment, { operation, to, occurred, description }: StatusChange): void {
  const { shipment, tracking, isStored } = changed;
  const { status } = shipment;
  const step = transitions.find((each) => each.operation === operation && each.from === status && each.to === to);
  if (!step) {
    throw new Refusal('invalid_transition', `A shipment that is ${status} cannot become ${to}.`, {
      current_status: status,
      allowed: transitions.filter(({ from }) => from === status).map((each) => each.to),
    });
  }
  const previous = Date.parse(tracking.timeline.at(-1)?.timestamp ?? '');
  if (isStored && occurred && dateOf(occurred.at).getTime() < previous - tolerances[occurred.field]) {
    const detail = `must not be before ${isoTime(previous - tolerances[occurred.field])}`;
    throw invalidFields([{ in: 'body', pointer: `/${occurred.field}`, code: 'out_of_order', detail }]);
  }
  const now = isoTime(Date.now());
  Object.assign(shipment, { status: to, updated_at: now });
  tracking.status = to;
  const timestamp = occurred ? utc(occurred.at) : now;
  tracking.timeline.push({ status: to, timestamp, description: description ?? step.description });
}

/**
 * Adds positions and, in a status whose rule is `move`, updates the current location and the estimated arrival. Of equal
 * timestamps the last one wins.
 * @throws {Refusal} positions_not_accepted
 */
export function addPositions(changed: MockShipment, reports: Position[], eta: string | undefined): void {
  const { shipment, tracking, isStored } = changed;
  const rule = positionRules[shipment.status];
  if (!rule) {
    const detail = `A shipment that is ${shipment.status} accepts no positions.`;
    throw new Refusal('positions_not_accepted', detail, { current_status: shipment.status });
  }
  const added = reports.map((report) => ({ address: null, ...report, updated_at: utc(report.updated_at) }));
  // Those of an example would be newer than the request's.
  const known = isStored ? changed.positions : [];
  const byTime = new Map([...known, ...added].map((position) => [position.updated_at, position]));
  const sorted = [...byTime.values()].sort((a, b) => a.updated_at.localeCompare(b.updated_at));
  changed.positions = sorted.slice(-maxPositions);
  const newest = sorted.at(-1);
  if (rule !== 'move' || !newest || !added.includes(newest)) return;
  tracking.current_location = newest;
  if (eta) tracking.eta = utc(eta);
}

/** Updates the estimated arrival, in a status whose rule is `move` and if no position is newer than `at`. */
export function updateEta({ shipment, tracking, isStored }: MockShipment, eta: string, at: string): void {
  const known = isStored ? tracking.current_location?.updated_at : undefined;
  if (positionRules[shipment.status] === 'move' && !(known && known > utc(at))) tracking.eta = utc(eta);
}
