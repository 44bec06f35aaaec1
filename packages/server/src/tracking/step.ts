import type { Transition } from '@waybill/contract/lifecycle';
import { timeLimits } from '@waybill/contract/limits';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { fieldProblem, noShipment, Problem } from '../http/problems.ts';
import { invalidTransition, stepsTo } from './lifecycle.ts';
import { advance, selectStanding, type Which } from './queries.ts';

/** How far an event may lie before the one it follows, in milliseconds, by the field that tells its time. */
const tolerances: Record<'timestamp' | 'delivered_at', number> = {
  timestamp: timeLimits.TrackingEventRequest.timestamp.maxBeforePrevious,
  delivered_at: timeLimits.ProofOfDeliveryRequest.delivered_at.maxBeforePrevious,
};

/** Events reported ahead of our clock must not keep a step that happens now from following them. */
const defaultTolerance = Math.max(...Object.values(tolerances));

/** As many as a life has steps. */
const attempts = 5;

export interface NextStep {
  operation: Transition['operation'];
  to: Transition['to'];
  /** When it happened, and the body's field that tells it; undefined for now. */
  occurred?: { at: Date; field: keyof typeof tolerances };
  /** Undefined for the contract's own words. */
  description?: string | undefined;
  now: Date;
}

/**
 * Brings a shipment to its next status.
 * @returns the shipment's id (a uuid)
 * @throws {Problem} not_found, invalid_transition, or invalid_request when it would lie before the previous event
 */
export async function takeStep(
  db: Transaction<Tables>,
  accountId: string,
  which: Which,
  { operation, to, occurred, description, now }: NextStep,
): Promise<string> {
  const steps = stepsTo(operation, to);
  const tolerance = occurred ? tolerances[occurred.field] : defaultTolerance;
  const at = occurred?.at ?? now;
  const step = {
    from: steps.flatMap(({ from }) => from ?? []),
    to,
    occurredAt: at,
    tolerance,
    description: description ?? steps[0]?.description ?? to,
    now,
  };
  // A caller that waited for another's step is refused by the guard, but may be in order after it.
  for (let attempt = 0; attempt < attempts; attempt++) {
    const id = await advance(db, accountId, which, step);
    if (id) return id;
    const standing = await selectStanding(db, accountId, which);
    if (!standing) throw noShipment();
    if (!steps.some(({ from }) => from === standing.status)) throw invalidTransition(standing.status, to);
    const earliest = standing.occurred_at.getTime() - tolerance;
    if (occurred && at.getTime() < earliest) throw tooEarly(occurred.field, new Date(earliest));
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
