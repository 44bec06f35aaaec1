import type { AccessRequest, Client } from '@waybill/client';
import type { Shipment } from '../../fixtures/shipments.ts';
import type { TestAccount } from '../../fixtures/test.ts';

export const everyScope: NonNullable<AccessRequest['scopes']> = [
  'shipments:read',
  'tracking:read',
  'tracking:write',
  'events:read',
];

type Given = Partial<Parameters<Client['createAccess']>[0]>;

/** Creates an access to a shipment, by default with all scopes and the whole detail. */
export const newAccess = async (
  { client }: Pick<TestAccount, 'client'>,
  { id }: Pick<Shipment, 'id'>,
  given: Given = {},
) => await client.createAccess({ shipment_id: id, scopes: everyScope, detail: 'proof', ...given });

/** The token of such an access. */
export const newToken = async (...given: Parameters<typeof newAccess>): Promise<string> =>
  (await newAccess(...given)).token;
