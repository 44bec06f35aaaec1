/** The header parameters of the contract, which are options of a call: `Idempotency-Key` is `idempotencyKey`. */
import { operationTable } from '@waybill/contract/operations';
import type { OperationId, Option } from './operations.ts';

export type HeaderName = (typeof operationTable)[OperationId]['headers'][number];

/** Whether the operation has this header parameter. */
export const takes = (operation: OperationId, header: HeaderName): boolean =>
  operationTable[operation].headers.some((name) => name === header);

/** Methods of the contract that HTTP defines as idempotent (RFC 9110, section 9.2.2). */
const idempotentMethods = ['GET', 'PUT'];

/** Whether the request can be repeated without a second effect: by its method or by an idempotency key. */
export const isRepeatable = (operation: OperationId): boolean =>
  idempotentMethods.includes(operationTable[operation].method) || takes(operation, 'Idempotency-Key');

/** The request headers for the options of a call. Generates an idempotency key where the operation takes one. */
export function headersOf(
  operation: OperationId,
  options: { [Name in HeaderName as Option<Name>]?: string | null },
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of operationTable[operation].headers) {
    const value = options[optionOf(name)] ?? (name === 'Idempotency-Key' ? crypto.randomUUID() : null);
    if (value !== null) headers[name] = value;
  }
  return headers;
}

/** `If-None-Match` → `ifNoneMatch` */
function optionOf<Name extends HeaderName>(name: Name): Option<Name> {
  const joined = name.replaceAll('-', '');
  return (joined.charAt(0).toLowerCase() + joined.slice(1)) as Option<Name>;
}
