import type { Scope } from '@waybill/contract/scopes';
import { Problem } from './problems.ts';

/**
 * Why a request has no valid key or access token. `unknown` includes a wrong secret: only who has the secret learns more of
 * a key.
 */
export type KeyError = 'missing' | 'malformed' | 'unknown' | 'expired' | 'unknown_token' | 'expired_token';

const keyErrors: Record<KeyError, string> = {
  missing: 'The request has no API key. Send the header `Authorization: Bearer wbk_…`.',
  malformed: 'The header Authorization is malformed. Send `Bearer` and the API key, which begins with `wbk_`.',
  unknown: 'The API key is unknown or revoked.',
  expired: 'The API key has expired.',
  unknown_token: 'The access token is unknown or revoked.',
  expired_token: 'The access token has expired.',
};

/**
 * Why there is no valid key or access token, or which scope it lacks; undefined when it has the required one.
 * @param scopes those of the key, or why there is no valid one
 * @param required null for an operation that needs no key
 * @param access set for an access token
 */
export function scopeProblem(
  scopes: string[] | KeyError,
  required: Scope | null,
  access?: object,
): Problem | undefined {
  if (typeof scopes === 'string') return new Problem('unauthenticated', keyErrors[scopes]);
  const including = required === 'webhooks:read' ? 'webhooks:write' : undefined; // the contract says so
  if (required === null || scopes.some((scope) => scope === required || scope === including)) return undefined;
  return new Problem('insufficient_scope', `The ${access ? 'access' : 'key'} lacks the scope ${required}.`);
}
