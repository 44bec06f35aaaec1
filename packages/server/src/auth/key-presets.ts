import { type Scope, scopes } from '@waybill/contract/scopes';

const allScopes = Object.keys(scopes) as Scope[];

/**
 * The scopes of a key by its purpose: the shipper's own program, one that also gives carriers access to shipments, a
 * carrier's, one that only reads, or the one in a link of the board.
 */
export const keyPresets: Record<'shipper' | 'dispatcher' | 'carrier' | 'reader' | 'board', Scope[]> = {
  shipper: allScopes.filter((scope) => scope !== 'tracking:write'),
  dispatcher: allScopes,
  carrier: allScopes.filter((scope) => scope.startsWith('tracking:')),
  reader: allScopes.filter((scope) => scope.endsWith(':read')),
  board: ['shipments:read', 'tracking:read', 'events:read'],
};
