import { hash, timingSafeEqual } from 'node:crypto';
import { Problem } from '@waybill/http/problems';

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
