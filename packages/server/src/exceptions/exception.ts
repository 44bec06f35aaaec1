import { exceptionKinds } from '@waybill/contract/exceptions';
import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { fieldProblem, Problem } from '@waybill/http/problems';
import { isoTime } from '../database/iso-time.ts';
import type { StoredException } from '../tracking/exceptions.ts';

type Schemas = components['schemas'];
type Status = Schemas['ShipmentStatus'];

/** The columns of a new exception that its request has. */
export const newException = (
  { code, occurred_at, description, eta, location }: Schemas['ExceptionRequest'],
  status: Status,
): Omit<StoredException, 'id' | 'photos'> => ({
  code,
  shipment_status: status,
  occurred_at: dateOf(occurred_at),
  description: description ?? null,
  eta: eta ? dateOf(eta) : null,
  lat: location?.lat ?? null,
  lng: location?.lng ?? null,
  address: location?.address ?? null,
  resolved_at: null,
  resolution: null,
});

/** @throws {Problem} exception_not_accepted */
export function requireAccepted(code: Schemas['ExceptionCode'], status: Status): void {
  if (exceptionKinds[code].statuses.includes(status)) return;
  const detail = `A shipment that is ${status} accepts no exception ${code}.`;
  throw new Problem('exception_not_accepted', detail, { current_status: status });
}

/**
 * An exception after its end.
 * @throws {Problem} exception_resolved, or invalid_request for an end before the beginning
 */
export function resolved(
  exception: StoredException,
  { resolved_at, resolution }: Schemas['ExceptionResolution'],
): StoredException {
  if (exception.resolved_at !== null) {
    throw new Problem('exception_resolved', 'The exception was resolved before.');
  }
  const end = dateOf(resolved_at);
  if (end >= exception.occurred_at) return { ...exception, resolved_at: end, resolution: resolution ?? null };
  const detail = `must not be before ${isoTime(exception.occurred_at)}`;
  throw fieldProblem('invalid_request', [{ in: 'body', pointer: '/resolved_at', code: 'out_of_order', detail }]);
}
