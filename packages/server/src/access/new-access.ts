import { dayLength } from '@waybill/contract/duration';
import { maxAccesses } from '@waybill/contract/limits';
import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { type FieldError, fieldProblem, Problem } from '@waybill/http/problems';

type Schemas = components['schemas'];
type Detail = Schemas['AccessDetail'];
type Kind = Schemas['AccessKind'];
type AccessScope = Schemas['AccessScope'];

const invalidField = (pointer: string, code: FieldError['code'], detail: string): Problem =>
  fieldProblem('invalid_request', [{ in: 'body', pointer, code, detail }]);

const driverScopes: AccessScope[] = ['shipments:read', 'tracking:read', 'tracking:write'];

/** The scopes of an access of a kind: by default, those that its page needs, and those that it cannot have. */
const kinds: Record<Kind, { byDefault: AccessScope[]; needed: AccessScope[]; excluded: AccessScope[] }> = {
  track: { byDefault: ['shipments:read', 'tracking:read'], needed: ['tracking:read'], excluded: ['tracking:write'] },
  drive: { byDefault: driverScopes, needed: driverScopes, excluded: [] },
};

export const accessKinds = Object.keys(kinds) as Kind[];

/**
 * The scopes of a new access: those of the request, or the default of its kind.
 * @throws {Problem} invalid_request without both, and for scopes with which its page does not work or could write
 */
export function scopesOf({ kind, scopes }: Pick<Schemas['AccessRequest'], 'kind' | 'scopes'>): AccessScope[] {
  if (!kind) {
    if (!scopes) throw invalidField('/scopes', 'required', 'is required without a kind');
    return scopes;
  }
  const { byDefault, needed, excluded } = kinds[kind];
  const given = scopes ?? byDefault;
  const index = given.findIndex((scope) => excluded.includes(scope));
  if (index >= 0) throw invalidField(`/scopes/${index}`, 'not_allowed', `is not possible for the kind ${kind}`);
  const missing = needed.find((scope) => !given.includes(scope));
  if (missing) throw invalidField('/scopes', 'required', `must contain ${missing} for the kind ${kind}`);
  return given;
}

/**
 * The URL of the page of an access. It is a secret, as its token is.
 * @param origin of the service
 * @param shipmentId the public id: the page of a driver reads the shipment by it
 */
export const pageUrl = (kind: Kind, origin: string, token: string, shipmentId: string): string =>
  kind === 'track' ? `${origin}/t/${token}` : `${origin}/d/#${token}/${shipmentId}`;

/** Days after which an access expires, unless its request says when. The contract states it. */
const defaultDays = 30;

/**
 * The fields of a new access.
 * @throws {Problem} invalid_request for invalid scopes, or a time that is not in the future
 */
export function newAccess(
  request: Schemas['AccessRequest'],
  now: Date,
): {
  name: string | null;
  kind: Kind | null;
  scopes: AccessScope[];
  detail: Detail;
  documents: boolean;
  expires_at: Date;
} {
  const { name = null, kind = null, detail = kind ? 'proof' : 'status', documents = false, expires_at } = request;
  const expiresAt = expires_at ? dateOf(expires_at) : new Date(now.getTime() + defaultDays * dayLength);
  if (expiresAt.getTime() <= now.getTime()) {
    throw invalidField('/expires_at', 'out_of_order', 'must be in the future');
  }
  return { name, kind, scopes: scopesOf(request), detail, documents, expires_at: expiresAt };
}

/** Requires that a key has the scopes that it gives. @throws {Problem} insufficient_scope */
export function requireScopes(given: AccessScope[], scopes: string[]): void {
  const missing = given.find((scope) => !scopes.includes(scope));
  if (missing) throw new Problem('insufficient_scope', `The key lacks the scope ${missing}, and cannot give it.`);
}

export const accessLimitReached = (): Problem =>
  new Problem('access_limit_reached', `The shipment has ${maxAccesses} accesses.`);
