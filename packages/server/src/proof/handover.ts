import { hash, timingSafeEqual } from 'node:crypto';
import type { components } from '@waybill/contract/types';
import { Problem } from '@waybill/http/problems';

type Schemas = components['schemas'];

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

/** The code that `getShipment` shows: of keys, to those that may set it. What an access shows of it is in shipments/visible.ts. */
export const shownCode = (
  code: string | null,
  { access, scopes }: { access: object | undefined; scopes: string[] },
): string | null => (access || scopes.includes('shipments:write') ? code : null);

/** A shipment as its shipper sees it. */
export const withHandoverCode = (
  shipment: Schemas['Shipment'],
  code: string | null,
): Schemas['ShipmentWithHandoverCode'] => ({ ...shipment, ...(code !== null && { handover_code: code }) });
