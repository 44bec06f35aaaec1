import { transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import { quoted } from '@waybill/contract/validation/invalid-request';
import { type FieldError, fieldProblem, Problem } from '../problems.ts';

type Schemas = components['schemas'];
type Status = Schemas['ShipmentStatus'];

/** The account has no such resource. It is the same for that of another account. @param id as it was sent */
export const notFound = (resource: string, id: string): Problem =>
  new Problem('not_found', `There is no ${resource} ${quoted(id)}.`);

/** @param ref as the path of the request has it */
export const noShipment = (ref: { shipment_id: string } | { tracking_number: string }): Problem =>
  notFound('shipment', 'shipment_id' in ref ? ref.shipment_id : ref.tracking_number);

export const noFile = (): Problem => new Problem('not_found', 'There is nothing at this URL.');

export const invalidTransition = (current: Status, to: Status): Problem =>
  new Problem('invalid_transition', `A shipment that is ${current} cannot become ${to}.`, {
    current_status: current,
    allowed: transitions.filter(({ from }) => from === current).map((each) => each.to),
  });

/** @param shipmentId the public identifier of the other shipment */
export const referenceTaken = (reference: string, shipmentId: string): Problem =>
  new Problem('reference_taken', `Another shipment has the reference ${reference}.`, { shipment_id: shipmentId });

export const positionsNotAccepted = (status: Status): Problem =>
  new Problem('positions_not_accepted', `A shipment that is ${status} accepts no positions.`, {
    current_status: status,
  });

export const uploadsNotAccepted = (status: Status): Problem =>
  new Problem('uploads_not_accepted', `A shipment that is ${status} accepts no uploads.`, { current_status: status });

export const notDelivered = (status: Status): Problem =>
  new Problem('not_delivered', `The shipment is not delivered. Its status is ${status}.`, { current_status: status });

/**
 * Requires that the files of a proof or of an exception can be used for it.
 * @throws {Problem} unknown_upload
 */
export function requireUploads(
  { signature, photos = [] }: Partial<Pick<Schemas['ProofOfDeliveryRequest'], 'signature' | 'photos'>>,
  isUsable: (uploadId: string, kind: Schemas['FileKind']) => boolean,
): void {
  const errorsOf = (id: string, kind: Schemas['FileKind'], pointer: string): FieldError[] =>
    isUsable(id, kind)
      ? []
      : [{ in: 'body', pointer, code: 'unknown_upload', detail: `is not a verified, unused ${kind} of this shipment` }];
  const errors = [
    ...(signature === undefined ? [] : errorsOf(signature, 'signature', '/signature')),
    ...photos.flatMap((id, index) => errorsOf(id, 'photo', `/photos/${index}`)),
  ];
  if (errors.length > 0) throw fieldProblem('unknown_upload', errors);
}

export const eventsExpired = (): Problem =>
  new Problem('events_expired', 'The list does not contain this event any more.');
