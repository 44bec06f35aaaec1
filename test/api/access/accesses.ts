import type { AccessRequest, AccessWithToken, Client } from '@waybill/client';

export const everyScope: NonNullable<AccessRequest['scopes']> = [
  ...(['shipments:read', 'tracking:read', 'tracking:write', 'events:read'] as const),
];

/** Creates an access to a shipment, by default with all scopes and the whole detail. */
export const newAccess = async (
  { client }: { client: Client },
  { id: shipment_id }: { id: string },
  given: Partial<Parameters<Client['createAccess']>[0]> = {},
): Promise<AccessWithToken> => client.createAccess({ shipment_id, scopes: everyScope, detail: 'proof', ...given });

/** The token of such an access. */
export const newToken = async (...given: Parameters<typeof newAccess>): Promise<string> =>
  (await newAccess(...given)).token;
