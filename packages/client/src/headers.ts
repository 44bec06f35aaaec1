/** The contract's header parameters, which are call options here: `Idempotency-Key` is `idempotencyKey`. */
import { operations } from '@waybill/contract/operations';
import type { OperationId, Option } from './operations.ts';

export type HeaderName = (typeof operations)[OperationId]['headers'][number];

/** Whether the contract gives the operation this header. */
export const takes = (operation: OperationId, header: HeaderName): boolean =>
  operations[operation].headers.some((name) => name === header);

/** Whether sending the same request again has no second effect: a read, a file's bytes, or a key that says so. */
export const isRepeatable = (operation: OperationId): boolean =>
  operations[operation].method !== 'POST' || takes(operation, 'Idempotency-Key');

/** The headers that a call's options say; every operation that takes an idempotency key gets one. */
export function headersOf(
  operation: OperationId,
  options: { [Name in HeaderName as Option<Name>]?: string | null },
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of operations[operation].headers) {
    const value = options[optionOf(name)] ?? (name === 'Idempotency-Key' ? crypto.randomUUID() : null);
    if (value !== null) headers[name] = value;
  }
  return headers;
}

/** `If-None-Match` → `ifNoneMatch`, as the type says. */
function optionOf<Name extends HeaderName>(name: Name): Option<Name> {
  const joined = name.replaceAll('-', '');
  return (joined.charAt(0).toLowerCase() + joined.slice(1)) as Option<Name>;
}
