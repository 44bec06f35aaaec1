import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { document } from '../contract/document.ts';

const pattern = new RegExp(document.components.headers['X-Request-Id'].schema.pattern);

/** The caller's own `X-Request-Id`, if it has the contract's form, else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const own = headers['x-request-id'];
  return typeof own === 'string' && pattern.test(own) ? own : randomUUID();
}
