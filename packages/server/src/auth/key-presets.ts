import { type Scope, scopes } from '@waybill/contract/scopes';

const allScopes = Object.keys(scopes) as Scope[];

/**
 * The scopes of a key by its purpose: the shipper's own program, one that also gives carriers access to shipments, a
 * carrier's, or one that only reads.
 */
export const keyPresets: Record<'shipper' | 'dispatcher' | 'carrier' | 'reader', Scope[]> = {
  shipper: allScopes.filter((scope) => scope !== 'tracking:write'),
  dispatcher: allScopes,
  carrier: allScopes.filter((scope) => scope.startsWith('tracking:')),
  reader: allScopes.filter((scope) => scope.endsWith(':read')),
};
