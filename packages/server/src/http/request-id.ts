import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The characters and the length that the contract states for `X-Request-Id`. */
const pattern = /^[A-Za-z0-9_.-]{1,128}$/;

/** Returns the `X-Request-Id` of the request if it matches the contract, otherwise a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && pattern.test(given) ? given : randomUUID();
}
