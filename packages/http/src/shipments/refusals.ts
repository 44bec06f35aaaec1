import { exceptionKinds } from '@waybill/contract/exceptions';
import { transitions } from '@waybill/contract/lifecycle';
import { statusesBefore } from '@waybill/contract/statuses-before';
import type { components } from '@waybill/contract/types';
import { quoted } from '@waybill/contract/validation/invalid-request';
import { type FieldError, fieldProblem, Problem } from '../problems.ts';

type Schemas = components['schemas'];
type Status = Schemas['ShipmentStatus'];
type FileKind = Schemas['FileKind'];

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

const deliverable = statusesBefore('delivered');
/** Statuses in which a file can still become part of a proof or, as a photo, of an exception. */
const uploadable: Record<FileKind, Set<Status>> = {
  signature: deliverable,
  photo: new Set([...deliverable, ...Object.values(exceptionKinds).flatMap(({ statuses }) => statuses)]),
};

/** @throws {Problem} uploads_not_accepted */
export function requireUploadable(kind: FileKind, status: Status): void {
  if (uploadable[kind].has(status)) return;
  const what = uploadable.photo.has(status) ? 'signatures' : 'uploads';
  throw new Problem('uploads_not_accepted', `A shipment that is ${status} accepts no ${what}.`, {
    current_status: status,
  });
}

export const notDelivered = (status: Status): Problem =>
  new Problem('not_delivered', `The shipment is not delivered. Its status is ${status}.`, { current_status: status });

type Files = Partial<Pick<Schemas['ProofOfDeliveryRequest'], 'signature' | 'photos'>>;

/** The uploads that a proof or an exception names, with the pointer of each in the body. */
export function uploadsOf({ signature, photos = [] }: Files): { kind: FileKind; id: string; pointer: string }[] {
  const named: Record<FileKind, [id: string, pointer: string][]> = {
    signature: signature === undefined ? [] : [[signature, '/signature']],
    photo: photos.map((id, index) => [id, `/photos/${index}`]),
  };
  return (Object.keys(named) as FileKind[]).flatMap((kind) =>
    named[kind].map(([id, pointer]) => ({ kind, id, pointer })),
  );
}

/**
 * Requires that the files of a proof or of an exception can be used for it.
 * @throws {Problem} unknown_upload
 */
export function requireUploads(files: Files, isUsable: (uploadId: string, kind: FileKind) => boolean): void {
  const errors = uploadsOf(files)
    .filter(({ id, kind }) => !isUsable(id, kind))
    .map(({ kind, pointer }): FieldError => {
      const detail = `is not a verified, unused ${kind} of this shipment`;
      return { in: 'body', pointer, code: 'unknown_upload', detail };
    });
  if (errors.length > 0) throw fieldProblem('unknown_upload', errors);
}

export const eventsExpired = (): Problem =>
  new Problem('events_expired', 'The list does not contain this event any more.');
