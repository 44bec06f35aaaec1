import { hash, timingSafeEqual } from 'node:crypto';
import { exceptionKinds } from '@waybill/contract/exceptions';
import type { components } from '@waybill/contract/types';
import { type FieldError, fieldProblem, Problem } from '@waybill/http/problems';

type Schemas = components['schemas'];

/** What a proof of delivery says of the signature. */
type Signing = Pick<Schemas['ProofOfDeliveryRequest'], 'unattended' | 'signed_by' | 'signature' | 'photos'>;

/**
 * Requires a signature, or of an unattended delivery a photo and no signature.
 * @throws {Problem} invalid_request
 */
export function requireSignatureOrPhoto(proof: Signing): void {
  const { unattended, photos } = proof;
  const error = (name: keyof Signing, code: FieldError['code'], detail: string): FieldError => ({
    in: 'body',
    pointer: `/${name}`,
    code,
    detail,
  });
  const errors = (['signed_by', 'signature'] as const).flatMap((name) => {
    if (unattended && proof[name] !== undefined) return error(name, 'not_allowed', 'must be absent when unattended');
    if (!unattended && proof[name] === undefined) return error(name, 'required', 'is required unless unattended');
    return [];
  });
  if (unattended && !photos) errors.push(error('photos', 'required', 'is required when unattended'));
  if (unattended && photos?.length === 0)
    errors.push(error('photos', 'too_short', 'must have at least 1 item when unattended'));
  if (errors.length > 0) throw fieldProblem('invalid_request', errors);
}

/**
 * Requires that a shipment allows a delivery without a signature, if it is one.
 * @throws {Problem} signature_required
 */
export function requireUnattendedAllowed(
  { unattended }: Signing,
  shipment: Pick<Schemas['Shipment'], 'signature_required'> | null,
): void {
  if (unattended && shipment?.signature_required)
    throw new Problem('signature_required', 'The shipper requires a signature.');
}

/**
 * The pieces that a proof counts, beside those of the shipment; null if it counts none.
 * @throws {Problem} invalid_request for an item that the shipment does not have, or that is named twice
 */
export function countedItems(
  { items: counted = [] }: Pick<Schemas['ProofOfDeliveryRequest'], 'items'>,
  shipment: Pick<Schemas['Shipment'], 'items'> | null,
): Schemas['DeliveredItem'][] | null {
  const items = shipment?.items ?? [];
  const errors: FieldError[] = [];
  const error = (at: number, code: FieldError['code'], detail: string): void =>
    void errors.push({ in: 'body', pointer: `/items/${at}/index`, code, detail });
  const found = counted.map(({ index, pieces_delivered }, at) => {
    if (index >= items.length) error(at, 'out_of_range', `must name one of the ${items.length} items of the shipment`);
    else if (counted.findIndex((other) => other.index === index) < at) error(at, 'duplicate', 'is named before');
    return { index, pieces_expected: items[index]?.pieces ?? 0, pieces_delivered };
  });
  if (errors.length > 0) throw fieldProblem('invalid_request', errors);
  return found.length === 0 ? null : found;
}

/** The codes of exceptions that fit the counted pieces and can be raised in the status of the proof. */
export function suggestedExceptions(
  items: Schemas['DeliveredItem'][],
  status: Schemas['ShipmentStatus'],
): Schemas['ExceptionCode'][] {
  const differences = items.map(({ pieces_expected, pieces_delivered }) => pieces_delivered - pieces_expected);
  const codes: Schemas['ExceptionCode'][] = [
    ...(differences.some((difference) => difference < 0) ? (['short'] as const) : []),
    ...(differences.some((difference) => difference > 0) ? (['over'] as const) : []),
  ];
  return codes.filter((code) => exceptionKinds[code].statuses.includes(status));
}

/** How many wrong codes lock a shipment. The contract states it. */
const maxWrongCodes = 5;

/**
 * Requires a code, and that it may be compared with that of the shipment.
 * @param wrongCodes before this request
 * @throws {Problem} handover_code_required, handover_code_locked
 */
export function requireAttempt(sent: string | undefined, wrongCodes: number): asserts sent is string {
  if (wrongCodes >= maxWrongCodes) {
    const detail = `${maxWrongCodes} wrong handover codes were sent. The shipper must set another one.`;
    throw new Problem('handover_code_locked', detail);
  }
  if (sent === undefined) {
    throw new Problem('handover_code_required', 'The shipment requires the handover code of the consignee.');
  }
}

/** @param wrongCodes with the one of this request */
export const wrongHandoverCode = (wrongCodes: number): Problem =>
  new Problem(
    'handover_code_wrong',
    `The handover code is wrong. ${maxWrongCodes - wrongCodes || 'No'} more can be sent.`,
  );

/** Compares in constant time, also codes of different lengths. */
export const isHandoverCode = (sent: string, code: string): boolean =>
  timingSafeEqual(hash('sha256', sent, 'buffer'), hash('sha256', code, 'buffer'));
