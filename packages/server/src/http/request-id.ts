import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { requestIdPattern } from '@waybill/contract/limits';

const pattern = new RegExp(requestIdPattern);

/** The caller's own `X-Request-Id`, if it has the contract's form, else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const own = headers['x-request-id'];
  return typeof own === 'string' && pattern.test(own) ? own : randomUUID();
}
