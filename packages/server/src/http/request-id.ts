import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { requestIdPattern } from '@waybill/contract/limits';

const pattern = new RegExp(requestIdPattern);

/** Returns the `X-Request-Id` of the request if it matches the contract, otherwise a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && pattern.test(given) ? given : randomUUID();
}
