import { statuses, type Transition } from '@waybill/contract/lifecycle';
import { maxBeforePrevious } from '@waybill/contract/limits';
import { fieldProblem, Problem } from '@waybill/http/problems';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { invalidTransition, transitionsTo } from './lifecycle.ts';
import { getCurrentStatusOrThrow, type ShipmentRef, updateStatus } from './queries.ts';

/** Field with the event's timestamp → how far before the previous event it may be, in milliseconds. */
const tolerances: Record<'timestamp' | 'delivered_at', number> = {
  timestamp: maxBeforePrevious.TrackingEventRequest.timestamp,
  delivered_at: maxBeforePrevious.ProofOfDeliveryRequest.delivered_at,
};

/** The previous event may be ahead of the service's clock by as much. */
const defaultTolerance = Math.max(...Object.values(tolerances));

/** A shipment has each status at most once, so that concurrent requests can change it at most this often. */
const maxAttempts = Object.keys(statuses).length;

export interface TransitionRequest {
  operation: Transition['operation'];
  to: Transition['to'];
  /** When the event occurred, and the field of the body with that timestamp. Undefined for now. */
  occurred?: { at: Date; field: keyof typeof tolerances };
  /** Undefined for the contract's description of the transition. */
  description?: string | undefined;
  now: Date;
}

/**
 * Changes the status of a shipment.
 * @returns the shipment's id (a uuid)
 * @throws {Problem} not_found, invalid_transition, or invalid_request for an event that is before the previous one
 */
export async function transition(
  db: Transaction<Tables>,
  accountId: string,
  shipment: ShipmentRef,
  { operation, to, occurred, description, now }: TransitionRequest,
): Promise<string> {
  const transitions = transitionsTo(operation, to);
  const tolerance = occurred ? tolerances[occurred.field] : defaultTolerance;
  const at = occurred?.at ?? now;
  const update = {
    from: transitions.flatMap(({ from }) => from ?? []),
    to,
    occurredAt: at,
    tolerance,
    description: description ?? transitions[0]?.description ?? to,
    now,
  };
  // An update that waited for a concurrent transition changes nothing, but may be valid after it.
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const id = await updateStatus(db, accountId, shipment, update);
    if (id) return id;
    const current = await getCurrentStatusOrThrow(db, accountId, shipment);
    if (!transitions.some(({ from }) => from === current.status)) throw invalidTransition(current.status, to);
    const earliest = new Date(current.occurred_at.getTime() - tolerance);
    if (occurred && at < earliest) throw tooEarly(occurred.field, earliest);
    // The service's own clock is behind: it must not refuse a transition to now.
    if (at < earliest) update.occurredAt = earliest;
  }
  throw new Problem('unavailable', 'The shipment is changing too quickly. Send the request again.');
}

const tooEarly = (field: string, earliest: Date): Problem =>
  fieldProblem('invalid_request', [
    {
      in: 'body',
      pointer: `/${field}`,
      code: 'out_of_order',
      detail: `must not be before ${earliest.toISOString()}`,
    },
  ]);
