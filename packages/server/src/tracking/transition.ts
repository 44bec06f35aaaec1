import { statuses } from '@waybill/contract/lifecycle';
import { Problem } from '@waybill/http/problems';
import { planTransition, type TransitionRequest, transitionTime } from '@waybill/http/shipments/lifecycle';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { getCurrentStatusOrThrow, type ShipmentRef, updateStatus } from './queries.ts';

/** A shipment has each status at most once, so that concurrent requests can change it at most this often. */
const maxAttempts = Object.keys(statuses).length;

/**
 * Changes the status of a shipment.
 * @returns the shipment's id (a uuid)
 * @throws {Problem} not_found, invalid_transition, or invalid_request for an event that is before the previous one
 */
export async function transition(
  db: Transaction<Tables>,
  accountId: string,
  shipment: ShipmentRef,
  { now, ...request }: TransitionRequest & { now: Date },
): Promise<string> {
  const planned = planTransition(request);
  const update = { ...planned, to: request.to, occurredAt: request.occurred?.at ?? now, now };
  // An update that waited for a concurrent transition changes nothing, but may be valid after it.
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const id = await updateStatus(db, accountId, shipment, update);
    if (id) return id;
    const { status, occurred_at } = await getCurrentStatusOrThrow(db, accountId, shipment);
    update.occurredAt = transitionTime(request, planned, { status, previous: occurred_at, now });
  }
  throw new Problem('unavailable', 'The shipment is changing too quickly. Send the request again.');
}
