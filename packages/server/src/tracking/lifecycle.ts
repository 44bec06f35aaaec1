import { type Transition, transitions } from '@waybill/contract/lifecycle';
import { maxBeforePrevious } from '@waybill/contract/limits';
import type { components } from '@waybill/contract/types';
import { fieldProblem, Problem } from '@waybill/http/problems';

type Status = components['schemas']['ShipmentStatus'];

function findInitialTransition(): Transition {
  const initial = transitions.find(({ from }) => from === null);
  if (!initial) throw new Error('The contract has no transition from null');
  return initial;
}

export const initialTransition: Transition = findInitialTransition();

/** Field with the event's timestamp → how far before the previous event it may be, in milliseconds. */
const tolerances: Record<'timestamp' | 'delivered_at', number> = {
  timestamp: maxBeforePrevious.TrackingEventRequest.timestamp,
  delivered_at: maxBeforePrevious.ProofOfDeliveryRequest.delivered_at,
};

/** When an event occurred, and the field of the body with that timestamp. */
interface Occurred {
  at: Date;
  field: keyof typeof tolerances;
}

/** A request to change the status of a shipment. */
export interface TransitionRequest {
  operation: Transition['operation'];
  to: Status;
  /** Undefined for now. */
  occurred?: Occurred | undefined;
  /** Undefined for the contract's description of the transition. */
  description?: string | undefined;
}

/** What a requested transition does to a shipment, before its status is known. */
export interface PlannedTransition {
  /** The statuses from which it is possible. */
  from: Status[];
  description: string;
  /** How far it may be before the previous event, in milliseconds. */
  tolerance: number;
}

export function planTransition({ operation, to, occurred, description }: TransitionRequest): PlannedTransition {
  const possible = transitions.filter((each) => each.operation === operation && each.to === to);
  return {
    from: possible.flatMap(({ from }) => from ?? []),
    description: description ?? possible[0]?.description ?? to,
    // The previous event may be ahead of this server's clock by as much.
    tolerance: occurred ? tolerances[occurred.field] : Math.max(...Object.values(tolerances)),
  };
}

/**
 * When a planned transition occurs, given the status and the previous event of its shipment.
 * @throws {Problem} invalid_transition, or invalid_request for an event that is before the previous one
 */
export function transitionTime(
  { to, occurred }: Pick<TransitionRequest, 'to' | 'occurred'>,
  { from, tolerance }: PlannedTransition,
  current: { status: Status; previous: Date; now: Date },
): Date {
  if (!from.includes(current.status)) throw invalidTransition(current.status, to);
  const earliest = new Date(current.previous.getTime() - tolerance);
  if (occurred && occurred.at < earliest) throw tooEarly(occurred.field, earliest);
  const at = occurred?.at ?? current.now;
  // The server's own clock is behind: it must not refuse a transition to now.
  return at < earliest ? earliest : at;
}

const invalidTransition = (current: Status, to: Status): Problem =>
  new Problem('invalid_transition', `A shipment that is ${current} cannot become ${to}.`, {
    current_status: current,
    allowed: transitions.filter(({ from }) => from === current).map((each) => each.to),
  });

const tooEarly = (field: string, earliest: Date): Problem =>
  fieldProblem('invalid_request', [
    {
      in: 'body',
      pointer: `/${field}`,
      code: 'out_of_order',
      detail: `must not be before ${earliest.toISOString()}`,
    },
  ]);
