import { hash, timingSafeEqual } from 'node:crypto';
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
